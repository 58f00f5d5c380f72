"""Cost of likelihood ratios and its two parts, discrimination and calibration.

Brümmer and du Preez, "Application-independent evaluation of speaker detection", Computer Speech and
Language 20 (2006). All log likelihood ratios are natural logarithms.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samehand.evaluation.discrimination import Tally, tally

Floats = NDArray[np.float64]

CLIP = 1e-6
"""Probabilities are kept this far from 0 and 1 before they become likelihood ratios."""


def log_lr(probability: ArrayLike) -> Floats:
    """Log likelihood ratio of a posterior given at a prior of 1:1, that is its log odds."""
    p = np.clip(np.asarray(probability, dtype=np.float64), CLIP, 1.0 - CLIP)
    return np.asarray(np.log(p) - np.log1p(-p), dtype=np.float64)


def cllr(same: ArrayLike, log_lrs: ArrayLike) -> float:
    """Log likelihood ratio cost in bits; NaN where one kind of trial is missing.

    0 is perfect, 1 is what "LR = 1" for every trial costs; above 1 the LRs mislead.
    """
    is_same = np.asarray(same, dtype=bool).ravel()
    llr = np.asarray(log_lrs, dtype=np.float64).ravel()
    if is_same.all() or not is_same.any():
        return float("nan")
    cost_same = np.logaddexp2(0.0, -llr[is_same] / np.log(2)).mean()
    cost_different = np.logaddexp2(0.0, llr[~is_same] / np.log(2)).mean()
    return float((cost_same + cost_different) / 2)


def pav(same: ArrayLike, score: ArrayLike) -> Floats:
    """Log likelihood ratio of every trial after optimal monotone calibration of its score.

    Pool adjacent violators. Infinite at the ends, where only one kind of trial occurs; NaN
    throughout where one kind is missing altogether.
    """
    counted = tally(same, score)
    position = np.searchsorted(counted.score, np.asarray(score, dtype=np.float64).ravel())
    return pav_of(counted)[position]


def pav_of(counted: Tally) -> Floats:
    """Log likelihood ratio after PAV, one for each distinct score."""
    if not counted.has_both_kinds:
        return np.full(counted.score.size, np.nan)
    same, different = counted.same, counted.different
    sizes = np.ones(same.size, np.int64)
    while True:
        share = same / (same + different)
        begins = np.flatnonzero(np.r_[True, share[1:] > share[:-1]])
        if begins.size == share.size:
            break
        same, different, sizes = (
            np.add.reduceat(of_blocks, begins) for of_blocks in (same, different, sizes)
        )
    with np.errstate(divide="ignore"):
        llr = np.log(same / counted.n_same) - np.log(different / counted.n_different)
    return np.repeat(llr, sizes)


def cllr_min(same: ArrayLike, score: ArrayLike) -> float:
    """Cllr after PAV: the part of the cost that no calibration of these scores could remove."""
    return cllr_min_of(tally(same, score))


def cllr_min_of(counted: Tally) -> float:
    if not counted.has_both_kinds:
        return float("nan")
    llr = pav_of(counted)
    for_same, for_different = counted.same > 0, counted.different > 0
    cost_same = np.logaddexp2(0.0, -llr[for_same] / np.log(2)) @ counted.same[for_same]
    cost_different = (
        np.logaddexp2(0.0, llr[for_different] / np.log(2)) @ counted.different[for_different]
    )
    return float((cost_same / counted.n_same + cost_different / counted.n_different) / 2)


def cllr_cal(same: ArrayLike, log_lrs: ArrayLike) -> float:
    """The part of Cllr that better calibration would remove: Cllr - Cllr_min."""
    return cllr(same, log_lrs) - cllr_min(same, log_lrs)


def devpav(same: ArrayLike, log_lrs: ArrayLike) -> float:
    """How far LRs lie from what PAV makes of them: the mean difference in log10 LR.

    The mean is over the range of the log10 LRs that PAV leaves finite, with straight lines between
    them; NaN where there are none. Vergeer and others, "Measuring calibration of likelihood-ratio
    systems", Forensic Science International 321 (2021).
    """
    counted = tally(same, log_lrs)
    after = pav_of(counted)
    finite = np.isfinite(after)
    if not finite.any():
        return float("nan")
    given = counted.score[finite] / np.log(10)
    off = after[finite] / np.log(10) - given
    if given.size == 1:
        return float(abs(off[0]))
    return float(_area(given, off) / (given[-1] - given[0]))


def _area(x: Floats, y: Floats) -> float:
    """Area between the axis and straight lines through points, wherever they cross it."""
    one, other = np.abs(y[:-1]), np.abs(y[1:])
    crosses = y[:-1] * y[1:] < 0
    total = one + other
    crossed = (np.square(one) + np.square(other)) / np.where(total > 0, total, 1.0)
    return float((np.where(crosses, crossed, total) / 2) @ np.diff(x))
