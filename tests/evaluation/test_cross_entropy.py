"""Empirical cross-entropy against `lir` of the Netherlands Forensic Institute."""

import numpy as np
import pytest
from hypothesis import given
from lir.plotting.expected_calibration_error import calculate_ece

from samehand.evaluation import cllr, empirical_cross_entropy, log_lr, pav
from samehand.evaluation.cross_entropy import PRIORS

from .drawn import trials

PROBABILITIES = 1 / (1 + 10.0**-PRIORS)


@given(trials())
def test_it_agrees_with_lir(drawn):
    same, p = drawn
    for llr in (log_lr(p), pav(same, p)):
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = calculate_ece(np.exp(llr), same.astype(int), PROBABILITIES)
        ours = empirical_cross_entropy(same, llr)
        np.testing.assert_allclose(ours, expected, rtol=1e-6, atol=1e-9)


@given(trials())
def test_at_even_odds_it_is_cllr(drawn):
    same, p = drawn
    (found,) = empirical_cross_entropy(same, log_lr(p), 0.0)
    assert found == pytest.approx(cllr(same, log_lr(p)))


def test_likelihood_ratios_of_one_leave_the_entropy_of_the_prior():
    found = empirical_cross_entropy([True, False], np.zeros(2))
    entropy = -(
        PROBABILITIES * np.log2(PROBABILITIES) + (1 - PROBABILITIES) * np.log2(1 - PROBABILITIES)
    )
    np.testing.assert_allclose(found, entropy)


def test_one_kind_of_trial_alone_has_none():
    assert np.isnan(empirical_cross_entropy([True, True], [0.1, 0.2])).all()
