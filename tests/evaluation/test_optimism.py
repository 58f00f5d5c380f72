"""The optimism of PAV, where the right likelihood ratios are known."""

import numpy as np
import pytest
from interval_coverage import Answers

from samehand.evaluation import cllr, cllr_min
from samehand.evaluation.optimism import pav_optimism


def right_lrs(n, spread, seed):
    return Answers("", spread=spread).draw(n, np.random.default_rng(seed))


def probability(log_lrs):
    return 1 / (1 + np.exp(-log_lrs))


@pytest.mark.parametrize(("n", "spread"), [(100, 1.5), (300, 0.7), (300, 1.5), (1000, 3.0)])
def test_it_is_by_how_much_cllr_min_falls_short_of_the_cllr_of_right_lrs(n, spread):
    sets = [right_lrs(n, spread, seed) for seed in range(200)]
    short = np.mean([cllr(*one) - cllr_min(*one) for one in sets])
    found = [pav_optimism(same, probability(log_lrs)) for same, log_lrs in sets[:20]]
    assert np.mean(found) == pytest.approx(short, rel=0.1)


@pytest.mark.parametrize(("steepness", "offset"), [(0.5, 0), (2, 0), (1, 1)])
def test_it_does_not_depend_on_how_well_the_answers_are_calibrated(steepness, offset):
    same, log_lrs = right_lrs(300, 1.5, 0)
    distorted = probability(steepness * log_lrs + offset)
    as_given = pav_optimism(same, probability(log_lrs))
    assert pav_optimism(same, distorted) == pytest.approx(as_given, rel=0.02)


def test_it_does_not_depend_on_the_order_of_the_trials():
    same, log_lrs = right_lrs(100, 1.5, 0)
    mixed = np.random.default_rng(0).permutation(100)
    p = probability(log_lrs)
    assert pav_optimism(same[mixed], p[mixed]) == pytest.approx(pav_optimism(same, p))


def test_it_is_small_where_the_kinds_do_not_overlap_and_undefined_without_one_of_them():
    same = np.arange(100) % 2 == 0
    assert 0 <= pav_optimism(same, same.astype(float)) < 0.01
    assert np.isnan(pav_optimism(np.ones(5, bool), np.linspace(0.1, 0.9, 5)))
