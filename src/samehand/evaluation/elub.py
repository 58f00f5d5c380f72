"""How far a set of validation trials can support likelihood ratios: empirical bounds (ELUB).

Vergeer, van Es, de Jongh, Alberink and Stoel, "Numerical likelihood ratios outputted by LR systems
are often based on extrapolation: when to stop extrapolating?", Science and Justice 56 (2016).
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

STEP = 0.01
"""Accuracy of the bounds, in log10 LR."""


def elub(same: ArrayLike, log10_lrs: ArrayLike) -> tuple[float, float]:
    """The lowest and the highest log10 LR that these trials can support, 0 at worst.

    At every threshold the cost of deciding by the LRs is compared with that of deciding by nothing,
    after one more trial of each kind was added that misleads as far as can be. Beyond the
    threshold, on either side of 0, where the LRs first do worse, they are not to be trusted.
    """
    is_same = np.asarray(same, dtype=bool).ravel()
    llr = np.asarray(log10_lrs, dtype=np.float64).ravel()
    if is_same.size != llr.size:
        raise ValueError(f"{is_same.size} labels for {llr.size} likelihood ratios")
    if is_same.all() or not is_same.any():
        raise ValueError("bounds need trials of both kinds, by one author and by two")
    threshold = _thresholds(llr, int(is_same.sum()), int((~is_same).sum()))
    missed = 1.0 - _share_above(llr[is_same], threshold, misleading=0)
    cost = missed + 10.0**threshold * _share_above(llr[~is_same], threshold, misleading=1)
    worse = np.minimum(1.0, 10.0**threshold) < cost  # than saying LR = 1 throughout
    low = (threshold[worse & (threshold <= 0.0)] + STEP).max(initial=threshold[0])
    high = (threshold[worse & (threshold >= 0.0)] - STEP).min(initial=threshold[-1])
    return min(float(low), 0.0), max(float(high), 0.0)


def _thresholds(llr: Floats, n_same: int, n_different: int) -> Floats:
    """From the lowest to the highest LR, but no further than the numbers of trials could carry."""
    low = max(float(llr.min()), -math.log10(n_same + 1))
    high = min(float(llr.max()), math.log10(n_different + 1))
    first, last = min(0, math.floor(low / STEP)), max(0, math.floor(high / STEP) + 1)
    return np.linspace(first * STEP, last * STEP, last - first + 1)


def _share_above(llr: Floats, threshold: Floats, misleading: int) -> Floats:
    """Share of the LRs above each threshold, with one more that is above (1) or is not (0)."""
    above = llr.size - np.searchsorted(np.sort(llr), threshold, side="right")
    return (above + misleading) / (llr.size + 1)
