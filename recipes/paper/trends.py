"""Which of the paper's trends come out, from the logs of the trainings of Table 1 alone.

    python recipes/paper/trends.py LOGS [--runs 4]

Prints a Markdown table: what the paper reports; the same measures here, as means over runs and the
paper's window of epochs, in percent; in how many of the runs they go the paper's way.
"""

import argparse
import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samehand.errors import InputError
from samehand.training.ablate import HEADS, ROWS, lines_of, window

OUTPUTS = {f"{row.component} {row.setting}": row for row in ROWS}
FIXED, LEARNED, BFS, UAL = "DML fixed", "DML learned", "BFS swish", "UAL swish β = 0.1"
BY_BETA = [f"UAL tanh β = {beta:g}" for activation, beta in HEADS.values() if activation == "tanh"]
ALIKE = 0.01
"""Areas under the curve that differ by less are about the same."""


class Run(NamedTuple):
    """The logs of a training with the fixed kernel and of one with a learned one, of one seed."""

    fixed: list[Any]
    learned: list[Any]

    def measures(self, rows: list[str], name: str) -> list[float]:
        """A measure of some rows of the table."""
        found = []
        for row in map(OUTPUTS.__getitem__, rows):
            lines = self.fixed if row.training == "fixed" else self.learned
            found.append(
                float(np.mean([line["pooled"][row.output][name] for line in window(lines)]))
            )
        return found

    def excess(self, rows: list[str]) -> list[float]:
        """Confidence less accuracy: above 0 a row is over-confident."""
        both = zip(self.measures(rows, "conf"), self.measures(rows, "c@1"), strict=True)
        return [confidence - accuracy for confidence, accuracy in both]

    def entropies(self) -> list[float]:
        """How entropy rises from the first to the last epoch: within authors, between them."""
        first, last = self.learned[0]["entropy"], self.learned[-1]["entropy"]
        return [last[kind] - first[kind] for kind in ("within", "between")]

    def steepness(self) -> list[float]:
        """Of both kernels, where they are 1/2: the fall of p(H1) by the distance."""
        kernels = (lines[-1]["kernel"] for lines in (self.fixed, self.learned))
        return [
            each["alpha"] * math.log(2) * (each["gamma"] / math.log(2)) ** (0.5 / each["alpha"])
            for each in kernels
        ]


class Trend(NamedTuple):
    """A trend the paper reports, its measure here, and whether that goes the same way."""

    reported: str
    measured: str
    of: Callable[[Run], list[float]]
    holds: Callable[[list[float]], bool]
    percent: bool = True


def falls(values: list[float]) -> bool:
    return all(later < earlier for earlier, later in pairwise(values))


TRENDS = (
    Trend(
        "AUC about the same along the rows",
        "AUC of all rows",
        lambda run: run.measures(list(OUTPUTS), "auc"),
        lambda values: max(values) - min(values) < ALIKE,
    ),
    Trend(
        "the fixed kernel is under-confident",
        "conf − c@1 of it",
        lambda run: run.excess([FIXED]),
        lambda values: values[0] < 0,
    ),
    Trend(
        "ECE falls from the fixed to the learned kernel, the BFS, the UAL (β = 0.1)",
        "ECE of the four",
        lambda run: run.measures([FIXED, LEARNED, BFS, UAL], "ece"),
        falls,
    ),
    Trend(
        "the UAL without regularisation is over-confident",
        "conf − c@1 at β = 0",
        lambda run: run.excess(BY_BETA[:1]),
        lambda values: values[0] > 0,
    ),
    Trend(
        "β lowers the confidence",
        "conf by β",
        lambda run: run.measures(BY_BETA, "conf"),
        falls,
    ),
    Trend(
        "MCE falls as β grows",
        "MCE by β",
        lambda run: run.measures(BY_BETA, "mce"),
        falls,
    ),
    Trend(
        "the learned kernel is steeper",
        "fall of p by the distance at p = 1/2, fixed and learned",
        Run.steepness,
        lambda values: values[1] > values[0],
        percent=False,
    ),
    Trend(
        "entropy falls within authors and rises between them",
        "change of the two from the first epoch to the last",
        Run.entropies,
        lambda values: values[0] < 0 < values[1],
        percent=False,
    ),
    Trend(
        "97 % AUC",
        "AUC of the UAL (β = 0.1)",
        lambda run: run.measures([UAL], "auc"),
        lambda values: values[0] >= 0.965,
    ),
)


def trends(logs: Path, runs: int) -> str:
    """The table of all trends."""
    found = [
        Run(*(lines_of(logs / f"{kind}-{run}") for kind in ("fixed", "learned")))
        for run in range(runs)
    ]
    lines = ["| the paper | measured | here | in so many runs |", "|---|---|---|---|"]
    for trend in TRENDS:
        values = [trend.of(run) for run in found]
        shown = np.mean(values, axis=0) * (100 if trend.percent else 1)
        digits = 1 if trend.percent else 3
        here = ", ".join(f"{value:.{digits}f}" for value in shown)
        held = sum(map(trend.holds, values))
        lines.append(f"| {trend.reported} | {trend.measured} | {here} | {held} of {runs} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("logs", type=Path)
    parser.add_argument("--runs", type=int, default=4)
    options = parser.parse_args()
    try:
        print(trends(options.logs, options.runs))
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
