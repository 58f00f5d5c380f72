"""Distances in units of those to impostors of the nearest kind."""

import math

import numpy as np
import pytest
import torch

from samehand.network.impostors import Impostors, apart, unbend
from samehand.network.network import Scoring

from .drawn import small

UNBENT = math.atanh(0.97)


def impostors(n, size=4, seed=0, kinds=3):
    torch.manual_seed(seed)
    made = Impostors(n, size)
    torch.nn.init.normal_(made.vectors)
    made.kinds.copy_(torch.arange(n) % kinds)
    made.vectors.add_(made.kinds[:, None] * 2.0)
    return made


def near_by_hand(row, vectors, kinds):
    """Of each kind: mean of the nearest quarter of squared distances."""
    found = []
    for kind in np.unique(kinds):
        distances = sorted(((row - other) ** 2).sum() for other in vectors[kinds == kind])
        found.append(np.mean(distances[: max(1, round(len(distances) / 4))]))
    return np.array(found)


def usual_by_hand(vectors, kinds):
    """Of each kind mean and deviation of the logarithm of nearness among its own texts."""
    of_kinds = []
    for kind in np.unique(kinds):
        own = vectors[kinds == kind]
        squared = ((own[:, None] - own) ** 2).sum(2)
        np.fill_diagonal(squared, np.inf)
        n = max(1, round(len(own) / 4))
        near = np.log(np.sort(squared, 1)[:, :n].mean(1))
        of_kinds.append((near.mean(), near.std(ddof=1)))
    return np.array(of_kinds)


@pytest.mark.parametrize("sizes", [(15, 15, 15), (30, 12, 3)])  # one smaller than a quarter of 30
def test_nearness_is_that_to_the_nearest_kind_and_no_larger_than_usual_within_it(sizes):
    made = impostors(45)
    made.kinds.copy_(torch.arange(3).repeat_interleave(torch.tensor(sizes)))
    vectors, kinds = made.vectors.double().numpy(), made.kinds.numpy()
    mean, deviation = usual_by_hand(vectors, kinds).T
    largest = np.exp(mean + 0.5 * deviation)
    x = torch.cat([torch.randn(7, 4), made.vectors[:7] + 0.01, torch.full((1, 4), 50.0)])
    strangers = 0
    for row, found in zip(x.double().numpy(), made.nearness(x).tolist(), strict=True):
        near = near_by_hand(row, vectors, kinds)
        kind = near.argmin()
        strangers += near[kind] > largest[kind]
        assert found == pytest.approx(min(near[kind], largest[kind]), rel=1e-4)
    assert 1 <= strangers < len(x)


def test_texts_of_the_same_author_are_no_impostors():
    made = impostors(40, kinds=1)
    x = made.vectors[:5].clone()  # each its own nearest
    other = torch.ones(5, 40, dtype=torch.bool)
    other[range(5), range(5)] = False
    squared = torch.cdist(x, made.vectors).square().masked_fill(~other, torch.inf)
    limit = made.nearness(torch.full((1, 4), 90.0))
    expected = torch.minimum(squared.sort(1).values[:, :10].mean(1), limit)
    assert torch.allclose(made.nearness(x, other), expected, rtol=1e-4)
    assert (made.nearness(x) < made.nearness(x, other)).any()


def test_unbending_undoes_the_tanh_within_bounds():
    x = torch.linspace(-2.0, 2.0, 31)
    assert torch.allclose(unbend(torch.tanh(x)), x, atol=1e-4)
    assert unbend(torch.tensor([-1.0, 1.0])).tolist() == pytest.approx([-UNBENT, UNBENT])


def test_distances_count_less_than_in_proportion():
    """By hand: log(1 + 0.3 · d / unit), where the unit is nearness to the power of 0.4."""
    made = impostors(45)
    mean, _ = usual_by_hand(made.vectors.double().numpy(), made.kinds.numpy()).T
    near = torch.tensor([0.5, 1.0, 2.0, 2.0])
    d = torch.tensor([0.7, 3.0, 40.0, 0.0])
    unit = math.exp(np.median(mean)) ** 0.6 * near**0.4
    measured = d * made.scale(d, near)
    assert torch.allclose(measured, torch.log1p(0.3 * d / unit), rtol=1e-4)
    assert torch.isfinite(made.scale(d, torch.zeros(4))).all()


@pytest.fixture
def scoring():
    torch.manual_seed(1)
    made = Scoring(small(impostors=30, bfs_activation="none")).eval()
    assert made.impostors is not None
    torch.nn.init.normal_(made.impostors.vectors)
    made.impostors.kinds.copy_(torch.arange(30) % 2)
    torch.nn.init.normal_(made.adaptation.confusion.weight)
    return made


def levs(*shape, seed=2):
    return torch.tanh(torch.randn(*shape, 5, generator=torch.Generator().manual_seed(seed)))


@torch.no_grad()
def test_the_ratio_falls_with_the_distance_as_impostors_measure_it(scoring):
    """By hand: log-LR = offset − slope · measured distance, by the mean nearness of both."""
    scoring.bayes.covariances.start_isotropic(1.5, 0.8)
    y1, y2 = levs(2, 6).unbind()
    v1, v2 = (scoring.bayes.reduction(torch.atanh(y.clamp(-0.97, 0.97))) for y in (y1, y2))
    near = (scoring.impostors.nearness(v1) + scoring.impostors.nearness(v2)) / 2
    d = (v1 - v2).square().sum(1)
    expected = 1.5 - 0.8 * d * scoring.impostors.scale(d, near)
    found = scoring.log_lr_known(y1, y2[:, None], None)
    assert torch.allclose(found, expected, atol=1e-4)
    assert torch.allclose(scoring(y1, y2)[0], torch.sigmoid(expected), atol=1e-4)
    assert torch.allclose(scoring.log_lr_known(y2, y1[:, None], None), found, atol=1e-4)


@torch.no_grad()
def test_several_known_texts_are_measured_as_one(scoring):
    """All vectors of a trial are scaled alike, by the distance to the mean of the known ones."""
    questioned, known = levs(4), levs(4, 3, seed=5)
    q, k = scoring.vectors(questioned), scoring.vectors(known)
    nearness = scoring.impostors.nearness
    near = (nearness(q) + nearness(k.flatten(0, 1)).view(4, 3).mean(1)) / 2
    root = scoring.impostors.scale(apart(q, k, None), near).sqrt()
    scaled = q * root[:, None], k * root[:, None, None]
    expected = scoring.bayes.covariances.log_lr_known(*scaled, None)
    assert torch.allclose(scoring.log_lr_known(questioned, known, None), expected, atol=1e-5)


@torch.no_grad()
def test_one_known_text_is_a_pair(scoring):
    y1, y2 = levs(2, 6).unbind()
    there = torch.ones(6, 1, dtype=torch.bool)
    log_lr = scoring.log_lr_known(y1, y2[:, None], there)
    bfs, ual = scoring(y1, y2)
    assert torch.allclose(torch.sigmoid(log_lr), bfs, atol=1e-6)
    assert torch.allclose(scoring.consider(y1, y2[:, None], there).probability, ual, atol=1e-6)


@torch.no_grad()
def test_rows_without_a_text_do_not_matter(scoring):
    questioned, known = levs(4), levs(4, 3, seed=5)
    padded = torch.cat([known, levs(4, 2, seed=6)], 1)
    there = torch.arange(5).expand(4, 5) < 3
    whole = scoring.log_lr_known(questioned, known, None)
    assert torch.allclose(scoring.log_lr_known(questioned, padded, there), whole, atol=1e-5)
    answers = (
        scoring.consider(questioned, padded, there).probability,
        scoring.consider(questioned, known, there[:, :3]).probability,
    )
    assert torch.allclose(*answers, atol=1e-6)
    shuffled = known[:, [2, 0, 1]]
    assert torch.allclose(scoring.log_lr_known(questioned, shuffled, None), whole, atol=1e-5)
