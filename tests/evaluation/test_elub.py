"""Empirical bounds of likelihood ratios against `lir` of the Netherlands Forensic Institute."""

import numpy as np
import pytest
from lir.algorithms.bayeserror import elub as lirs_elub

from samehand.evaluation.elub import STEP, elub


def drawn(seed, n_same, n_different, separation, exaggeration=1.0):
    """Calibrated log10 LRs of two normal distributions, then overstated."""
    rng = np.random.default_rng(seed)
    same = np.r_[np.ones(n_same, bool), np.zeros(n_different, bool)]
    score = rng.normal(np.where(same, separation / 2, -separation / 2))
    return same, exaggeration * separation * score / np.log(10)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sizes", [(8, 8), (200, 300), (3000, 1000)])
@pytest.mark.parametrize("separation", [0.3, 2.0, 6.0])
@pytest.mark.parametrize("exaggeration", [0.7, 1.0, 2.5, -1.0])
def test_bounds_agree_with_lir(seed, sizes, separation, exaggeration):
    same, llr = drawn(seed, *sizes, separation, exaggeration)
    expected = lirs_elub(llr.copy(), same.astype(int))
    assert elub(same, llr) == pytest.approx(expected, abs=1e-9)


def test_infinite_likelihood_ratios_are_bounded():
    same, llr = drawn(0, 100, 100, 3.0)
    llr[same.argmax()], llr[same.argmin()] = np.inf, -np.inf
    expected = lirs_elub(llr.copy(), same.astype(int))
    assert elub(same, llr) == pytest.approx(expected, abs=1e-9)


def test_no_bound_goes_beyond_what_the_number_of_trials_allows():
    same, llr = drawn(1, 50, 500, 20.0)
    low, high = elub(same, llr)
    assert -np.log10(51) - STEP <= low < -1
    assert 1 < high <= np.log10(501) + STEP


def test_misleading_likelihood_ratios_support_nothing():
    same, llr = drawn(2, 300, 300, 2.0)
    assert elub(same, -llr) == (0.0, 0.0)


def test_both_kinds_of_trial_are_needed():
    with pytest.raises(ValueError, match="both kinds"):
        elub([True, True], [0.1, 0.2])
    with pytest.raises(ValueError, match="2 labels for 1"):
        elub([True, False], [0.1])
