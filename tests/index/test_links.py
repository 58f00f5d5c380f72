"""Accounts are joined from the strongest evidence on, and never against the evidence of a pair."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.index.links import Group, Pairs, PairScores, groups, pair_prior
from samehand.scoring.abstention import LEAST

N = 8
MATRICES = st.lists(st.floats(-3, 3), min_size=N * N, max_size=N * N)


def symmetric(values: list[float]) -> np.ndarray:
    square = np.array(values).reshape(N, N)
    return np.triu(square, 1) + np.triu(square, 1).T


def joined(evidence: np.ndarray, least: float, pairs: Pairs | None = None) -> list[Group]:
    """Groups by a matrix of log LRs; pairs that are not given are asked for."""

    def score(asked: Pairs) -> PairScores:
        found = evidence[asked.one, asked.other]
        return PairScores(found.clip(-2, 2), found)

    every = Pairs.of(*np.triu_indices(len(evidence), 1)) if pairs is None else pairs
    return groups(every, score(every), score, pair_prior(0.1, len(evidence)), least)


@given(MATRICES, st.floats(0.5, 2))
def test_no_group_holds_a_pair_with_evidence_against(values: list[float], least: float) -> None:
    evidence = symmetric(values)
    found = joined(evidence, least)
    members = [account for group in found for account in group.accounts]
    assert len(members) == len(set(members))  # nobody is in two groups
    for group in found:
        assert len(group.links) == math.comb(len(group.accounts), 2)
        assert all(link.log_lr > -LEAST for link in group.links)
        assert max(link.log_lr for link in group.links) >= least


@given(MATRICES, st.floats(0.5, 2), st.randoms(use_true_random=False))
def test_groups_do_not_depend_on_the_order_of_pairs(values, least, random) -> None:  # type: ignore[no-untyped-def]
    evidence = symmetric(values)
    every = Pairs.of(*np.triu_indices(N, 1))
    order = list(range(len(every.one)))
    random.shuffle(order)
    shuffled = every.at(np.array(order))
    if len(np.unique(evidence[every.one, every.other])) == len(order):  # without ties
        assert joined(evidence, least) == joined(evidence, least, shuffled)


def test_two_that_speak_against_each_other_are_not_joined_through_a_third() -> None:
    evidence = np.zeros((3, 3))
    evidence[0, 1] = evidence[1, 0] = 1.9
    evidence[1, 2] = evidence[2, 1] = 1.8
    evidence[0, 2] = evidence[2, 0] = -1.0
    (group,) = joined(evidence, 1.0)
    assert group.accounts == (0, 1)
    assert [(link.one, link.other) for link in group.refused] == [(1, 2)]
    assert joined(evidence.clip(1.5), 1.0)[0].accounts == (0, 1, 2)


def test_a_pair_that_was_no_candidate_is_compared_before_it_is_joined() -> None:
    evidence = np.full((3, 3), -1.0)
    evidence[0, 1] = evidence[1, 0] = evidence[1, 2] = evidence[2, 1] = 1.9
    candidates = Pairs(np.array([0, 1]), np.array([1, 2]))
    assert joined(evidence, 1.0, candidates)[0].accounts == (0, 1)


def test_a_weak_pair_across_keeps_groups_apart() -> None:
    evidence = np.full((4, 4), 0.0)
    for one, other in ((0, 1), (2, 3), (1, 2)):
        evidence[one, other] = evidence[other, one] = 1.9
    assert [group.accounts for group in joined(evidence, 1.0)] == [(0, 1), (2, 3)]


def test_expected_precision_is_what_comes_true() -> None:
    """Pairs of 400 accounts, a tenth of which have a second one; scores N(±1, 1)."""
    rng = np.random.default_rng(0)
    n, true, expected, listed = 400, 0, 0.0, 0
    for _ in range(30):
        person = np.arange(n)
        second = rng.random(n // 2) < 0.1 / (2 - 0.1)
        person[1::2][second] = person[::2][second]
        one, other = np.triu_indices(n, 1)
        same = person[one] == person[other]
        log_lr = 6 * rng.normal(np.where(same, 3, -3), 1)
        prior = pair_prior(same.sum() * 2 / n, n)
        probability = prior.probability(log_lr)
        chosen = (probability > 0.05) & (probability < 0.95)
        true, expected = true + same[chosen].sum(), expected + probability[chosen].sum()
        listed += chosen.sum()
    assert true / listed == pytest.approx(expected / listed, abs=0.08)


def test_a_pair_is_as_likely_as_its_prior_says() -> None:
    prior = pair_prior(0.1, 1_001)
    assert prior.probability(np.zeros(1))[0] == pytest.approx(1e-4)
    assert prior.probability(np.log([13.0]))[0] == pytest.approx(13e-4, rel=2e-3)
    assert pair_prior(1.0, 2).probability(np.zeros(1))[0] == pytest.approx(1)


@pytest.mark.parametrize("share", [0.0, -1.0, 1.1, math.nan])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="share of accounts"):
        pair_prior(share, 10)
