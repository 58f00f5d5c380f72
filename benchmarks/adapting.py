"""Effect of `samehand adapt` on trials of a genre.

    python benchmarks/adapting.py TRIALS CORPUS [--model DIR]

TRIALS is a folder of trial sets in PAN's format with their truth, each named KIND-GENRE; CORPUS is
a folder of text, a source GENRE for each set to be measured. The model is adapted to texts by
authors who are in none of the trials (as many as there are, where they are fewer), and to labelled
pairs: trials of the set, the others of which are answered as far as they share no text with those.
Everything is drawn several times. Prints Markdown tables; exits with 1 where a bar is missed.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from posed import Posed
from quality_figures import Figures, bar

from samehand.assessment import LabelledPair
from samehand.casework.selecting import SHORTEST
from samehand.corpus.readers import Trial, read_corpus, read_trials, sources
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.text.words import words
from samehand.verifier import Verifier

TEXTS = (10, 20, 50)
PAIRS = (10, 25)
"""Of either kind."""
DRAWS = 3
FIGURES = ("auc", "cllr", "cllr_cal", "ece", "undecided")
NOTHING = "nothing"
MOST_UNDECIDED = 0.35
"""With 20 texts and with 50, as a mean over sets; and Cllr is to be below that without them."""
MOST_RISE = 0.005
"""Of mean Cllr, whatever the model is adapted to."""
_START = 80
"""Characters by which a trial's text is found in the document it was cut from."""


class Embedded:
    """Trials whose texts are embedded once, to be scored by several models."""

    def __init__(self, verifier: Verifier, trials: list[Trial]) -> None:
        texts, self.trials, self.same = Posed.of(trials)
        self.vectors = verifier.vectors(texts)

    def figures(self, verifier: Verifier, chosen: NDArray[np.bool_] | None = None) -> list[float]:
        """Each of `FIGURES`, by the scoring of a verifier; of some of the trials, or of all."""
        some = np.ones(len(self.same), np.bool_) if chosen is None else chosen
        found = verifier.system.score(self.vectors, self.trials.at(some))
        scored = score(self.same[some], 1 / (1 + np.exp(-found.log_lr)))
        scored["undecided"] = float(found.undecided.mean())
        return [scored[name] for name in FIGURES]

    def sharing_no_text(self, pairs: NDArray[np.intp]) -> NDArray[np.bool_]:
        """(trials,) which trials have no text of these."""
        texts = np.concatenate([self.trials.questioned[:, None], self.trials.known], 1)
        texts = np.where(texts < 0, texts[:, :1], texts)
        free: NDArray[np.bool_] = ~np.isin(texts, texts[pairs]).any(1)
        return free


def others(corpus: Path, trials: list[Trial]) -> list[str]:
    """Texts of a corpus, one each by authors of none of these trials."""
    texts = {text for trial in trials for text in (trial.questioned, *trial.known)}
    starts = {" ".join(text.split())[:_START] for text in texts}
    of_author: defaultdict[str, list[str]] = defaultdict(list)
    for document in read_corpus(corpus):
        of_author[document.author].append(document.text)
    free = []
    for own in of_author.values():
        plain = [" ".join(text.split()) for text in own]
        if not any(start in text for start in starts for text in plain):
            free += [text for text in own if len(words(text)) >= SHORTEST][:1]
    return free


def of_set(verifier: Verifier, trials: list[Trial], free: list[str]) -> dict[str, Figures]:
    """Figures of a set by what the model was adapted to, means over draws."""
    embedded = Embedded(verifier, trials)
    rows: defaultdict[str, list[list[float]]] = defaultdict(list)
    rows[NOTHING].append(embedded.figures(verifier))
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        order = rng.permutation(len(free))
        for n in TEXTS:
            adapted = verifier.adapted([free[place] for place in order[:n]])
            rows[f"{n} texts"].append(embedded.figures(adapted))
        kinds = [rng.permutation(np.flatnonzero(embedded.same == same)) for same in (True, False)]
        for n in PAIRS:
            used = np.concatenate([kind[:n] for kind in kinds])
            pairs = [LabelledPair(t.questioned, t.known, bool(t.same)) for t in _at(trials, used)]
            rest = embedded.sharing_no_text(used)
            rows[f"{n} + {n} pairs"].append(embedded.figures(verifier.adapted(pairs=pairs), rest))
            rows[_left_by(f"{n} + {n} pairs")].append(embedded.figures(verifier, rest))
    return {
        name: dict(zip(FIGURES, np.mean(drawn, 0).tolist(), strict=True))
        for name, drawn in rows.items()
    }


def adapting(verifier: Verifier, trials: Path, corpus: Path) -> Figures:
    """Figures of each set whose genre is in the corpus."""
    genres = dict(sources(corpus))
    found = {}
    for folder in sorted(path.parent for path in trials.glob("*/truth.jsonl*")):
        genre = folder.name.split("-", 1)[-1]
        if genre in genres:
            asked = list(read_trials(folder))
            free = others(genres[genre], asked)
            print(f"{folder.name}: {len(free)} texts by others …", file=sys.stderr, flush=True)
            found[folder.name] = of_set(verifier, asked, free)
    if not found:
        raise InputError(f"{corpus}: no set in {trials} is of a genre that is a source here.")
    return found


def bars(found: Figures) -> list[Figures]:
    """Whether adapting helps, does no harm by whatever there is, and leaves little undecided."""
    rows = []
    for what in _adapted(found):
        rise = float(np.mean([_rise(of_set, what) for of_set in found.values()]))
        helps = what in ("20 texts", "50 texts")
        limit = 0.0 if helps else MOST_RISE
        rows.append(bar(f"rise of mean Cllr by {what}", rise, limit, below=helps))
        if helps:
            undecided = float(np.mean([of_set[what]["undecided"] for of_set in found.values()]))
            rows.append(bar(f"undecided after {what}", undecided, MOST_UNDECIDED))
    return rows


def tables(found: Figures) -> str:
    """Means over the sets, then what adapting does to Cllr of each set, in Markdown."""
    heads = ["AUC", "Cllr", "Cllr − Cllr_min", "ECE", "undecided", "highest Cllr"]
    rows = []
    for name in next(iter(found.values())):
        cells = [np.mean([of_set[name][one] for of_set in found.values()]) for one in FIGURES]
        cells.append(max(of_set[name]["cllr"] for of_set in found.values()))
        rows.append([name, *(f"{cell:.3f}" for cell in cells)])
    shown = _adapted(found)
    sets = [
        [name, f"{of_set[NOTHING]['cllr']:.3f}"] + [f"{_rise(of_set, what):+.3f}" for what in shown]
        for name, of_set in found.items()
    ]
    heads_of_sets = ["", "Cllr, not adapted", *(f"rise by {what}" for what in shown)]
    return f"{_table(['adapted to', *heads], rows)}\n\n{_table(heads_of_sets, sets)}"


def _adapted(found: Figures) -> list[str]:
    """All that the model was adapted to."""
    return [what for what in next(iter(found.values())) if not what.startswith(NOTHING)]


def _rise(of_set: Figures, what: str) -> float:
    """By how much adapting raises Cllr on the same trials."""
    same_trials = of_set.get(_left_by(what), of_set[NOTHING])
    return float(of_set[what]["cllr"] - same_trials["cllr"])


def _left_by(what: str) -> str:
    """The name of figures without adapting, on the trials that some pairs leave."""
    return f"{NOTHING}, trials left by {what}"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _at(trials: list[Trial], places: NDArray[np.intp]) -> list[Trial]:
    return [trials[place] for place in places]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, help="instead of the packaged one")
    options = parser.parse_args()
    try:
        found = adapting(Verifier.load(options.model), options.trials, options.corpus)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(tables(found))
    return 0 if all(each["met"] for each in bars(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
