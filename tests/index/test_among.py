"""N candidates at most one of whom wrote it: probabilities are Bayes's, and few wrong are named."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.index.among import FalseRate, among, posterior
from samehand.model.folder import read_model
from samehand.verdict import UNDECIDED, probability_of
from samehand.verifier import PACKAGED

LOG_LRS = st.lists(st.floats(-6, 6), min_size=1, max_size=30)
SHARES = st.floats(0.01, 0.99)


@given(LOG_LRS, st.integers(0, 10**6), SHARES)
def test_probabilities_sum_to_1_and_keep_the_order(
    log_lr: list[float], others: int, none: float
) -> None:
    found = posterior(log_lr, len(log_lr) + others, prior_of_none=none)
    assert found.candidates.sum() + found.others + found.none == pytest.approx(1)
    order = np.argsort(log_lr)
    assert (np.diff(found.candidates[order]) >= 0).all()


@given(st.floats(-6, 6), SHARES)
def test_one_candidate_is_a_verdict_at_prior_odds(log_lr: float, none: float) -> None:
    found = posterior([log_lr], prior_of_none=none)
    odds = (1 - none) / none
    assert found.candidates[0] == pytest.approx(
        probability_of(log_lr / math.log(10) + math.log10(odds))
    )


@given(st.lists(st.tuples(st.floats(-6, 6), st.floats(0.01, 1)), min_size=1, max_size=20), SHARES)
def test_it_is_the_rule_of_bayes(scored: list[tuple[float, float]], none: float) -> None:
    log_lr, weight = np.array(scored).T
    prior = weight / weight.sum() * (1 - none)
    joint = [p * math.exp(x) for p, x in zip(prior, log_lr, strict=True)]
    found = posterior(log_lr, prior_of_none=none, prior=prior)
    assert found.candidates == pytest.approx(np.array(joint) / (sum(joint) + none))


def test_probabilities_hold_where_somebody_of_seven_or_nobody_wrote_it() -> None:
    """Drawn from the model: scores N(1, 1) of the author, N(−1, 1) of others."""
    rng = np.random.default_rng(0)
    trials, n, none = 40_000, 7, 0.3
    author = np.where(rng.random(trials) < none, n, rng.integers(0, n, trials))
    score = rng.normal(-1, 1, (trials, n))
    wrote = author < n
    score[wrote, author[wrote]] += 2
    each = [posterior(2 * one, prior_of_none=none) for one in score]  # log LR of N(±1, 1)
    given_ = np.array([[*found.candidates, found.none] for found in each])
    is_it = author[:, None] == np.arange(n + 1)
    for low in np.arange(0, 1, 0.1):
        inside = (low <= given_) & (given_ < low + 0.1)
        assert is_it[inside].mean() == pytest.approx(given_[inside].mean(), abs=0.02)


def test_an_lr_of_13_singles_nobody_out_of_a_million() -> None:
    found = posterior([math.log(13)], 1_000_000)
    assert found.candidates[0] == pytest.approx(13 / 2e6, rel=1e-4)
    assert found.none == pytest.approx(0.5, rel=1e-4)


@pytest.mark.parametrize(
    "impossible",
    [
        {"n": 1},
        {"n": 0},
        {"prior_of_none": -0.1},
        {"prior_of_none": math.nan},
        {"prior": [0.5, 0.5]},
        {"prior": [0.7, -0.2]},
        {"prior": [0.1, 0.1]},
    ],
)
def test_what_is_no_prior_is_refused(impossible: dict[str, object]) -> None:
    with pytest.raises(InputError):
        posterior([0.0, 1.0], **impossible)  # type: ignore[arg-type]


RATES = st.builds(
    lambda ranks, highest: FalseRate(tuple(sorted(ranks)), highest),
    st.one_of(st.just([]), st.lists(st.floats(-3, 3), min_size=2, max_size=40)),
    st.floats(0.3, 4),
)


@given(RATES, st.integers(1, 10**6), st.floats(0.01, 100))
def test_no_more_wrong_candidates_reach_the_threshold_than_are_expected(
    rate: FalseRate, n: int, expect_false: float
) -> None:
    threshold = rate.threshold(n, expect_false)
    if threshold is None:
        assert n > rate.most_candidates(expect_false)
    else:
        assert UNDECIDED <= threshold <= rate.highest + 1e-9
        assert n * rate.at(threshold) <= expect_false * (1 + 1e-6)
    lower = 0.0 if threshold is None else threshold - 1e-6
    if lower >= UNDECIDED:  # and no lower one would do
        assert n * rate.at(lower) > expect_false * (1 - 1e-4)


def test_wrong_candidates_of_validation_are_counted() -> None:
    """Ranks of 100,000 LRs promise no less than what is found among 100,000 others."""
    rng = np.random.default_rng(1)
    log10 = rng.normal(-0.9, 1, (2, 100_000)) / math.log(10) * 1.3
    rate = FalseRate(tuple(np.quantile(log10[0], np.linspace(0, 1, 101))), 1.1)
    for threshold in (-0.5, 0.0, 0.3, 0.7, 1.0):
        assert (log10[1] >= threshold).mean() <= rate.at(threshold) * 1.03 + 1e-3


def test_the_packaged_model_names_somebody_among_a_hundred_at_most() -> None:
    rate = FalseRate.of(read_model(PACKAGED).description)
    top = math.log(13.5)
    few, many, crowd = (among([top, 0.0], rate, n) for n in (20, 100, 1_000_000))
    assert few.named.tolist() == many.named.tolist() == [True, False]
    assert few.threshold is not None
    assert many.threshold is not None
    assert few.threshold < many.threshold
    assert crowd.threshold is None
    assert not crowd.named.any()
    assert crowd.most_candidates == 100
    assert "Nobody can be named: among 1,000,000 candidates" in crowd.sentence
    assert "1 of 20 candidates reaches" in few.sentence
    assert among([0.0], rate, 20).sentence.startswith("Nobody can be named: no candidate reaches")
    assert crowd.as_dict()["log10_lr_threshold"] is None


def test_without_validation_an_lr_promises_its_inverse() -> None:
    rate = FalseRate((), 2.0)
    assert rate.at(1.0) == pytest.approx(0.1)
    assert rate.threshold(50) == pytest.approx(math.log10(50))
    assert rate.threshold(101) is None
    assert rate.most_candidates() == 100


def test_a_number_of_wrong_candidates_is_above_0() -> None:
    with pytest.raises(InputError, match="above 0"):
        FalseRate((), 2.0).threshold(10, 0)
