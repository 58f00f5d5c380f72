"""Intervals: they hold the truth, narrow with more trials, and pair what they compare."""

import numpy as np
import pytest
from interval_coverage import BIASED, TOLD, Answers, difference_limits, holds, limits

from samehand.evaluation import ece, score
from samehand.evaluation.bootstrap import (
    BOOTSTRAPPED,
    Bias,
    differences,
    interval,
    intervals,
    resampled_scores,
)


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


@pytest.mark.parametrize(
    "kind", [Answers("calibrated"), Answers("overstated", steepness=1.5)], ids=lambda one: one.name
)
def test_intervals_hold_the_truth_as_often_as_they_promise(kind):
    """In 150 sets of 300 trials; 95 % are promised, and 90 % are 2.8 standard errors below."""
    truth = kind.truth()
    found = np.array([limits(kind, 300, 50, seed) for seed in range(150)])
    before, now = holds(found, np.array([truth[name] for name in TOLD]))
    biased = slice(len(BIASED))
    assert np.all(now[biased] >= 0.9)
    assert np.all(before[biased] < now[biased])
    assert np.all(now[len(BIASED) :] == before[len(BIASED) :])


def test_a_difference_in_calibration_is_understated_rather_than_made_up():
    overstated = Answers("overstated", steepness=2.0)
    by = np.array([overstated.truth()[name] - Answers("right").truth()[name] for name in TOLD])
    found = np.array([difference_limits(overstated, 300, 50, seed) for seed in range(60)])
    ece_low, ece_high = found[:, TOLD.index("ece")].T
    assert np.mean(ece_low <= by[0]) >= 0.95
    assert np.mean(ece_high >= by[0]) < 0.9
    assert np.all(holds(found, by)[TOLD.index("cllr_min") :] >= 0.85)


def test_other_intervals_hold_their_score():
    same, p = simulated(500)
    scores = score(same, p)
    found = intervals(scores, resampled_scores(same, [p], 40)[:, 0], Bias.of((same, p)))
    for name in set(BOOTSTRAPPED) - set(BIASED):
        low, high = found[name]
        assert 0 <= low < scores[name] < high


def test_the_mean_ece_of_calibrated_sets_is_not_held_for_miscalibration():
    sets = [simulated(300, seed, noise=0.0) for seed in range(12)]
    names = dict.fromkeys(BOOTSTRAPPED, float("nan"))
    means = names | {"ece": np.mean([ece(*one) for one in sets])}
    assert means["ece"] > 0.03
    nothing_drawn = np.full((1, len(BOOTSTRAPPED)), np.nan)
    low, high = intervals(means, nothing_drawn, Bias.of(*sets))["ece"]
    assert low == 0 < high < means["ece"]


def test_an_interval_in_proportion_is_as_wide_as_its_estimate_is_large():
    drawn = np.linspace(0.1, 0.3, 201)
    assert interval(0.4, drawn) == pytest.approx((0.305, 0.495))
    assert interval(0.4, drawn, in_proportion=True) == pytest.approx((0.21, 0.59))
    assert interval(0.1, np.zeros(9), in_proportion=True) == (0.0, 0.1)


def test_the_interval_of_the_auc_has_the_width_theory_gives_it():
    same, p = simulated(1000)
    drawn = resampled_scores(same, [p], 300)[:, 0]
    low, high = intervals(score(same, p), drawn, Bias.of((same, p)))["auc"]
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
    scores, bias = score(same, p), Bias.of((same, p))
    found = intervals(scores, resampled_scores(same, [p], 5)[:, 0], bias)
    assert np.isnan([found["auc"], found["cllr_min"], found["cllr_cal"]]).all()
    assert not np.isnan([found["c@1"], found["ece"], found["mce"]]).any()
    assert np.isnan(bias.removed(scores)["cllr_min"])
