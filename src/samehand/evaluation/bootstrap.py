"""Intervals by drawing the trials anew, with replacement; differences on the same draws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.calibration_error import PAPER_BINNING, Binning, reliability
from samehand.evaluation.gaps import Gaps
from samehand.evaluation.optimism import pav_optimism
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


@dataclass(frozen=True)
class Bias:
    """The part that chance has in ECE, MCE, Cllr_min and Cllr_cal.

    Resampling cannot show it: in each resample, chance adds to what it did to the trials.
    """

    gaps: Gaps
    optimism: float
    """By how much Cllr_min is too small, and Cllr_cal too large."""

    @classmethod
    def of(
        cls, *sets: tuple[Bools, Floats], binning: Binning = PAPER_BINNING, seed: int = 0
    ) -> "Bias":
        """Find it for a set of trials (truth, answers), or for means over several sets."""
        bins = [reliability(same, probability, binning) for same, probability in sets]
        optimism = [pav_optimism(same, probability, seed=seed) for same, probability in sets]
        return cls(Gaps.of(*bins, seed=seed), float(np.mean(optimism)))

    def removed(self, scores: dict[str, float]) -> dict[str, float]:
        """The four measures without the part of chance."""
        cllr_min = min(scores["cllr_min"] + self.optimism, 1.0)
        return {
            "ece": self.gaps.debiased("ece"),
            "mce": self.gaps.debiased("mce"),
            "cllr_min": cllr_min,
            "cllr_cal": max(scores["cllr"] - cllr_min, 0.0),
        }


def interval(estimate: float, drawn: Floats, *, in_proportion: bool = False) -> tuple[float, float]:
    """95 % interval of the draws by percentiles, moved so that their median falls on the estimate.

    The move is a sum, or a product for a measure that varies in proportion to its size.
    """
    numbers = drawn[~np.isnan(drawn)]
    if numbers.size == 0:
        return float("nan"), float("nan")
    low, median, high = np.percentile(numbers, [2.5, 50, 97.5])
    if not in_proportion:
        return float(estimate + low - median), float(estimate + high - median)
    if median == 0:
        return 0.0, float(estimate + high)
    return float(estimate * low / median), float(estimate * high / median)


def intervals(
    scores: dict[str, float], drawn: Floats, bias: Bias
) -> dict[str, tuple[float, float]]:
    """95 % interval of every measure of one system, drawn: (resamples, len(BOOTSTRAPPED)).

    Those of ECE, MCE, Cllr_min and Cllr_cal need not hold the score, in which chance has a part.
    """
    found = {}
    for column, name in enumerate(BOOTSTRAPPED):
        low, high = _interval_of(name, scores[name], drawn[:, column], bias)
        highest = np.inf if name in ("cllr", "cllr_cal") else 1.0
        found[name] = (float(np.clip(low, 0.0, highest)), float(np.clip(high, 0.0, highest)))
    return found


def _interval_of(name: str, estimate: float, drawn: Floats, bias: Bias) -> tuple[float, float]:
    if name in ("ece", "mce") and not np.isnan(estimate):
        return bias.gaps.interval(name)
    if name == "cllr_min":
        return interval(estimate + bias.optimism, drawn, in_proportion=True)
    if name == "cllr_cal":
        return interval(estimate - bias.optimism, drawn)
    return interval(estimate, drawn)


def differences(
    scores: dict[str, float], drawn: Floats, reference: dict[str, float], drawn_reference: Floats
) -> dict[str, tuple[float, float, float]]:
    """By how much one system differs from another in every measure, with its 95 % interval.

    The parts of chance mostly cancel. They do not in ECE and MCE where one system is calibrated far
    better than the other: chance adds more to the better one, and the difference is understated.
    """
    found = {}
    for column, name in enumerate(BOOTSTRAPPED):
        by = scores[name] - reference[name]
        found[name] = (by, *interval(by, drawn[:, column] - drawn_reference[:, column]))
    return found
