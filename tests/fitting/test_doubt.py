"""Doubt and rejection learn from pairs of authors, and of genres, that encoders have not met."""

import math

import numpy as np
import pytest
import torch

from samehand.evaluation import score
from samehand.fitting.doubt import (
    Pairs,
    Weighed,
    add_doubt,
    fit,
    fit_together,
    fit_wording,
    left_out_pairs,
    own_pairs,
)
from samehand.fitting.impostors import add_impostors
from samehand.fitting.rejection import UNANSWERED, add_rejection, cheapest_limit
from samehand.network.doubt import IDENTITY, Doubt, Told, features, gain
from samehand.network.rejection import undecidable
from samehand.training.data import PairData

from .test_impostors import CONFIG, long_store, start, unseen_trials  # noqa: F401

WEIGHTS = torch.tensor([[-0.5, 0.2, 0.1, -0.2], [0.6, 0.1, -0.3, 0.2]], dtype=torch.float64)


def drawn(n: int = 20_000):
    """Log-LRs that are right once doubted by `WEIGHTS`."""
    g = torch.Generator().manual_seed(0)
    amount = math.log(400) + torch.randn(n, generator=g).double().clamp(-1.5, 1.5)
    log_lr = 3 * torch.randn(n, generator=g).double()
    doubt = Doubt().double()
    doubt.weight.copy_(WEIGHTS)
    same = torch.rand(n, generator=g).double() < torch.sigmoid(doubt(log_lr, Told(amount, None)))
    return log_lr, amount, same


def test_the_fit_finds_what_the_pairs_were_drawn_by():
    log_lr, amount, same = drawn()
    pairs = Pairs(log_lr, features(amount), same, torch.ones_like(log_lr) / len(same))
    assert (pairs.odds(fit(pairs)) - pairs.odds(WEIGHTS)).abs().mean() < 0.05


def test_members_are_as_sure_as_makes_their_mean_right():
    """Two see the same evidence, each with noise of its own: were each right, the mean is not."""
    g = torch.Generator().manual_seed(1)
    evidence = 2 * torch.randn(20_000, generator=g).double()
    same = torch.rand(20_000, generator=g) < torch.sigmoid(evidence)
    level = features(torch.full((20_000,), math.log(400), dtype=torch.float64))
    weights = torch.full((20_000,), 1 / 20_000, dtype=torch.float64)
    members = [
        Pairs(evidence + 2 * torch.randn(20_000, generator=g).double(), level, same, weights)
        for _ in range(2)
    ]

    def too_sure(fits):
        odds = [member.odds(weight) for member, weight in zip(members, fits, strict=True)]
        p = torch.sigmoid(torch.stack(odds)).mean(0)
        return float((torch.maximum(p, 1 - p) - ((p > 0.5) == same).double()).mean())

    alone = torch.stack([fit(member) for member in members])
    assert too_sure(alone) < -0.03
    assert abs(too_sure(fit_together(members, alone, 1.0)[0])) < 0.01


def test_sources_and_kinds_weigh_alike():
    same = torch.tensor([True, True, True, False, True, False, False])
    source = torch.tensor([4, 4, 4, 4, 9, 9, 9])
    pairs = Weighed(torch.zeros(7), Told(torch.zeros(7), None), same, source)
    weights = pairs.weights()
    for number in (4, 9):
        for kind in (True, False):
            assert weights[(source == number) & (same == kind)].sum() == pytest.approx(0.25)
    some = pairs.weights(source == 4)
    assert some.tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 1 / 2, 0, 0, 0])


def test_what_wording_takes_away_is_found():
    """Log-LRs that are worth less the plainer the wording; how sure all are does not matter."""
    g = torch.Generator().manual_seed(2)
    n = 40_000
    wording = torch.randn(n, 2, generator=g).double()
    log_lr = 3 * torch.randn(n, generator=g).double()
    expected = torch.tensor([-0.3, 0.1], dtype=torch.float64)
    same = torch.rand(n, generator=g).double() < torch.sigmoid(log_lr * gain(wording, expected))
    level = features(torch.full((n,), math.log(400), dtype=torch.float64))
    weights = torch.full((n,), 1 / n, dtype=torch.float64)
    pairs = Pairs(2 * log_lr, level, same, weights)
    found = fit_wording([pairs, pairs], IDENTITY.double().repeat(2, 1, 1), wording)
    assert found.tolist() == pytest.approx(expected.tolist(), abs=0.05)


@pytest.fixture(scope="module")
def fitted(long_store, start):  # noqa: F811
    return add_impostors(start, PairData(long_store, CONFIG), CONFIG)


def test_doubt_is_added_and_nothing_else_changes(long_store, fitted):  # noqa: F811
    contrary = fitted._replace(log_lr=-fitted.log_lr)  # elsewhere it is wrong
    doubting, plain = (add_doubt([fitted], elsewhere)[0] for elsewhere in ([contrary], []))
    network = doubting.network
    assert network.config.doubt
    usual = Told(torch.full((2,), math.log(400)), None)
    ends = torch.tensor([-1.0, 1.0])

    def stated(member):
        p = torch.sigmoid(member.network.scoring.doubt(ends, usual))
        return member.about["trust"] * p + (1 - member.about["trust"]) * (1 - p)

    assert stated(doubting).diff() < stated(plain).diff() - 0.02
    for name, tensor in fitted.network.state_dict().items():
        if not name.startswith(("scoring.adaptation", "scoring.doubt")):
            assert torch.equal(network.state_dict()[name], tensor)
    y1, _, _ = unseen_trials(long_store, network)
    before, _, _ = unseen_trials(long_store, fitted.network)
    assert torch.equal(y1, before)


def test_doubt_is_learned_from_whole_texts_and_short_pieces_alike(fitted):
    drawn, own = fitted.drawn, own_pairs(fitted)
    weights = own.weights()
    for kind in (drawn.whole, ~drawn.whole):
        assert weights[kind].sum() == pytest.approx(0.5)
    amount = drawn.told_of_pairs().amount
    pieces = amount[~drawn.whole].exp()
    assert pieces.max() <= 251
    assert amount[drawn.whole].exp().median() > pieces.median()


def test_pairs_of_sources_left_out_are_theirs_alone(long_store, fitted):  # noqa: F811
    [own] = np.unique(np.array(long_store.array("source"))[long_store.documents("train")]).tolist()
    name = long_store.about["sources"][own]
    config = CONFIG.model_copy(update={"leave_out": (name,)})
    found = left_out_pairs(fitted, long_store, config).drawn
    assert set(found.source.tolist()) == {own}
    assert found.same.any()
    assert not found.same.all()


def test_the_cheapest_limit_is_that_of_trying_all():
    g = torch.Generator().manual_seed(1)
    logits = torch.randn(200, generator=g)
    error = torch.rand(200, generator=g) < torch.sigmoid(2 * logits)
    weights = torch.rand(200, generator=g).double()
    weights /= weights.sum()
    limit, cost = cheapest_limit(logits, error.double(), weights)

    def cost_at(at: float) -> float:
        answered = logits <= at
        return float(weights @ torch.where(answered, error.double(), UNANSWERED))

    tried = [cost_at(at) for at in [*logits.tolist(), -99.0]]
    assert cost_at(limit.item()) == pytest.approx(min(tried)) == pytest.approx(cost)


def test_a_rejection_learns_what_goes_wrong(long_store, fitted):  # noqa: F811
    network_of = add_rejection(add_doubt([fitted], [])[0], 0)
    told = network_of.about["rejection"]
    assert 0 <= told["unanswered"] < 0.6
    scoring, same = network_of.network.scoring, network_of.drawn.same
    with torch.no_grad():
        first, second = network_of.drawn.all_levs()
        seen = scoring.seen_by_rejection(first, second.unsqueeze(1))
        wrong = undecidable(seen[2].probability, same)
        assert score(wrong.numpy(), scoring.rejection(*seen).sigmoid().numpy())["auc"] > 0.8
    again = add_rejection(add_doubt([fitted], [])[0], 0)
    assert again.about == network_of.about
