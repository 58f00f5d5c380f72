"""How often do 95 % intervals of the measures hold the truth?

    python benchmarks/interval_coverage.py [--sets 400] [--resamples 200] [--processes 2]

Log likelihood ratios are drawn from two normals, one for each kind of trials, such that they are
right; then they are distorted. What is true of endless trials follows by quadrature. Prints
Markdown tables: the percentage of sets of trials whose interval holds the truth, with the interval
as it was before (percentiles, moved so that their median falls on the score) and as it is; mean
widths; and the same for differences between two systems. Exits with 1 where an interval of ECE,
MCE, Cllr_min or Cllr_cal holds the truth in fewer than 88 % of sets.
"""

import argparse
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation import PAPER_BINNING, score
from samehand.evaluation.bootstrap import (
    BOOTSTRAPPED,
    Bias,
    differences,
    interval,
    intervals,
    resampled_scores,
)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

BIASED = ("ece", "mce", "cllr_min", "cllr_cal")
TOLD = (*BIASED, "cllr", "brier", "auc")
SIZES = (100, 300, 1_000, 3_000)
LEAST = 0.88


@dataclass(frozen=True)
class Answers:
    """How a system answers trials of which the right log likelihood ratios are known."""

    name: str
    steepness: float = 1.0
    offset: float = 0.0
    spread: float = 1.5
    """Standard deviation of the right log likelihood ratios of either kind of trials."""
    blur: float = 0.0
    """Standard deviation of noise, for which the ratios are then corrected."""

    def draw(self, n: int, generator: np.random.Generator) -> tuple[Bools, Floats]:
        """So many trials: whether they are by one author, and their right log LRs."""
        same = generator.random(n) < 0.5
        return same, generator.normal(np.where(same, 1.0, -1.0) * self.spread**2 / 2, self.spread)

    def answer(self, log_lrs: Floats, generator: np.random.Generator) -> Floats:
        """Probabilities."""
        blurred = log_lrs + generator.normal(0.0, self.blur, log_lrs.size)
        right = blurred * self.spread**2 / (self.spread**2 + self.blur**2)
        return _probability(self.steepness * right + self.offset)

    def truth(self) -> dict[str, float]:
        """The measures on endless trials."""
        spread = self.spread**2 / math.hypot(self.spread, self.blur)
        right = np.linspace(-12 * spread - spread**2, 12 * spread + spread**2, 400_001)
        density = np.exp(-((right - spread**2 / 2) ** 2) / (2 * spread**2))
        density /= density.sum()  # of trials by one author; mirrored, of those by two
        given = self.steepness * right + self.offset
        p, posterior = _probability(given), _probability(right)
        either = (density + density[::-1]) / 2
        confidence = np.maximum(p, 1 - p)
        off = either * (confidence - np.where(p > 0.5, posterior, 1 - posterior))
        bins = np.digitize(confidence, np.linspace(0, 1, PAPER_BINNING.count + 1)[1:-1], right=True)
        gaps, shares = np.abs(np.bincount(bins, off)), np.bincount(bins, either)
        filled = shares > 1e-12
        found = {"ece": gaps.sum(), "mce": (gaps[filled] / shares[filled]).max()}
        found["cllr"] = _cllr(density, given)
        found["cllr_min"] = _cllr(density, right)
        found["cllr_cal"] = found["cllr"] - found["cllr_min"]
        found["brier"] = 1 - either @ (posterior * (1 - p) ** 2 + (1 - posterior) * p**2)
        found["auc"] = (1 + math.erf(spread / 2)) / 2
        return {name: float(value) for name, value in found.items()}


ALONE = (
    Answers("calibrated"),
    Answers("log LR × 1.2", steepness=1.2),
    Answers("log LR × 1.5", steepness=1.5),
    Answers("log LR × 2", steepness=2.0),
    Answers("log LR × 0.5", steepness=0.5),
    Answers("log LR + 1", offset=1.0),
    Answers("calibrated, AUC .69", spread=0.7),
    Answers("calibrated, AUC .98", spread=3.0),
)
OTHERS = (
    Answers("calibrated, less informed", blur=1.2),
    Answers("log LR × 2", steepness=2.0),
    Answers("log LR × 2, less informed", steepness=2.0, blur=1.2),
)
"""Those of which differences from calibrated answers to the same trials are measured."""


def _probability(log_lrs: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -log_lrs)))


def _cllr(density: Floats, log_lrs: Floats) -> float:
    costs = density @ np.logaddexp(0.0, -log_lrs) + density[::-1] @ np.logaddexp(0.0, log_lrs)
    return float(costs / (2 * math.log(2)))


def limits(kind: Answers, n: int, resamples: int, seed: int) -> Floats:
    """Of one set of trials, the limits before and now: (before or now, measures, 2)."""
    generator = np.random.default_rng([n, seed, *kind.name.encode()])
    same, log_lrs = kind.draw(n, generator)
    p = kind.answer(log_lrs, generator)
    scores, drawn = score(same, p), resampled_scores(same, [p], resamples, seed=seed)[:, 0]
    now = intervals(scores, drawn, Bias.of((same, p), seed=seed))
    before = {
        name: interval(scores[name], drawn[:, column]) for column, name in enumerate(BOOTSTRAPPED)
    }
    return np.array([[before[name] for name in TOLD], [now[name] for name in TOLD]])


def difference_limits(other: Answers, n: int, resamples: int, seed: int) -> Floats:
    """Of one set of trials, the limits of differences from calibrated answers: (measures, 2)."""
    generator = np.random.default_rng([n, seed, *other.name.encode()])
    first = ALONE[0]
    same, log_lrs = first.draw(n, generator)
    systems = [one.answer(log_lrs, generator) for one in (first, other)]
    drawn = resampled_scores(same, systems, resamples, seed=seed)
    scores = [score(same, p) for p in systems]
    found = differences(scores[1], drawn[:, 1], scores[0], drawn[:, 0])
    return np.array([found[name][1:] for name in TOLD])


def holds(found: Floats, truth: Floats) -> Floats:
    """Share of sets whose interval holds the truth."""
    return np.mean((found[..., 0] <= truth + 1e-9) & (found[..., 1] >= truth - 1e-9), axis=0)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=400)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    seeds = range(options.sets)
    covered, widths, differing, worst = [], [], [], 1.0
    with Pool(options.processes) as pool:
        for kind in ALONE:
            truth = np.array([kind.truth()[name] for name in TOLD])
            for n in SIZES:
                job = partial(limits, kind, n, options.resamples)
                found = np.array(pool.map(job, seeds, chunksize=10))
                share, width = holds(found, truth), np.diff(found)[..., 0].mean(axis=0)
                worst = min(worst, share[1, : len(BIASED)].min())
                name = f"{kind.name}, {n:,}"
                covered.append([name, *(f"{100 * a:.0f} → {100 * b:.0f}" for a, b in share.T)])
                widths.append([name, *(f"{a:.3f} → {b:.3f}" for a, b in width.T[: len(BIASED)])])
        for other in OTHERS:
            by = np.array([other.truth()[name] - ALONE[0].truth()[name] for name in TOLD])
            for n in SIZES:
                job = partial(difference_limits, other, n, options.resamples)
                found = np.array(pool.map(job, seeds, chunksize=10))
                missed = np.mean(found > by[:, None] + 1e-9, axis=0)[:, 0]
                beyond = np.mean(found < by[:, None] - 1e-9, axis=0)[:, 1]
                cells = (
                    f"{100 * (1 - low - high):.0f} ({100 * low:.0f}, {100 * high:.0f})"
                    for low, high in zip(missed, beyond, strict=True)
                )
                differing.append([f"{other.name}, {n:,}", *cells])
    print("Truth in the interval, % of sets, before → now\n")
    print(table(["answers, trials", *TOLD], covered))
    print("Mean width, before → now\n")
    print(table(["answers, trials", *BIASED], widths))
    print("Differences from calibrated answers: truth in the interval, % (below it, above it)\n")
    print(table(["answers, trials", *TOLD], differing))
    print(f"Least of ECE, MCE, Cllr_min and Cllr_cal: {worst:.1%} (bar: {LEAST:.0%})")
    return 0 if worst >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
