"""How well a score separates same-author from different-author trials: ROC, AUC, EER."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Tally:
    """The distinct scores, rising, and how many trials of either kind were given each of them.

    Whatever depends on the order of the scores alone (AUC, EER, PAV, DET) is read off this, so that
    trials with equal scores are never put in an order they do not have.
    """

    score: Floats
    same: Counts
    different: Counts

    @property
    def n_same(self) -> int:
        return int(self.same.sum())

    @property
    def n_different(self) -> int:
        return int(self.different.sum())

    @property
    def has_both_kinds(self) -> bool:
        return self.n_same > 0 and self.n_different > 0


def tally(same: ArrayLike, score: ArrayLike) -> Tally:
    """Count the trials of either kind at each distinct score. Scores must not be NaN."""
    is_same = np.asarray(same, dtype=bool).ravel()
    value = np.asarray(score, dtype=np.float64).ravel()
    if is_same.size != value.size:
        raise ValueError(f"{is_same.size} labels for {value.size} scores")
    if value.size == 0:
        nothing = np.zeros(0, dtype=np.int64)
        return Tally(value, nothing, nothing)
    order = np.argsort(value, kind="stable")
    value, is_same = value[order], is_same[order]
    starts = np.flatnonzero(np.r_[True, value[1:] != value[:-1]])
    at_score = np.diff(np.r_[starts, value.size])
    n_same = np.add.reduceat(is_same.astype(np.int64), starts)
    return Tally(value[starts], n_same, at_score - n_same)


def auc(same: ArrayLike, score: ArrayLike) -> float:
    """Area under the ROC curve; NaN where one kind of trial is missing."""
    return auc_of(tally(same, score))


def auc_of(counted: Tally) -> float:
    """Share of (same, different) pairs of trials put in the right order; a tie is half right."""
    if not counted.has_both_kinds:
        return float("nan")
    different_below = np.cumsum(counted.different) - counted.different
    right = counted.same @ different_below + 0.5 * (counted.same @ counted.different)
    return float(right / (counted.n_same * counted.n_different))


def roc(counted: Tally) -> tuple[Floats, Floats]:
    """False positive and false negative rates, from accepting nothing to accepting everything."""
    accepted_same = np.r_[0, np.cumsum(counted.same[::-1])]
    accepted_different = np.r_[0, np.cumsum(counted.different[::-1])]
    false_positive = accepted_different / counted.n_different
    return false_positive, 1.0 - accepted_same / counted.n_same


def eer(same: ArrayLike, score: ArrayLike) -> float:
    """Equal error rate; NaN where one kind of trial is missing."""
    return eer_of(tally(same, score))


def eer_of(counted: Tally) -> float:
    """Mean of the two error rates at the corner of the ROC curve where they are closest.

    Corners are the points that are not midway between their neighbours: what scikit-learn's
    `roc_curve` returns by default. Of the readings tried, only this one reproduces the reference
    figures for the systems of PAN 2020; interpolating along the curve gives values up to .001 away.
    """
    if not counted.has_both_kinds:
        return float("nan")
    false_positive, false_negative = roc(counted)
    counts = np.column_stack((np.cumsum(counted.same[::-1]), np.cumsum(counted.different[::-1])))
    bends = np.any(np.diff(counts, 2, axis=0) != 0, axis=1)
    if len(counts) > 2:
        corner = np.r_[True, True, bends, True]  # the origin and both ends are always kept
        false_positive, false_negative = false_positive[corner], false_negative[corner]
    closest = np.argmin(np.abs(false_positive - false_negative))
    return float((false_positive[closest] + false_negative[closest]) / 2)
