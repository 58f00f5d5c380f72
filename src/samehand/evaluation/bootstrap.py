"""Intervals by drawing the trials anew, with replacement; differences on the same draws."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.calibration_error import PAPER_BINNING, Binning
from samehand.evaluation.scores import MEASURES, score

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

BOOTSTRAPPED = (*MEASURES, "cllr_cal")


def resampled_scores(
    same: Bools,
    systems: Sequence[Floats],
    resamples: int,
    *,
    seed: int = 0,
    binning: Binning = PAPER_BINNING,
    legacy: bool = False,
) -> Floats:
    """Scores of every system on the same draws: (resamples, systems, len(BOOTSTRAPPED))."""
    orders = [np.argsort(probability, kind="stable") for probability in systems]
    drawn = np.empty((resamples, len(systems), len(BOOTSTRAPPED)))
    for row, times in enumerate(_draws(same.size, resamples, seed)):
        for column, (probability, order) in enumerate(zip(systems, orders, strict=True)):
            # in the order of the scores, which spares `score` the sorting
            chosen = np.repeat(order, times[order])
            found = score(same[chosen], probability[chosen], binning=binning, legacy=legacy)
            drawn[row, column] = [found[name] for name in BOOTSTRAPPED]
    return drawn


def _draws(n: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """How often each of `n` trials occurs in each resample."""
    generator = np.random.default_rng(seed)
    for _ in range(resamples):
        yield np.bincount(generator.integers(n, size=n), minlength=n)


def interval(estimate: float, drawn: Floats) -> tuple[float, float]:
    """95 % interval of the draws by percentiles, moved so that their median falls on the estimate.

    A resample holds trials twice, which makes scores look easier to separate (PAV) and less well
    calibrated (ECE) than they are; without the move the interval could miss the estimate itself.
    """
    numbers = drawn[~np.isnan(drawn)]
    if numbers.size == 0:
        return float("nan"), float("nan")
    low, median, high = np.percentile(numbers, [2.5, 50, 97.5])
    return float(estimate + low - median), float(estimate + high - median)


def intervals(scores: dict[str, float], drawn: Floats) -> dict[str, tuple[float, float]]:
    """95 % interval of every measure of one system, drawn: (resamples, len(BOOTSTRAPPED))."""
    found = {}
    for column, name in enumerate(BOOTSTRAPPED):
        low, high = interval(scores[name], drawn[:, column])
        highest = np.inf if name in ("cllr", "cllr_cal") else 1.0
        found[name] = (float(np.maximum(low, 0.0)), float(np.minimum(high, highest)))
    return found


def differences(
    scores: dict[str, float], drawn: Floats, reference: dict[str, float], drawn_reference: Floats
) -> dict[str, tuple[float, float, float]]:
    """By how much one system differs from another in every measure, with its 95 % interval."""
    found = {}
    for column, name in enumerate(BOOTSTRAPPED):
        by = scores[name] - reference[name]
        found[name] = (by, *interval(by, drawn[:, column] - drawn_reference[:, column]))
    return found
