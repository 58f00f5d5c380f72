"""A test of calibration, and intervals of the true ECE and MCE.

Chance opens gaps between promise and outcome even where every probability is right, so that ECE
and MCE come out too large. Here the true gaps are supposed to be some multiple of those found, and
outcomes are drawn anew. Without gaps that is a test of calibration (Bröcker and Smith, "Increasing
the reliability of reliability diagrams", Weather and Forecasting 22, 2007). The multiples that make
what was found neither too small nor too large give an interval (Carpenter, "Test inversion
bootstrap confidence intervals", Journal of the Royal Statistical Society B 61, 1999).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.calibration_error import Reliability

Floats = NDArray[np.float64]

DRAWS = 1_000
"""Sets of outcomes that are drawn for each supposed multiple."""
TAIL = 0.01
"""Share of draws beyond either end of a 95 % interval. It is less than 2.5 % because the proportion
of the gaps to one another is taken from the same trials; with this tail 95 % of intervals hold the
truth (benchmarks/interval_coverage.py)."""

_EQUAL = 1e-12
"""Errors that differ by less are equal; they count half to either side."""
_NONE = 1e-9
"""A gap that has come about by rounding."""
_DOUBLINGS, _HALVINGS = 20, 10


@dataclass(frozen=True)
class Gaps:
    """The bins of one set of trials, or of several whose mean ECE is asked for."""

    count: NDArray[np.int64]
    predicted: Floats
    observed: Floats
    weight: Floats
    """The part of each bin in the mean gap; all parts sum to 1."""
    seed: int = 0

    @classmethod
    def of(cls, *sets: Reliability, seed: int = 0) -> "Gaps":
        """Every set has the same weight, however many trials it has."""
        return cls(
            np.concatenate([one.count for one in sets]),
            np.concatenate([one.predicted for one in sets]),
            np.concatenate([one.observed for one in sets]),
            np.concatenate([one.count / one.count.sum() for one in sets]) / len(sets),
            seed,
        )

    def p_value(self) -> float:
        """How often calibrated answers would show as large an ECE on so many trials."""
        as_large = np.count_nonzero(self._drawn("ece", 0.0) > self._found("ece") - _EQUAL)
        return float((1 + as_large) / (1 + DRAWS))

    def debiased(self, measure: str) -> float:
        """The true error under which half of the draws show less than was found; 0 if none."""
        return self._true(measure, 0.5, self._found(measure))

    def interval(self, measure: str) -> tuple[float, float]:
        """95 % interval of the true error; it begins at 0 where the answers may be calibrated.

        For the upper end, an error below the median of calibrated answers counts as that median:
        luck alone made it so small, and it does not rule out other true errors than 0.
        """
        found, usual = self._found(measure), float(np.median(self._drawn(measure, 0.0)))
        return self._true(measure, 1 - TAIL, found), self._true(measure, TAIL, max(found, usual))

    def _found(self, measure: str) -> float:
        return float(self._error(measure, self.observed))

    def _true(self, measure: str, share: float, found: float) -> float:
        """The true error under which such a share of draws is below an error that was found."""

        def too_small(multiple: float) -> bool:
            drawn = self._drawn(measure, multiple) - found
            below, not_above = (np.count_nonzero(drawn < limit) for limit in (-_EQUAL, _EQUAL))
            return bool(below + not_above > 2 * share * DRAWS)

        return float(self._error(measure, self._supposed(_last(too_small))))

    def _drawn(self, measure: str, multiple: float) -> Floats:
        """The errors of `DRAWS` sets of outcomes; from the same seed for every multiple."""
        generator = np.random.default_rng(self.seed)
        shape, of_bins = (self.count.size, DRAWS), (slice(None), None)
        right = generator.binomial(self.count[of_bins], self._supposed(multiple)[of_bins], shape)
        return self._error(measure, right / self.count[of_bins])

    def _supposed(self, multiple: float) -> Floats:
        """The true share of each bin if its true gap is so many times the one found."""
        gap = self.predicted - self.observed
        if np.abs(gap).max() < _NONE:
            gap = np.ones_like(gap)
        return np.clip(self.predicted - multiple * gap, 0.0, 1.0)

    def _error(self, measure: str, share: Floats) -> Floats:
        """ECE or MCE of so large shares that came true, the bins being the first axis."""
        gap = np.abs(self.predicted - share.T).T
        return np.asarray(self.weight @ gap if measure == "ece" else gap.max(axis=0))


def _last(holds: Callable[[float], bool]) -> float:
    """The number from 0 on up to which something holds, found by halving."""
    low, high = 0.0, 1.0
    if not holds(low):
        return low
    for _ in range(_DOUBLINGS):
        if not holds(high):
            break
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return (low + high) / 2
