"""All figures at once: a set small enough for pencil and paper, and what must never break."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given

from samehand.evaluation import score
from samehand.evaluation.scores import COUNTS, MEASURES

from .drawn import trials

SAME = [True, True, True, False, False, False]
PROBABILITY = [0.9, 0.5, 0.2, 0.1, 0.5, 0.8]

BY_HAND = {
    "auc": (3 + 1.5 + 1) / 9,  # .9 beats three; .5 beats one and ties one; .2 beats one
    "c@1": (2 + 2 * 2 / 6) / 6,  # two right, two unanswered
    "f1": 2 / (2 + 1 + 1),
    "f_05_u": 1.25 / (1.25 + 0.25 * (1 + 2) + 1),
    "brier": 1 - 2 * (0.01 + 0.25 + 0.64) / 6,
    "conf": 2 * (0.9 + 0.5 + 0.8) / 6,
    "ece": (2 * 0.1 + 2 * 0.8 + 2 * 0.0) / 6,  # .9: both right; .8: both wrong; .5: one of two
    "mce": 0.8,
    "cllr": (math.log2(1 + 1 / 9) + 1 + math.log2(1 + 4)) / 3,
    "cllr_min": 2 / 3,  # PAV: .1 → LR 0; .2, .5, .8 → LR 1; .9 → LR ∞
    "eer": 0.5,
    "n": 6,
    "n_same": 3,
    "non_responses": 2,
}


def test_every_figure_of_a_small_set_is_what_pencil_and_paper_give():
    found = score(SAME, PROBABILITY)
    assert {name: found[name] for name in BY_HAND} == pytest.approx(BY_HAND, abs=1e-12)
    five = [BY_HAND[name] for name in ("auc", "c@1", "f1", "f_05_u", "brier")]
    assert found["overall"] == pytest.approx(sum(five) / 5)
    assert found["cllr_cal"] == pytest.approx(BY_HAND["cllr"] - BY_HAND["cllr_min"])


def test_the_rule_of_2020_takes_non_responses_for_same_author():
    found = score(SAME, PROBABILITY, legacy=True)
    assert found["f_05_u"] == pytest.approx(2.5 / (2.5 + 0.25 + 2))
    assert found["c@1"] == pytest.approx(BY_HAND["c@1"])


def test_figures_come_in_the_documented_order():
    documented = "auc c@1 f1 f_05_u brier overall conf ece mce cllr cllr_min eer n n_same"
    assert list(score(SAME, PROBABILITY))[:15] == [*documented.split(), "non_responses"]


def test_perfect_answers():
    found = score([True, False], [1.0, 0.0])
    assert [found[name] for name in ("auc", "c@1", "f1", "f_05_u", "brier", "overall")] == [1.0] * 6
    assert [found[name] for name in ("ece", "mce", "cllr_min", "eer")] == [0.0] * 4
    assert found["cllr"] == pytest.approx(0.0, abs=1e-5)


@given(trials(both_kinds=False, smallest=0))
def test_no_set_of_probabilities_raises_or_warns(drawn):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = score(*drawn)
    assert list(found) == [*MEASURES, *COUNTS, "cllr_cal"]
    assert all(math.isnan(found[name]) or found[name] >= -1e-9 for name in found)


@pytest.mark.parametrize("label", [True, False])
def test_one_kind_of_trial_alone_has_no_auc_but_an_accuracy(label):
    found = score([label] * 3, [0.9, 0.8, 0.1])
    assert all(math.isnan(found[name]) for name in ("auc", "overall", "cllr", "cllr_min", "eer"))
    assert found["c@1"] == pytest.approx(2 / 3 if label else 1 / 3)


@pytest.mark.parametrize("broken", [math.nan, math.inf, -0.2, 1.01])
def test_a_diverged_model_is_not_taken_for_an_undecided_one(broken):
    found = score([True, False], [0.7, broken])
    assert all(math.isnan(found[name]) for name in MEASURES)
    assert (found["n"], found["n_same"]) == (2, 1)


def test_rounding_beyond_one_is_forgiven_and_float32_is_accepted():
    p = np.array([1.0000001, 0.25], dtype=np.float32)
    assert score(np.array([1, 0]), p)["brier"] == pytest.approx(1 - 0.0625 / 2)
