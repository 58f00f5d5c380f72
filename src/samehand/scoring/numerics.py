"""Sums of exponentials, and the fixed points by which integrals are taken."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def log_sum_exp(values: Floats, axis: int) -> Floats:
    """log Σ exp along an axis; −∞ where all values are."""
    most = values.max(axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0)
    with np.errstate(divide="ignore"):
        summed: Floats = np.log(np.exp(values - most).sum(axis))
    return summed + most.squeeze(axis)


def normal_points(n: int, dimensions: int) -> Floats:
    """Points (n, dimensions) that stand for a standard normal distribution, the same each time.

    They are the additive recurrence with the powers of the generalised golden ratio, which spreads
    evenly over the unit cube, through the inverse normal distribution; then they are shifted and
    scaled, so that their mean is 0 and their covariance 1 exactly.
    """
    ratio = 1.5
    for _ in range(64):
        ratio = (1.0 + ratio) ** (1.0 / (dimensions + 1))
    steps = ratio ** -np.arange(1.0, dimensions + 1)
    unit = (0.5 + np.arange(1, n + 1)[:, None] * steps) % 1.0
    inverse = NormalDist().inv_cdf
    points = np.array([[inverse(float(p)) for p in row] for row in unit])
    points -= points.mean(0)
    root = np.linalg.cholesky(points.T @ points / n)
    whitened: Floats = np.linalg.solve(root, points.T).T
    return whitened
