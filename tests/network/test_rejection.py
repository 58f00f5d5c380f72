"""O2D2: what it sees, what it calls undecidable, and that it is silent where it has not learned."""

import pytest
import torch

from samehand.network.network import Scoring
from samehand.network.rejection import undecidable

from .drawn import small


@pytest.fixture
def scoring() -> Scoring:
    torch.manual_seed(0)
    return Scoring(small(doubt=True, rejection=True)).eval()


@pytest.fixture
def trials(scoring):
    levs = torch.rand(2, 8, scoring.lev_size + 1) + torch.eye(6)[5] * 5
    return levs[0], levs[1].unsqueeze(1), torch.ones(8, 1, dtype=torch.bool)


def test_the_limit_alone_decides(scoring, trials):
    with torch.no_grad():
        logits = scoring.rejection(*scoring.seen_by_rejection(*trials))
        scoring.rejection.limit.copy_(logits.median())
        assert torch.equal(scoring.consider(*trials).rejected, logits > logits.median())
        scoring.rejection.limit.fill_(float("inf"))
        assert not scoring.consider(*trials).rejected.any()


def test_it_sees_both_sides_alike(scoring, trials):
    questioned, known, there = trials
    with torch.no_grad():
        there_and_back = (
            scoring.rejection(*scoring.seen_by_rejection(*sides, there))
            for sides in ((questioned, known), (known.squeeze(1), questioned.unsqueeze(1)))
        )
        assert torch.allclose(*there_and_back, atol=1e-6)


def test_without_one_nothing_is_rejected(trials):
    assert not Scoring(small(doubt=True)).eval().consider(*trials).rejected.any()


def test_undecidable_is_what_is_decided_wrongly_or_hardly():
    p = torch.tensor([0.1, 0.1, 0.31, 0.5, 0.69, 0.71, 0.71])
    same = torch.tensor([False, True, False, True, True, True, False])
    assert undecidable(p, same).tolist() == [False, True, True, True, True, False, True]
