"""AUC and EER against scikit-learn, ties and extremes included."""

import math

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import roc_auc_score, roc_curve

from samehand.evaluation import auc, eer
from samehand.evaluation.discrimination import roc, tally

from .drawn import trials


@given(trials())
def test_auc_agrees_with_scikit_learn(drawn):
    assert auc(*drawn) == pytest.approx(roc_auc_score(*drawn), abs=1e-12)


@given(trials())
def test_eer_is_read_off_scikit_learns_curve(drawn):
    false_positive, true_positive, _ = roc_curve(*drawn)
    gap = np.abs(false_positive - (1 - true_positive))
    candidates = (false_positive + 1 - true_positive)[np.isclose(gap, gap.min())] / 2
    assert np.isclose(candidates, eer(*drawn)).any()


@given(trials())
def test_the_order_of_the_trials_and_the_scale_of_the_scores_do_not_matter(drawn):
    same, p = drawn
    assert auc(same[::-1], 3 * p[::-1] - 7) == pytest.approx(auc(same, p), abs=1e-12)
    assert eer(same[::-1], 3 * p[::-1] - 7) == pytest.approx(eer(same, p), abs=1e-12)


def test_a_tally_keeps_equal_scores_together():
    counted = tally([True, False, True, False], [0.5, 0.5, 0.9, 0.1])
    assert counted.score.tolist() == [0.1, 0.5, 0.9]
    assert counted.same.tolist() == [0, 1, 1]
    assert counted.different.tolist() == [1, 1, 0]
    false_positive, false_negative = roc(counted)
    assert false_positive.tolist() == [0, 0, 0.5, 1]
    assert false_negative.tolist() == [1, 0.5, 0, 0]


@pytest.mark.parametrize("same", [[], [True], [False, False]])
def test_one_kind_of_trial_alone_has_neither_auc_nor_eer(same):
    assert math.isnan(auc(same, [0.3] * len(same)))
    assert math.isnan(eer(same, [0.3] * len(same)))


def test_labels_and_scores_must_match():
    with pytest.raises(ValueError, match="2 labels for 1 scores"):
        auc([True, False], [0.5])
