"""Sums of exponentials, and points for integrals."""

import numpy as np
import pytest
from scipy.special import logsumexp

from samehand.scoring.numerics import log_sum_exp, normal_points


def test_log_sum_exp_is_that_of_scipy_also_where_nothing_is_left() -> None:
    values = np.random.default_rng(0).normal(scale=300, size=(4, 5))
    values[0] = -np.inf
    assert log_sum_exp(values, 1) == pytest.approx(logsumexp(values, axis=1))


def test_points_have_mean_zero_and_covariance_one_and_stay_the_same() -> None:
    points = normal_points(256, 3)
    assert points.mean(0) == pytest.approx(0, abs=1e-12)
    assert points.T @ points / 256 == pytest.approx(np.eye(3), abs=1e-12)
    assert points.tobytes() == normal_points(256, 3).tobytes()


def test_they_integrate_what_is_no_polynomial() -> None:
    """E[exp(z·a)] = exp(|a|² / 2)."""
    a = np.array([0.5, -0.3, 0.2])
    assert np.exp(normal_points(2048, 3) @ a).mean() == pytest.approx(np.exp(a @ a / 2), rel=0.01)
