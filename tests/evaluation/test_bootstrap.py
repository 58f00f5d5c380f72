"""Intervals: they hold the estimate, narrow with more trials, and pair what they compare."""

import numpy as np
import pytest

from samehand.evaluation import score
from samehand.evaluation.bootstrap import BOOTSTRAPPED, differences, intervals, resampled_scores


def simulated(n, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    same = np.arange(n) % 2 == 0
    llr = rng.normal(np.where(same, 1.0, -1.0), np.sqrt(2)) + rng.normal(0, noise, n)
    return same, 1 / (1 + np.exp(-llr))


def test_resampling_agrees_with_drawing_the_trials_by_hand():
    same, p = simulated(80)
    drawn = resampled_scores(same, [p], 3, seed=5)
    rng = np.random.default_rng(5)
    for row in drawn:
        chosen = rng.integers(80, size=80)
        by_hand = score(same[chosen], p[chosen])
        assert row[0].tolist() == pytest.approx([by_hand[name] for name in BOOTSTRAPPED])


def test_intervals_hold_their_estimate_though_resampling_feigns_miscalibration():
    same, p = simulated(2000, noise=0.0)
    scores = score(same, p)
    drawn = resampled_scores(same, [p], 40)[:, 0]
    assert drawn[:, BOOTSTRAPPED.index("cllr_cal")].min() > scores["cllr_cal"]
    found = intervals(scores, drawn)
    for name in BOOTSTRAPPED:
        low, high = found[name]
        assert 0 <= low <= scores[name] <= high


def test_the_interval_of_the_auc_has_the_width_theory_gives_it():
    same, p = simulated(1000)
    low, high = intervals(score(same, p), resampled_scores(same, [p], 300)[:, 0])["auc"]
    area = score(same, p)["auc"]
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)  # Hanley and McNeil 1982
    variance = (area * (1 - area) + 499 * (q1 - area**2) + 499 * (q2 - area**2)) / 500**2
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(variance), rel=0.2)


def test_a_system_does_not_differ_from_itself_and_does_from_a_worse_one():
    same, p = simulated(600)
    worse = 0.5 + 0.4 * (np.random.default_rng(9).random(600) - 0.5)
    drawn = resampled_scores(same, [p, p, worse], 60)
    first, second, third = score(same, p), score(same, p), score(same, worse)
    assert differences(second, drawn[:, 1], first, drawn[:, 0])["auc"] == (0.0, 0.0, 0.0)
    by, low, high = differences(third, drawn[:, 2], first, drawn[:, 0])["auc"]
    assert low <= by <= high < 0


def test_measures_without_a_value_have_no_interval():
    same, p = np.array([True, True, True]), np.array([0.4, 0.6, 0.9])
    found = intervals(score(same, p), resampled_scores(same, [p], 5)[:, 0])
    assert np.isnan(found["auc"]).all()
    assert not np.isnan(found["c@1"]).any()
