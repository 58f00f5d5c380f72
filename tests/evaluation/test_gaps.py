"""The test of calibration and the true ECE and MCE, on answers of which both are known."""

import numpy as np
import pytest
from hypothesis import given, settings
from interval_coverage import Answers

from samehand.evaluation import Binning, ece, reliability
from samehand.evaluation.gaps import Gaps

from .drawn import trials

CALIBRATED = Answers("calibrated")
OVERSTATED = Answers("overstated", steepness=1.5)


def answered(kind, n, seed):
    generator = np.random.default_rng(seed)
    same, log_lrs = kind.draw(n, generator)
    return same, kind.answer(log_lrs, generator)


def gaps(kind, n, seed, binning=None):
    return Gaps.of(reliability(*answered(kind, n, seed), binning or Binning()))


@pytest.mark.parametrize("binning", [Binning(), Binning("probability", "adaptive", 7)], ids=str)
@pytest.mark.parametrize("steepness", [1.0, 1.1, 1.2])
def test_the_p_value_is_that_of_drawing_the_truth_from_the_probabilities(steepness, binning):
    same, p = answered(Answers("", steepness), 300, seed=4)
    generator, found = np.random.default_rng(0), ece(same, p, binning)
    as_large = [ece(generator.random(p.size) < p, p, binning) >= found for _ in range(2000)]
    p_value = Gaps.of(reliability(same, p, binning)).p_value()
    assert p_value == pytest.approx(np.mean(as_large), abs=0.05)


def test_calibrated_answers_fail_the_test_as_often_as_chance_has_it_and_others_more_often():
    right = np.array([gaps(CALIBRATED, 200, seed).p_value() for seed in range(300)])
    assert np.mean(right < 0.05) == pytest.approx(0.05, abs=0.03)
    assert np.mean(right < 0.5) == pytest.approx(0.5, abs=0.08)
    wrong = np.array([gaps(OVERSTATED, 1000, seed).p_value() for seed in range(50)])
    assert np.mean(wrong < 0.05) > 0.9


@pytest.mark.parametrize("measure", ["ece", "mce"])
def test_the_debiased_error_is_too_large_as_often_as_too_small(measure):
    truth = OVERSTATED.truth()[measure]
    found = np.array([gaps(OVERSTATED, 300, seed).debiased(measure) for seed in range(200)])
    assert np.mean(found > truth) == pytest.approx(0.5, abs=0.1)
    plain = [getattr(reliability(*answered(OVERSTATED, 300, seed)), measure) for seed in range(200)]
    assert np.mean(np.array(plain) > truth) > 0.65


def test_the_debiased_error_of_calibrated_answers_is_0_in_one_half_of_sets():
    found = np.array([gaps(CALIBRATED, 300, seed).debiased("ece") for seed in range(200)])
    assert np.mean(found == 0) == pytest.approx(0.5, abs=0.1)
    plain = np.array([ece(*answered(CALIBRATED, 300, seed)) for seed in range(200)])
    assert found.mean() < 0.5 * plain.mean()


def test_the_interval_begins_at_0_unless_the_test_says_otherwise():
    for seed in range(20):
        one = gaps(Answers("", steepness=1.3), 300, seed)
        assert (one.interval("ece")[0] == 0) == (one.p_value() > 0.01)


def test_an_error_smaller_than_that_of_calibrated_answers_does_not_rule_out_others():
    p = np.repeat([0.6, 0.7, 0.8, 0.9], 50)
    same = np.concatenate([np.arange(50) < 50 * one for one in (0.6, 0.7, 0.8, 0.9)])
    perfect = Gaps.of(reliability(same, p))
    assert perfect.p_value() == pytest.approx(1.0)
    assert perfect.debiased("ece") == 0
    low, high = perfect.interval("ece")
    assert low == 0
    assert 0.02 < high < 0.2


@given(trials(both_kinds=False, smallest=1))
@settings(max_examples=40)
def test_intervals_of_any_answers_are_in_order(drawn):
    one = Gaps.of(reliability(*drawn))
    for measure in ("ece", "mce"):
        low, high = one.interval(measure)
        assert 0 <= low <= one.debiased(measure) <= high <= 1
