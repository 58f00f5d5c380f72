"""The optimism of Cllr_min: PAV is judged by the very trials that it was fitted to.

Outcomes are drawn from a logistic calibration of the same answers, so that the right LRs are known.
By how much PAV does better on these outcomes than the right LRs, that is its optimism (Efron,
"Estimating the error rate of a prediction rule", Journal of the American Statistical Association
78, 1983).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samehand.evaluation.likelihood_ratio import cllr, cllr_min, log_lr

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

DRAWS = 50
"""Drawn sets of outcomes. Right LRs and PAV meet the same ones, so that few will do."""

_STEPS = 50
_RIDGE = 0.01
"""Keeps the coefficients finite where the two kinds of trials do not overlap."""


def pav_optimism(same: ArrayLike, probability: ArrayLike, *, seed: int = 0) -> float:
    """Expected Cllr of the right LRs minus Cllr_min, in bits; NaN where one kind is missing."""
    truth = np.asarray(same, dtype=bool).ravel()
    p = np.asarray(probability, dtype=np.float64).ravel()
    if truth.all() or not truth.any() or not np.isfinite(p).all():
        return float("nan")
    order = np.argsort(p, kind="stable")  # spares `cllr_min` the sorting
    truth, p = truth[order], p[order]
    log_odds = _logistic(truth, log_lr(p))
    posterior = _sigmoid(log_odds)
    right = log_odds - np.log(posterior.sum() / (1.0 - posterior).sum())
    generator = np.random.default_rng(seed)
    gained: list[float] = []
    while len(gained) < DRAWS:
        drawn = generator.random(p.size) < posterior
        if drawn.any() and not drawn.all():
            gained.append(cllr(drawn, right) - cllr_min(drawn, p))
    return float(np.mean(gained))


def _logistic(truth: Bools, score: Floats) -> Floats:
    """Log posterior odds by logistic regression on the score, fitted by Newton's method."""
    scale = np.abs(score).mean() or 1.0
    inputs = np.stack([np.ones_like(score), score / scale], axis=1)
    coefficients = np.zeros(2)
    for _ in range(_STEPS):
        posterior = _sigmoid(inputs @ coefficients)
        slope = inputs.T @ (truth - posterior) - _RIDGE * coefficients
        weight = (posterior * (1.0 - posterior))[:, None]
        step = np.linalg.solve((weight * inputs).T @ inputs + _RIDGE * np.eye(2), slope)
        coefficients += step.clip(-1.0, 1.0)
        if np.abs(step).max() < 1e-9:
            break
    log_odds: Floats = inputs @ coefficients
    return log_odds


def _sigmoid(log_odds: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -log_odds)), dtype=np.float64)
