import math

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from samehand.network.bayes import BayesFactor, bayes_factor_loss
from samehand.network.two_covariance import TwoCovariance
from tests.network.test_two_covariance import covariances


def simulated(made, authors, documents, seed=0):
    """LEVs of `authors` who each wrote up to `documents` texts, and who wrote which."""
    mean, between, within = covariances(made)
    rng = np.random.default_rng(seed)
    styles = rng.multivariate_normal(mean, between, authors)
    who = np.repeat(np.arange(authors), rng.integers(1, documents + 1, authors))
    noise = rng.multivariate_normal(np.zeros(len(mean)), within, len(who))
    return torch.from_numpy(styles[who] + noise), torch.from_numpy(who)


def auc(score, same):
    return (score[same].unsqueeze(-1) > score[~same]).double().mean().item()


@pytest.mark.parametrize("activation", ["swish", "tanh", "none"])
def test_start_from_pairs_does_not_lag_behind_the_distance(activation):
    """On saturated LEVs that share a large mean, of authors it has not seen."""
    true = TwoCovariance(30).double()
    g = torch.Generator().manual_seed(0)
    true.mean.data = 2 * torch.randn(30, generator=g).double()
    true.within.data = torch.linspace(-0.5, 0.5, 30).diag().double()
    levs, authors = simulated(true, 600, 4)
    levs = torch.tanh(levs).float()
    first, second = torch.triu_indices(len(levs), len(levs), 1)
    drawn = torch.rand(len(first), generator=g) < 0.01
    keep = ((authors[first] == authors[second]) | drawn) & (
        (authors[first] < 400) == (authors[second] < 400)
    )
    first, second = first[keep], second[keep]
    y1, y2, same = levs[first], levs[second], authors[first] == authors[second]
    seen = authors[first] < 400
    layer = BayesFactor(30, 25, activation)
    layer.start_from_pairs(y1[seen], y2[seen], same[seen])
    y1, y2, same = y1[~seen], y2[~seen], same[~seen]
    with torch.no_grad():
        score = layer(y1, y2)
    distance = (y1 - y2).square().sum(-1)
    assert auc(score, same) > auc(-distance, same) - 0.005
    prior = math.log(2)
    assert bayes_factor_loss(score[same], same[same]).mean() < prior
    assert bayes_factor_loss(score[~same], same[~same]).mean() < prior


def pairs_of_levs(gap, seed=0):
    """Pairs of saturated LEVs about a mean, of which those by two authors are further apart."""
    g = torch.Generator().manual_seed(seed)
    same = torch.arange(600) % 3 == 0
    mean, y1 = torch.randn(12, generator=g), torch.randn(600, 12, generator=g)
    spread = torch.where(same, 0.5, 0.5 + gap).unsqueeze(-1)
    y2 = y1 + spread * torch.randn(600, 12, generator=g)
    return torch.tanh(mean + y1), torch.tanh(mean + y2), same


@pytest.mark.parametrize("activation", ["swish", "tanh", "none"])
def test_start_from_pairs_ranks_as_the_distance_and_is_calibrated(activation):
    y1, y2, same = pairs_of_levs(gap=0.4)
    layer = BayesFactor(12, 12, activation)
    layer.start_from_pairs(y1, y2, same)
    with torch.no_grad():
        score = layer(y1, y2)
    distance = (y1 - y2).square().sum(-1)
    rank_correlation = spearmanr(score, -distance).statistic
    assert rank_correlation > (0.9999 if activation == "none" else 0.97)
    p = torch.sigmoid(score)
    weight = torch.where(same, 1 / same.float().mean(), 1 / (~same).float().mean()) / 2
    for low in (0.0, 0.25, 0.5, 0.75):  # at a prior of 1:1, promise and outcome agree
        inside = (p >= low) & (p < low + 0.25)
        share = weight[inside] / weight[inside].sum()
        assert (share @ p[inside]).item() == pytest.approx(
            (share @ same[inside].float()).item(), abs=0.1
        )
    assert (weight @ p / 600).item() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("activation", ["swish", "tanh", "none"])
def test_start_from_separable_pairs_decides_them_and_stays_finite(activation):
    y1, y2, same = pairs_of_levs(gap=0.0)
    y2 = torch.where(same.unsqueeze(-1), y1, -y1.sign())
    layer = BayesFactor(12, 12, activation)
    layer.start_from_pairs(y1, y2, same)
    with torch.no_grad():
        score = layer(y1, y2)
    assert ((score > 0) == same).all()
    assert score.abs().max() < 100
    assert all(p.isfinite().all() for p in layer.parameters())


@pytest.mark.parametrize("kind", [True, False])
def test_start_from_pairs_of_one_kind_changes_nothing(kind):
    y1, y2, same = pairs_of_levs(gap=1.0)
    layer = BayesFactor(12, 8)
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    layer.start_from_pairs(y1, y2, torch.full_like(same, kind))
    assert all(torch.equal(before[name], value) for name, value in layer.state_dict().items())


def test_start_from_pairs_leaves_a_known_domain_as_it_is():
    y1, y2, same = pairs_of_levs(gap=1.0)
    layer = BayesFactor(12, 8, domain="known")
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    layer.start_from_pairs(y1, y2, same)
    assert all(torch.equal(before[name], value) for name, value in layer.state_dict().items())


def saturated(documents, dim):
    return torch.randn(documents, dim, generator=torch.Generator().manual_seed(3)).sign()


@pytest.mark.parametrize("activation", ["swish", "tanh", "none"])
@pytest.mark.parametrize(
    "levs",
    [torch.full((12, 60), 0.3), torch.ones(12, 60), saturated(12, 60), 1e-12 * saturated(12, 60)],
    ids=["equal", "all one", "saturated", "tiny"],
)
def test_degenerate_levs_stay_finite(levs, activation):
    layer = BayesFactor(60, 40, activation)
    layer.start_from_pairs(levs, levs.roll(1, 0), torch.arange(12) % 2 == 0)
    strange = torch.cat((levs, -levs, torch.zeros(12, 60)))
    optimiser = torch.optim.Adam(layer.parameters(), 0.1)
    for _ in range(3):
        optimiser.zero_grad()
        score = layer(strange, strange.flip(0))
        bayes_factor_loss(score, torch.arange(36) % 2).mean().backward()
        assert score.isfinite().all()
        assert all(p.grad.isfinite().all() for p in layer.parameters() if p.grad is not None)
        optimiser.step()


@pytest.mark.parametrize("activation", ["swish", "tanh", "none"])
def test_reduction_by_slow_formula(activation):
    layer = BayesFactor(5, 3, activation)
    y = torch.randn(4, 5)
    f = {"swish": lambda x: x / (1 + math.exp(-x)), "tanh": math.tanh, "none": lambda x: x}
    weight, bias = layer.reduction.weight.tolist(), layer.reduction.bias.tolist()
    for found, document in zip(layer.reduce(y).tolist(), y.tolist(), strict=True):
        for value, row, b in zip(found, weight, bias, strict=True):
            x = sum(w * v for w, v in zip(row, document, strict=True)) + b
            assert value == pytest.approx(f[activation](x), abs=1e-5)
    known = layer.log_lr_known(y[:1], y[1:].unsqueeze(0)[:, :1])
    assert known.item() == pytest.approx(layer(y[:1], y[1:2]).item(), abs=1e-4)


def test_loss_is_binary_cross_entropy_even_for_extreme_scores():
    score = torch.tensor([1e4, -1e4, 0.5, 0.5], requires_grad=True)
    loss = bayes_factor_loss(score, torch.tensor([0, 0, 1, 0]))
    p = 1 / (1 + math.exp(-0.5))
    assert loss.tolist() == pytest.approx([1e4, 0.0, -math.log(p), -math.log(1 - p)])
    loss.sum().backward()
    assert score.grad.isfinite().all()


def test_autocast_changes_nothing():
    layer = BayesFactor(60)
    y1, y2 = torch.tanh(torch.randn(2, 10, 60)).unbind()
    known = torch.tanh(torch.randn(10, 3, 60))
    expected = layer(y1, y2), layer.log_lr_known(y1, known)
    with torch.autocast("cpu", torch.bfloat16):
        found = layer(y1, y2), layer.log_lr_known(y1, known)
    assert all(torch.equal(f, e) for f, e in zip(found, expected, strict=True))
    assert layer(y1.bfloat16(), y2.bfloat16()).dtype == torch.float32
