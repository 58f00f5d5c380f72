"""Fitting the last stage: what is known of drawn likelihood ratios comes out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from samehand.casework.fitting import cross_validated, fit
from samehand.evaluation import cllr


def drawn(n_same: int, n_different: int, spread: float = 1.5, seed: int = 0):
    """Log likelihood ratios that are right: normal, with a mean of half their variance."""
    random = np.random.default_rng(seed)
    same = np.arange(n_same + n_different) < n_same
    middle = np.where(same, 1.0, -1.0) * spread**2 / 2
    return same, random.normal(middle, spread)


def test_right_likelihood_ratios_stay_as_they_are():
    stage = fit(*drawn(20_000, 20_000))
    assert stage.offset == pytest.approx(0, abs=0.05)
    assert stage.slope == pytest.approx(1, abs=0.05)


@given(st.floats(0.3, 4), st.floats(-2, 2))
def test_steepness_and_shift_are_undone(steepness, shift):
    same, llrs = drawn(5_000, 5_000)
    stage = fit(same, steepness * llrs + shift)
    assert stage.slope == pytest.approx(1 / steepness, rel=0.1)
    assert stage.offset == pytest.approx(-shift / steepness, abs=0.1)


@pytest.mark.parametrize("steepness", [2, 5])
def test_fifty_trials_of_a_model_that_is_too_sure_tame_it(steepness):
    for seed in range(20):
        same, llrs = drawn(50, 50, seed=seed)
        assert 0 < fit(same, steepness * llrs).slope < 1


def test_fifty_trials_do_a_good_model_no_harm():
    same, llrs = drawn(10_000, 10_000, seed=99)
    harm = [
        cllr(same, fit(*drawn(50, 50, seed=seed)).log_lrs(llrs)) - cllr(same, llrs)
        for seed in range(30)
    ]
    assert np.mean(harm) < 0.02
    assert max(harm) < 0.08


def test_it_is_logistic_regression_with_equal_weight_for_both_kinds():
    same, llrs = drawn(3_000, 9_000)
    llrs = 2 * llrs + 1
    weight = np.where(same, 0.5 / 3_000, 0.5 / 9_000) * 12_000
    model = LogisticRegression(C=np.inf).fit(llrs[:, None], same, sample_weight=weight)
    stage = fit(same, llrs)
    assert stage.slope == pytest.approx(model.coef_[0, 0], abs=2e-3)
    assert stage.offset == pytest.approx(model.intercept_[0], abs=2e-3)


def test_more_of_one_kind_does_not_tilt_it():
    same, llrs = drawn(400, 400)
    once = fit(same, llrs)
    often = np.concatenate([np.flatnonzero(same), np.repeat(np.flatnonzero(~same), 5)])
    assert fit(same[often], llrs[often]) == pytest.approx(once, abs=0.02)


@given(st.randoms())
def test_the_order_of_trials_does_not_matter(random):
    same, llrs = drawn(60, 70)
    order = list(range(130))
    random.shuffle(order)
    assert fit(same[order], llrs[order]) == pytest.approx(fit(same, llrs), abs=1e-6)


def test_kinds_that_do_not_overlap_do_not_go_to_extremes():
    same = np.arange(100) < 50
    stage = fit(same, np.where(same, 1.0, -1.0))
    assert 1 < stage.slope < 10


def test_likelihood_ratios_that_mislead_get_a_slope_below_zero():
    same, llrs = drawn(100, 100)
    assert fit(same, -llrs).slope < 0


def test_a_fold_never_sees_its_own_truth():
    same, llrs = drawn(100, 100)
    fold = np.arange(200) % 10
    altered = np.where(fold == 3, ~same, same)
    found, after = (cross_validated(truth, llrs, fold) for truth in (same, altered))
    np.testing.assert_array_equal(found[fold == 3], after[fold == 3])
    assert (found[fold != 3] != after[fold != 3]).all()
