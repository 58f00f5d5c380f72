"""Cllr, Cllr_min, PAV and devPAV against `lir` of the Netherlands Forensic Institute."""

import math

import lir.metrics
import numpy as np
import pytest
from hypothesis import given
from lir.algorithms.isotonic_regression import IsotonicCalibrator
from lir.data.models import LLRData
from lir.metrics.devpav import devpav as lirs_devpav

from samehand.evaluation import cllr, cllr_cal, cllr_min, devpav, log_lr, pav

from .drawn import trials

LN10 = math.log(10)


def in_lirs_terms(same, natural_log_lr):
    return LLRData(features=natural_log_lr / LN10, labels=same.astype(int))


@given(trials())
def test_cllr_agrees_with_lir(drawn):
    same, p = drawn
    expected = lir.metrics.cllr(in_lirs_terms(same, log_lr(p)))
    assert cllr(same, log_lr(p)) == pytest.approx(expected, abs=1e-9)


@given(trials())
def test_cllr_min_agrees_with_lir(drawn):
    same, p = drawn
    expected = lir.metrics.cllr_min(LLRData(features=p, labels=same.astype(int)))
    assert cllr_min(same, p) == pytest.approx(expected, abs=1e-9)


@given(trials())
def test_pav_agrees_with_lir(drawn):
    same, p = drawn
    with np.errstate(divide="ignore"):
        expected = IsotonicCalibrator().fit_transform(p, same.astype(int))
    np.testing.assert_allclose(pav(same, p) / LN10, expected, atol=1e-9)


@given(trials())
def test_devpav_agrees_with_lir(drawn):
    same, p = drawn
    with np.errstate(divide="ignore"):
        expected = np.squeeze(lirs_devpav(log_lr(p) / LN10, same.astype(int)))
    np.testing.assert_allclose(devpav(same, log_lr(p)), expected, atol=1e-8)


@pytest.mark.parametrize("times", [0.5, 1.0, 2.0])
def test_devpav_is_what_a_shift_of_right_likelihood_ratios_is(times):
    same = np.array([True, False, True, True, False, False, True, False])
    right = pav(same, np.array([0, 0, 1, 1, 1, 2, 2, 2.0]) * -1)
    assert devpav(same, right + math.log(times)) == pytest.approx(abs(math.log10(times)), abs=1e-9)


@given(trials())
def test_pav_rises_with_the_score_and_can_only_lower_the_cost(drawn):
    same, p = drawn
    order = np.argsort(p, kind="stable")
    after = pav(same, p)[order]
    assert np.all(after[1:] >= after[:-1])
    assert cllr_cal(same, log_lr(p)) >= -1e-9


def test_extreme_posteriors_cost_what_the_clip_allows():
    wrong = cllr(np.array([True, False]), log_lr([0.0, 1.0]))
    assert wrong == pytest.approx(math.log2(1e6), abs=1e-5)
    assert log_lr([0.5]).tolist() == [0.0]


def test_uninformative_likelihood_ratios_cost_one_bit():
    same = np.array([True, True, False])
    assert cllr(same, np.zeros(3)) == pytest.approx(1.0)
    assert cllr_min(same, np.zeros(3)) == pytest.approx(1.0)


def test_one_kind_of_trial_alone_has_no_cost():
    assert math.isnan(cllr([True, True], [0.1, 0.2]))
    assert math.isnan(cllr_min([True, True], [0.1, 0.2]))
    assert np.isnan(pav([True, True], [0.1, 0.2])).all()
