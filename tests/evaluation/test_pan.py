"""PAN's measures against slow formulas and scikit-learn; worked examples are in test_scores."""

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import brier_score_loss, f1_score

from samehand.evaluation import brier, c_at_1, f1, f_05_u

from .drawn import trials


def slow_c_at_1(same, probability):
    right = unanswered = 0
    for truth, p in zip(same, probability, strict=True):
        if p == 0.5:
            unanswered += 1
        elif (p > 0.5) == truth:
            right += 1
    n = len(same)
    return 1 / n * (right + unanswered * right / n)


def slow_f_05_u(same, probability, legacy):
    hit = missed = false = 0
    for truth, p in zip(same, probability, strict=True):
        if p == 0.5 and not legacy:
            missed += 1  # whichever kind of trial it is
        elif p >= 0.5:
            hit, false = hit + truth, false + (not truth)
        elif truth:
            missed += 1
    whole = 1.25 * hit + 0.25 * missed + false
    return 1.25 * hit / whole if whole else 0.0


@given(trials(both_kinds=False))
def test_c_at_1_agrees_with_its_definition(drawn):
    assert c_at_1(*drawn) == pytest.approx(slow_c_at_1(*drawn), abs=1e-12)


@given(trials(both_kinds=False))
def test_f_05_u_agrees_with_its_definition_by_either_rule(drawn):
    assert f_05_u(*drawn) == pytest.approx(slow_f_05_u(*drawn, legacy=False), abs=1e-12)
    assert f_05_u(*drawn, legacy=True) == pytest.approx(slow_f_05_u(*drawn, legacy=True), abs=1e-12)


@given(trials(both_kinds=False))
def test_f1_and_brier_agree_with_scikit_learn(drawn):
    same, p = drawn
    answered = p != 0.5
    expected = f1_score(same[answered], p[answered] > 0.5, zero_division=0) if any(answered) else 0
    assert f1(same, p) == pytest.approx(expected, abs=1e-12)
    expected = 1 - brier_score_loss(same, p, pos_label=True)
    assert brier(same, p) == pytest.approx(expected, abs=1e-12)


def test_the_rules_of_f_05_u_differ_only_by_non_responses():
    same = np.array([True, True, False, False])
    answered = np.array([0.9, 0.2, 0.8, 0.1])
    assert f_05_u(same, answered) == f_05_u(same, answered, legacy=True)
    left_out = np.array([0.9, 0.5, 0.5, 0.1])
    assert f_05_u(same, left_out) == pytest.approx(1.25 / (1.25 + 0.25 * 2))
    assert f_05_u(same, left_out, legacy=True) == pytest.approx(2.5 / (2.5 + 1))
