"""How to use a population is learned from pairs of authors that encoders have not met."""

import pytest
import torch
from torch.nn import functional as F

from samehand.fitting.acquaintance import judged, learn_acquaintance
from samehand.fitting.doubt import add_doubt
from samehand.fitting.impostors import add_impostors
from samehand.training.data import PairData

from .test_impostors import CONFIG, long_store, start  # noqa: F401


@pytest.fixture(scope="module")
def doubting(long_store, start):  # noqa: F811
    fitted = add_impostors(start, PairData(long_store, CONFIG), CONFIG)
    return add_doubt([fitted], [])[0]


def surprise(group, log_lr):
    of_pairs = F.binary_cross_entropy_with_logits(log_lr, group.same.double(), reduction="none")
    return float(group.weights @ of_pairs)


def test_closeness_tells_authors_apart(doubting):
    group = judged([doubting])
    assert group.weights.sum() == pytest.approx(1)
    close = group.closeness
    assert close[group.same].mean() > close[~group.same].mean() + 0.1


def test_what_is_learned_predicts_better_than_what_there_was(doubting):
    group = judged([doubting])
    weights = learn_acquaintance([doubting], [])
    assert weights.weight.shape == (2, 4)
    after = weights.log_lr(group.log_lr, group.closeness, group.amount)
    assert surprise(group, after) < surprise(group, group.log_lr)


def test_genres_left_out_count_as_much_as_known_ones(doubting):
    """Where closeness misleads elsewhere, it is believed less."""
    drawn = doubting.drawn
    misled = doubting._replace(drawn=drawn._replace(same=~drawn.same), log_lr=-doubting.log_lr)
    usual, wary = (learn_acquaintance([doubting], left) for left in ([], [misled]))
    assert wary.weight[1, 0].abs() < usual.weight[1, 0].abs() / 2


def test_several_networks_are_judged_by_their_mean(doubting):
    one, both = judged([doubting]), judged([doubting, doubting])
    assert torch.allclose(one.log_lr, both.log_lr, atol=1e-5)
    assert torch.allclose(one.closeness, both.closeness, atol=1e-5)
