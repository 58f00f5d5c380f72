"""Do likelihood ratios hold for any number of known texts?

    python benchmarks/several_known.py DEV [--model DIR]

DEV is a folder of text with authors and topics (a source a file) by authors the model has not met.
Of each author with enough texts one is questioned, and one by another author who is drawn; both are
compared with the same 1, 2, 4 and 8 other texts of the author, of other topics as far as there are
any. In half of the trials by two authors the other one writes on the topic of a known text, if
anybody does. Prints a Markdown table of all trials together; exits with 1 where a bar is missed.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from quality_figures import Figures, bar

from samehand.corpus.document import Document
from samehand.corpus.readers import read_corpus, sources
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.scoring.distance import Trials
from samehand.verifier import Verifier

TIMES = {4: 1, 8: 4}
"""Numbers of known texts, and how often the texts of each author with more than that are drawn."""

BAR = 0.02
"""Of Cllr above Cllr_min, for each number."""
DRAWS = 20
"""By which it is found how much of that is chance."""


class Compared(NamedTuple):
    """A questioned text, and known texts of which the first ones are used."""

    source: str
    questioned: str
    known: list[str]
    same: bool


def draw(source: str, documents: Sequence[Document], n: int, times: int) -> Iterator[Compared]:
    """Trials with `n` known texts, two an author and time; the same ones every time."""
    rng = np.random.default_rng([n, *source.encode()])
    author = np.array([document.author for document in documents])
    topic = np.array([document.topic for document in documents])
    names, counts = np.unique(author, return_counts=True)
    for name in np.repeat(names[counts > n], times):
        own = rng.permutation(np.flatnonzero(author == name))
        mine, rest = own[0], own[1:]
        known = rest[np.argsort(topic[rest] == topic[mine], kind="stable")][:n]
        others = np.flatnonzero(author != name)
        on_topic = others[topic[others] == topic[known[0]]]
        if not len(others):
            continue
        theirs = rng.choice(on_topic if len(on_topic) and rng.random() < 0.5 else others)
        texts = [documents[place].text for place in known]
        for questioned, same in ((mine, True), (theirs, False)):
            yield Compared(source, documents[questioned].text, texts, same)


def several_known(verifier: Verifier, dev: Path) -> Figures:
    """Figures by the largest number of known texts, then by the number that is used."""
    drawn: dict[int, list[Compared]] = {n: [] for n in TIMES}
    for name, path in sources(dev):
        documents = list(read_corpus(path))
        for n, times in TIMES.items():
            drawn[n] += draw(name, documents, n, times)
    return {str(n): _figures(verifier, trials, n) for n, trials in drawn.items() if trials}


def _figures(verifier: Verifier, drawn: list[Compared], most: int) -> Figures:
    texts = list(dict.fromkeys(text for one in drawn for text in (one.questioned, *one.known)))
    place = {text: number for number, text in enumerate(texts)}
    vectors = verifier.vectors(texts)
    same = np.array([one.same for one in drawn])
    found: Figures = {"sources": len({one.source for one in drawn}), "trials": len(drawn)}
    for n in (n for n in (1, 2, 4, 8) if n <= most):
        trials = Trials.of(
            [place[one.questioned] for one in drawn],
            [[place[text] for text in one.known[:n]] for one in drawn],
        )
        scores = verifier.system.score(vectors, trials)
        probability = 1 / (1 + np.exp(-scores.log_lr))
        figures = score(same, probability)
        found[str(n)] = {name: figures[name] for name in ("auc", "cllr", "cllr_cal", "ece")}
        found[str(n)] |= {
            "by chance": _by_chance(probability),
            "undecided": float(scores.undecided.mean()),
            "same": float(scores.log_lr[same].mean() / np.log(10)),
            "different": float(scores.log_lr[~same].mean() / np.log(10)),
        }
    return found


def _by_chance(probability: NDArray[np.float64]) -> float:
    """Cllr − Cllr_min of as many trials, if all probabilities held; mean of draws."""
    rng = np.random.default_rng(0)
    truths = rng.random((DRAWS, len(probability))) < probability
    return float(np.mean([score(truth, probability)["cllr_cal"] for truth in truths]))


def bars(found: Figures) -> list[Figures]:
    """Whether calibration holds for each number of known texts."""
    return [
        bar(f"Cllr − Cllr_min, {n} of {most} known texts at hand", figures["cllr_cal"], BAR)
        for most, of_most in found.items()
        for n, figures in of_most.items()
        if n.isdigit()
    ]


def table(found: Figures) -> str:
    """The figures in Markdown."""
    heads = ["AUC", "Cllr", "Cllr − Cllr_min", "of it by chance", "ECE", "undecided"]
    heads += ["mean log10 LR, same author", "different authors"]
    names = ("auc", "cllr", "cllr_cal", "by chance", "ece", "undecided", "same", "different")
    lines = [["trials", "known texts", *heads], ["---", "---:", *["---:"] * len(heads)]]
    for most, of_most in found.items():
        what = f"{of_most['trials']:,} of {of_most['sources']} sources, {most} known texts at hand"
        lines += [
            [what, n, *(f"{figures[name]:.3f}" for name in names)]
            for n, figures in of_most.items()
            if n.isdigit()
        ]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dev", type=Path)
    parser.add_argument("--model", type=Path, help="instead of the packaged one")
    options = parser.parse_args()
    try:
        found = several_known(Verifier.load(options.model), options.dev)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(table(found))
    return 0 if all(each["met"] for each in bars(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
