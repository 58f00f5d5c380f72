"""Exact intervals of proportions against scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from samehand.evaluation.proportion import exact_interval


@given(st.integers(1, 5_000), st.floats(0, 1), st.sampled_from([0.9, 0.95, 0.99]))
def test_the_interval_is_that_of_scipy(n: int, share: float, level: float) -> None:
    count = round(share * n)
    expected = binomtest(count, n).proportion_ci(level)
    assert exact_interval(count, n, level) == pytest.approx(expected, abs=1e-9)
