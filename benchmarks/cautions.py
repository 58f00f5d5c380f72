"""How often each caution fires on texts and trials that give no cause for it.

    python benchmarks/cautions.py TRIALS... [--model DIR] [--sample 100] [--corpus FILE...]

TRIALS are sets of English trials in PAN's format, none of them copies; `--sample` of each set are
drawn. Each caution is a false alarm, but for what the corpora hold of quotations and program
output. From each CORPUS (any that `prepare` reads, with three texts an author), sets of three known
texts by one author are drawn, and such with one foreign text.
"""

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from samehand.cautions.caution import Caution
from samehand.cautions.texts import FEW_WORDS
from samehand.corpus.readers import read_corpus, read_trials
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
    counts: Counter[str] = Counter()
    total = 0
    for folder in options.trials:
        trials = list(read_trials(folder))
        drawn = random.Random(0).sample(trials, min(options.sample, len(trials)))
        for found in verifier.score((trial.questioned, trial.known) for trial in drawn):
            counts.update({kind(caution) for caution in found.cautions})
        total += len(drawn)
        print(f"{folder.name}: {len(drawn)} trials", flush=True)
    for sentence, count in counts.most_common():
        print(f"{count / total:7.2%} {sentence}")
    for name, shares in mixtures(verifier, options.corpus).items():
        print(f"known texts {name}: {shares}")


def kind(caution: Caution) -> str:
    """Its sentence, whatever the text and the figures in it."""
    said = re.sub(r"\d[\d,./]*|an?other \w+", "…", caution.sentence)
    said = re.sub(r"[Tt]he known text|[Kk]nown text …|[Tt]he questioned text", "A text", said)
    return f"{said} (disqualifies)" if caution.disqualifies else said


def mixtures(verifier: Verifier, corpora: list[Path]) -> dict[str, str]:
    """How many sets of known texts are taken for those of several authors."""
    alarms: dict[str, list[list[bool]]] = defaultdict(list)
    for corpus in corpora:
        drawn = list(known_texts(corpus))
        found = verifier.score((questioned, known) for _, questioned, known in drawn)
        for (name, *_), each in zip(drawn, found, strict=True):
            alarms[name].append(
                [c.disqualifies for c in each.cautions if "the other known texts" in c.sentence]
            )
    return {
        name: f"{sum(map(bool, of)) / len(of):.1%} cautioned, "
        f"{sum(map(any, of)) / len(of):.1%} disqualified, of {len(of)}"
        for name, of in alarms.items()
    }


def known_texts(corpus: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Questioned and known texts: three known ones by an author, and two with a foreign one."""
    of_author: dict[str, list[str]] = defaultdict(list)
    for document in read_corpus(corpus):
        if len(document.text.split()) >= FEW_WORDS:
            of_author[document.author].append(document.text)
    able = sorted(author for author, own in of_author.items() if len(own) > 2)
    rng = random.Random(0)
    for author in rng.sample(able, min(SETS_A_CORPUS, len(able))) if len(able) > 2 else ():
        own = rng.sample(of_author[author], 3)
        one, other = rng.sample([each for each in able if each != author], 2)
        questioned, foreign = rng.choice(of_author[one]), rng.choice(of_author[other])
        yield "by one author", questioned, own
        yield "with a foreign one", questioned, [*own[:2], foreign]


if __name__ == "__main__":
    main()
