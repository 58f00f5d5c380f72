"""How well does a system do by length of text, by kind of trial, by number of training authors?

    python benchmarks/curves.py TRIALS RUN... -o DIR [--component dml|bfs|ual]

TRIALS is a folder in PAN's format with its truth, by authors no RUN has met: `samehand prepare`
leaves one, STORE/test-trials. Each RUN is what `samehand train` left, by the preset paper unless it
was fitted since. Those that learned from the most authors (the same settings, other seeds) are the
system whose lengths and kinds are shown; all of them make the curve by number of authors. Writes
lengths.csv, kinds.csv, authors.csv and curves.png: means over runs, with their deviations.

Texts are cropped to their first so many words, in the trials that are that long; and in the same
trials at all lengths, namely those that reach the longest length of which there are enough.
"""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
from cropped import crop
from numpy.typing import NDArray
from posed import Posed

from samehand.corpus.readers import Trial, read_trials
from samehand.errors import InputError, needs
from samehand.evaluation import score
from samehand.model.folder import DESCRIPTION
from samehand.scoring.paper import Component
from samehand.verifier import Verifier

LENGTHS = (250, 500, 1_000, 2_000, 4_000)
"""Words of each text of a trial."""
FEWEST = 50
"""Trials of either kind, below which a length or kind is left out."""
MEASURES = ("auc", "c@1", "overall", "conf", "ece")
COLUMNS = (
    "curve",
    "at",
    "trials",
    "same",
    *chain.from_iterable((m, f"{m}_deviation") for m in MEASURES),
)

Row = dict[str, Any]
Answer = Callable[[Sequence[Trial]], list[NDArray[np.float64]]]
"""Probabilities of trials by each run of a system."""


class Run(NamedTuple):
    """A trained system, and how many authors it has learned from; 0 where it does not say."""

    verifier: Verifier
    authors: int


def open_run(folder: Path, component: Component | None) -> Run:
    """Open a training or a model."""
    model = folder if (folder / DESCRIPTION).exists() else folder / "model"
    verifier = Verifier.load(model, component=component)
    about = verifier.description.about
    part, settings = about.data.parts.get("train"), about.training.get("settings")
    share = settings.get("authors_used", 1.0) if isinstance(settings, dict) else 0.0
    return Run(verifier, round(share * ((part and part.authors) or 0)))


def answered(verifier: Verifier, trials: Sequence[Trial]) -> NDArray[np.float64]:
    """The probability of each trial; each distinct text is embedded once."""
    posed = Posed.of(trials)
    log_lr = verifier.system.score(verifier.vectors(posed.texts), posed.trials).log_lr
    probability: NDArray[np.float64] = 1 / (1 + np.exp(-log_lr))
    return probability


def by_length(trials: Sequence[Trial], answer: Answer) -> list[Row]:
    """At each length that enough trials reach: all of them, and the same ones at all lengths."""
    reaching = {n: list(crop(trials, (n, n))) for n in LENGTHS}
    reaching = {n: some for n, some in reaching.items() if _enough(some)}
    if not reaching:
        return []
    throughout = {trial.id for trial in reaching[max(reaching)]}
    rows = []
    for n, some in reaching.items():
        found = answer(some)
        in_all = np.array([trial.id in throughout for trial in some])
        rows += [
            _row("that long", n, some, found, np.ones(len(some), np.bool_)),
            _row("the same trials", n, some, found, in_all),
        ]
    return sorted(rows, key=lambda row: row["curve"])


def by_kind(trials: Sequence[Trial], answer: Answer) -> list[Row]:
    """All trials, each kind, and each kind by one author beside each by two."""
    found = answer(trials)
    one_author = np.array([bool(trial.same) for trial in trials])
    shared = np.array([bool(t.topics and t.topics[0] == t.topics[1]) for t in trials])
    kinds = {
        f"{author}_{topic}": (one_author == (author == "SA")) & (shared == (topic == "SF"))
        for author, topic in product(("SA", "DA"), ("SF", "DF"))
        if all(trial.topics for trial in trials)
    }
    kinds = {name: mask for name, mask in kinds.items() if mask.sum() >= FEWEST}
    rows = [_row("all", "all", trials, found, np.ones(len(trials), np.bool_))]
    rows += [_row("one kind", name, trials, found, mask) for name, mask in kinds.items()]
    both = (
        (one, other) for one, other in product(kinds, kinds) if one[0] == "S" and other[0] == "D"
    )
    for one, other in both:
        rows.append(_row("two kinds", f"{one} {other}", trials, found, kinds[one] | kinds[other]))
    return rows


def by_authors(trials: Sequence[Trial], runs: Iterable[Run]) -> list[Row]:
    """The runs of each number of training authors, from the fewest to the most."""
    rows = []
    for authors, verifiers in sorted(_by_authors(runs).items()):
        found = [answered(verifier, trials) for verifier in verifiers]
        rows.append(
            _row(f"{len(found)} runs", authors, trials, found, np.ones(len(trials), np.bool_))
        )
    return rows


def _by_authors(runs: Iterable[Run]) -> dict[int, list[Verifier]]:
    found = defaultdict(list)
    for run in runs:
        found[run.authors].append(run.verifier)
    return found


def _enough(trials: Sequence[Trial]) -> bool:
    n_same = sum(bool(trial.same) for trial in trials)
    return min(n_same, len(trials) - n_same) >= FEWEST


def _row(
    curve: str,
    at: Any,
    trials: Sequence[Trial],
    found: list[NDArray[np.float64]],
    chosen: NDArray[np.bool_],
) -> Row:
    """Means and deviations over runs of what is measured on the chosen trials."""
    same = np.array([bool(trial.same) for trial in trials])[chosen]
    measured = [score(same, probability[chosen]) for probability in found]
    row: Row = {"curve": curve, "at": at, "trials": len(same), "same": int(same.sum())}
    for name in MEASURES:
        values = np.array([each[name] for each in measured])
        row |= {name: float(values.mean()), f"{name}_deviation": float(values.std())}
    return row


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """The rows; empty where a measure has no value."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            shown = {k: f"{v:.6f}" if isinstance(v, float) else v for k, v in row.items()}
            writer.writerow({name: "" if v == "nan" else v for name, v in shown.items()})


def draw(path: Path, lengths: Sequence[Row], kinds: Sequence[Row], authors: Sequence[Row]) -> None:
    """The three curves side by side."""
    from samehand.evaluation.figures import new_figure

    figure, (of_lengths, of_kinds, of_authors) = new_figure(3)
    throughout = [row for row in lengths if row["curve"] == "the same trials"]
    for ax, rows, what in (
        (of_lengths, throughout, "words of each text, the same trials"),
        (of_authors, authors, "training authors"),
    ):
        for name in ("auc", "overall", "ece"):
            values, spread = ([row[f"{name}{end}"] for row in rows] for end in ("", "_deviation"))
            ax.errorbar([row["at"] for row in rows], values, spread, marker="o", label=name)
        if rows and min(row["at"] for row in rows) > 0:
            ax.set_xscale("log", base=2)
            ax.set_xticks([row["at"] for row in rows], [f"{row['at']:,}" for row in rows])
        ax.set(xlabel=what, ylim=(0, 1))
        ax.legend(fontsize="small", frameon=False)
    pairs = [row for row in kinds if row["curve"] != "one kind"]
    places = np.arange(len(pairs))
    for number, name in enumerate(("auc", "overall", "ece")):
        of_kinds.bar(places + 0.27 * (number - 1), [row[name] for row in pairs], 0.25, label=name)
    labels = [row["at"].replace(" ", "\n") for row in pairs]
    of_kinds.set_xticks(places, labels, fontsize="small")
    of_kinds.set(xlabel="kinds of trials", ylim=(0, 1))
    figure.savefig(path, dpi=150)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--output", "-o", type=Path, required=True)
    parser.add_argument("--component", choices=get_args(Component), help="of the preset paper")
    options = parser.parse_args()
    try:
        needs("plots", "matplotlib")
        trials = list(read_trials(options.trials))
        if any(trial.same is None for trial in trials):
            raise InputError(f"{options.trials}: there is no truth here; put truth.jsonl there.")
        runs = [open_run(run, options.component) for run in options.runs]
        curves(trials, runs, options.output)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def curves(trials: Sequence[Trial], runs: Sequence[Run], output: Path) -> None:
    """Measure and write all of it."""
    of_authors = _by_authors(runs)
    system = of_authors[max(of_authors)]

    def answer(some: Sequence[Trial]) -> list[NDArray[np.float64]]:
        return [answered(verifier, some) for verifier in system]

    found = {
        "lengths": by_length(trials, answer),
        "kinds": by_kind(trials, answer),
        "authors": by_authors(trials, runs),
    }
    output.mkdir(parents=True, exist_ok=True)
    for name, rows in found.items():
        write_csv(output / f"{name}.csv", rows)
    draw(output / "curves.png", found["lengths"], found["kinds"], found["authors"])


if __name__ == "__main__":
    sys.exit(main())
