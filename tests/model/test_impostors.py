"""Distances in units of those to impostors."""

import numpy as np
import pytest
import torch

from samehand.model.impostors import NEAREST, Impostors, unbend
from samehand.model.network import Scoring

from .drawn import small


def impostors(n, size=4, seed=0):
    torch.manual_seed(seed)
    made = Impostors(n, size)
    torch.nn.init.normal_(made.vectors)
    return made


@pytest.mark.parametrize("n", [1, NEAREST - 1, NEAREST, 40])
def test_nearness_is_the_mean_of_the_smallest_squared_distances(n):
    made = impostors(n)
    x = torch.randn(7, 4)
    for row, found in zip(x.double().numpy(), made.nearness(x).tolist(), strict=True):
        distances = sorted(
            float(((row - other) ** 2).sum()) for other in made.vectors.double().numpy()
        )
        assert found == pytest.approx(np.mean(distances[:NEAREST]), rel=1e-4)


def test_texts_of_the_same_author_are_no_impostors():
    made = impostors(40)
    x = made.vectors[:5].clone()  # each its own nearest
    other = torch.ones(5, 40, dtype=torch.bool)
    other[range(5), range(5)] = False
    for i, found in enumerate(made.nearness(x, other).tolist()):
        rest = impostors(39)
        rest.vectors.copy_(made.vectors[[j for j in range(40) if j != i]])
        assert found == pytest.approx(rest.nearness(x[i : i + 1]).item(), rel=1e-4)
    assert (made.nearness(x) < made.nearness(x, other)).all()


def test_unbending_undoes_the_tanh_within_bounds():
    x = torch.linspace(-2.9, 2.9, 31)
    assert torch.allclose(unbend(torch.tanh(x)), x, atol=1e-4)
    assert torch.isfinite(unbend(torch.tensor([-1.0, 1.0]))).all()


@pytest.fixture
def scoring():
    torch.manual_seed(1)
    made = Scoring(small(impostors=30, bfs_activation="none")).eval()
    assert made.impostors is not None
    torch.nn.init.normal_(made.impostors.vectors)
    torch.nn.init.normal_(made.adaptation.confusion.weight)
    return made


def levs(*shape, seed=2):
    return torch.tanh(torch.randn(*shape, 5, generator=torch.Generator().manual_seed(seed)))


@torch.no_grad()
def test_the_ratio_falls_with_the_distance_in_units_of_impostors(scoring):
    """By hand: log-LR = offset − slope · d² / mean nearness of both."""
    scoring.bayes.covariances.start_isotropic(1.5, 0.8)
    y1, y2 = levs(2, 6).unbind()
    v1, v2 = (scoring.bayes.reduction(torch.atanh(y.clamp(-0.995, 0.995))) for y in (y1, y2))
    near = (scoring.impostors.nearness(v1) + scoring.impostors.nearness(v2)) / 2
    expected = 1.5 - 0.8 * (v1 - v2).square().sum(1) / near
    found = scoring.log_lr_known(y1, y2[:, None], None)
    assert torch.allclose(found, expected, atol=1e-4)
    assert torch.allclose(scoring(y1, y2)[0], torch.sigmoid(expected), atol=1e-4)
    assert torch.allclose(scoring.log_lr_known(y2, y1[:, None], None), found, atol=1e-4)


@torch.no_grad()
def test_one_known_text_is_a_pair(scoring):
    y1, y2 = levs(2, 6).unbind()
    there = torch.ones(6, 1, dtype=torch.bool)
    log_lr = scoring.log_lr_known(y1, y2[:, None], there)
    bfs, ual = scoring(y1, y2)
    assert torch.allclose(torch.sigmoid(log_lr), bfs, atol=1e-6)
    assert torch.allclose(scoring.verify(y1, y2[:, None], there), ual, atol=1e-6)


@torch.no_grad()
def test_rows_without_a_text_do_not_matter(scoring):
    questioned, known = levs(4), levs(4, 3, seed=5)
    padded = torch.cat([known, levs(4, 2, seed=6)], 1)
    there = torch.arange(5).expand(4, 5) < 3
    whole = scoring.log_lr_known(questioned, known, None)
    assert torch.allclose(scoring.log_lr_known(questioned, padded, there), whole, atol=1e-5)
    answers = (
        scoring.verify(questioned, padded, there),
        scoring.verify(questioned, known, there[:, :3]),
    )
    assert torch.allclose(*answers, atol=1e-6)
    shuffled = known[:, [2, 0, 1]]
    assert torch.allclose(scoring.log_lr_known(questioned, shuffled, None), whole, atol=1e-5)


@torch.no_grad()
def test_with_more_text_impostors_count_less():
    """By hand: the distance in units of nearness up to 60 tokens, in one constant from 900 on."""
    torch.manual_seed(1)
    settings = {"bfs_activation": "none", "impostors_fade": 900, "doubt": True}
    scoring = Scoring(small(impostors=31, **settings)).eval()
    torch.nn.init.normal_(scoring.impostors.vectors)
    scoring.bayes.covariances.start_isotropic(1.5, 0.8)
    y1, y2 = levs(2, 6).unbind()
    v1, v2 = (scoring.bayes.reduction(torch.atanh(y.clamp(-0.995, 0.995))) for y in (y1, y2))
    near = (scoring.impostors.nearness(v1) + scoring.impostors.nearness(v2)) / 2
    own = torch.cdist(scoring.impostors.vectors, scoring.impostors.vectors).square()
    typical = own.fill_diagonal_(torch.inf).topk(NEAREST, largest=False).values.mean(1).median()
    tokens = torch.tensor([20.0, 60.0, 60.0 * 15**0.5, 60.0 * 15**0.5, 900.0, 5_000.0])
    share = torch.tensor([1.0, 1.0, 0.5, 0.5, 0.0, 0.0])
    unit = near**share * typical ** (1 - share)
    expected = 1.5 - 0.8 * (v1 - v2).square().sum(1) / unit
    short, long = tokens.log()[:, None], torch.full((6, 1), 8.0)
    for one, other in ((short, long), (long, short)):  # the shorter text decides
        sides = torch.cat([y1, one], 1), torch.cat([y2, other], 1)[:, None]
        assert torch.allclose(scoring.log_lr_known(*sides, None), expected, atol=1e-4)


@pytest.mark.parametrize(("fade", "doubt"), [(900, False), (60, True)])
def test_a_fade_needs_the_amount_of_text_and_room(fade, doubt):
    with pytest.raises(ValueError, match="impostors_fade"):
        small(impostors=30, impostors_fade=fade, doubt=doubt)
