"""How often each caution fires on texts and pairs that give no cause for it.

    python benchmarks/cautions.py TRIALS... [--model DIR] [--sample 100] [--corpus FILE...]

TRIALS are sets of English trials in PAN's format, none of them copies: each caution is a false
alarm, but for what the corpora hold of quotations and program output. `--sample` trials of each set
are also embedded, to count texts, and trials, whose wording is unlike any the model knows. From
each CORPUS (any that `prepare` reads, with three texts an author), sets of three known texts by one
author are drawn, and such with one foreign text.
"""

import argparse
import random
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from samehand.cautions import sentences as cautions
from samehand.cautions.sentences import Text
from samehand.corpus.readers import read_corpus, read_trials
from samehand.verdict import Caution, log10_lr_of
from samehand.verifier import Verifier

SETS_A_CORPUS = 25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path, nargs="+")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--corpus", type=Path, nargs="*", default=[])
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    texts: Counter[str] = Counter()
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    unlike: dict[str, str] = {}
    for folder in options.trials:
        trials = list(read_trials(folder))
        for trial in trials:
            read = [_read(verifier, text) for text in (trial.questioned, *trial.known)]
            texts["texts"] += len(read)
            texts.update(_kind(caution) for text in read for caution in text.own)
            found = [c.disqualifies for c in cautions.of_copying(read[0], read[1:])]
            kind = pairs["one author" if trial.same else "two authors"]
            kind["pairs"] += 1
            kind["copy"] += any(found)
            kind["quotation only"] += bool(found) and not any(found)
        drawn = random.Random(0).sample(trials, min(options.sample, len(trials)))
        questioned = verifier.embed([trial.questioned for trial in drawn])
        known = [verifier.embed(trial.known) for trial in drawn]
        alone = np.concatenate([questioned, *known])
        of_texts = verifier.consider(alone, list(alone[:, None])).unfamiliar  # each with itself
        of_trials = verifier.consider(questioned, known).unfamiliar
        unlike[folder.name] = (
            f"{of_texts.sum()} of {len(alone)} texts, {of_trials.sum()} of {len(drawn)} trials"
        )
    for kind, count in texts.items():
        print(f"{count:6,} {kind}")
    print({kind: dict(counts) for kind, counts in pairs.items()})
    for name, found in unlike.items():
        print(f"{name}: unlike wording in {found}")
    if options.corpus:
        print(_mixtures(verifier, options.corpus))


def _read(verifier: Verifier, text: str) -> Text:
    return Text.of("A text", text, verifier.encoders.lexicon.read([text]).ends[0])


def _kind(caution: Caution) -> str:
    """Its sentence, whatever the figures in it."""
    said = re.sub(r"\d[\d,.]*", "…", caution.sentence)
    return f"{said} (disqualifies)" if caution.disqualifies else said


def _mixtures(verifier: Verifier, corpora: list[Path]) -> dict[str, str]:
    """Share of sets in which some text has so low an LR against the other two."""
    lowest: dict[str, list[float]] = {"pure": [], "one foreign": []}
    for corpus in corpora:
        of_author: dict[str, list[str]] = defaultdict(list)
        for document in read_corpus(corpus):
            if len(document.text.split()) >= cautions.FEW_WORDS:
                of_author[document.author].append(document.text)
        able = sorted(author for author, own in of_author.items() if len(own) > 2)
        rng = random.Random(0)
        for author in rng.sample(able, min(SETS_A_CORPUS, len(able))):
            own = rng.sample(of_author[author], 3)
            foreign = rng.choice(of_author[rng.choice([a for a in able if a != author])])
            for kind, known in (("pure", own), ("one foreign", [*own[:2], foreign])):
                levs = verifier.embed(known)
                others = [np.delete(levs, i, axis=0) for i in range(3)]
                p = verifier.probability(levs, others).tolist()
                lowest[kind].append(min(map(log10_lr_of, p)))
    return {
        f"{kind}, log10 LR below {limit}": f"{np.mean(np.array(found) < limit):.1%} of {len(found)}"
        for kind, found in lowest.items()
        for limit in (cautions.DOUBTFUL, cautions.CONTRADICTED)
    }


if __name__ == "__main__":
    main()
