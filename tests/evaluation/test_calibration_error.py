"""ECE and MCE against an independent formula, for every kind of binning."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.evaluation import Binning, ece, mce, reliability

from .drawn import trials


def slow_gaps(same, probability, of, count):
    """(trials, gap) of every filled bin (i/count, (i+1)/count], trial by trial."""
    contents = {}
    for truth, p in zip(same.tolist(), probability.tolist(), strict=True):
        value = max(p, 1 - p) if of == "confidence" else p
        came_true = (truth == (p > 0.5)) if of == "confidence" else truth
        place = 0
        while place + 1 < count and value > (place + 1) / count:
            place += 1
        contents.setdefault(place, []).append((value, came_true))
    return [
        (len(bin_), abs(sum(v for v, _ in bin_) / len(bin_) - sum(c for _, c in bin_) / len(bin_)))
        for bin_ in contents.values()
    ]


@given(trials(both_kinds=False, smallest=1), st.sampled_from(["confidence", "probability"]))
def test_ece_and_mce_agree_with_their_definition(drawn, of):
    gaps = slow_gaps(*drawn, of, 10)
    expected = sum(n * gap for n, gap in gaps) / sum(n for n, _ in gaps)
    assert ece(*drawn, Binning(of=of)) == pytest.approx(expected, abs=1e-9)
    assert mce(*drawn, Binning(of=of)) == pytest.approx(max(gap for _, gap in gaps), abs=1e-9)


@given(trials(both_kinds=False, smallest=1), st.sampled_from(["confidence", "probability"]))
def test_adaptive_bins_never_part_equal_values_and_hold_every_trial(drawn, of):
    bins = reliability(*drawn, Binning(of=of, spacing="adaptive"))
    assert bins.count.sum() == drawn[0].size
    assert np.all(bins.upper[:-1] < bins.lower[1:])
    assert np.all(bins.lower <= bins.upper)


def test_adaptive_bins_of_distinct_values_are_equally_full():
    p = np.linspace(0.51, 0.99, 100)
    bins = reliability(np.ones(100, bool), p, Binning(spacing="adaptive"))
    assert bins.count.tolist() == [10] * 10


def test_adaptive_bins_put_equal_values_where_most_of_them_belong():
    p = (
        [0.6] * 4 + [0.7] * 4 + [0.9] * 2
    )  # ranks 4 and 5 to 7 of the 0.7s: before, after the middle
    bins = reliability(np.ones(10, bool), p, Binning(spacing="adaptive", count=2))
    assert bins.count.tolist() == [4, 6]


@given(trials(both_kinds=False, smallest=1))
def test_confidence_knows_no_sides(drawn):
    same, p = drawn
    p = np.where(p == 0.5, 0.6, p)
    mirrored = reliability(~same, 1 - p)
    assert mirrored.ece == pytest.approx(reliability(same, p).ece, abs=1e-6)


def test_non_responses_are_a_bin_of_their_own():
    bins = reliability([True, True, True, False], [0.5, 0.5, 0.51, 0.5])
    assert bins.upper.tolist() == [0.5, pytest.approx(0.6)]
    assert bins.count.tolist() == [3, 1]


def test_the_output_says_which_ece_it_is():
    assert str(Binning()) == "10 equal bins over [0, 1] of the confidence max(p, 1-p)"
    other = Binning("probability", "adaptive", 15)
    assert str(other) == "15 adaptive bins of equal size of the probability p(same author)"
