import math

import pytest
import torch

from samehand.network.metric import (
    Metric,
    contrastive,
    probabilistic_contrastive,
    squared_distance,
)


def levs(pairs=50, size=60, seed=0):
    g = torch.Generator().manual_seed(seed)
    y1 = torch.tanh(torch.randn(pairs, size, generator=g))
    y2 = torch.tanh(torch.randn(pairs, size, generator=g))
    return y1, torch.lerp(y2, y1, torch.linspace(0, 1, pairs).unsqueeze(-1))


def test_starts_as_printed_and_follows_the_cosine():
    metric = Metric(100)
    assert metric.gamma.item() == pytest.approx(0.09)
    assert metric.alpha.item() == pytest.approx(1.5)
    assert metric.dense.weight.shape == (60, 100)
    assert 0.39 < metric.dense.weight.abs().max() <= 0.4
    r = torch.linspace(0, 4, 100)
    cosine = (1 + torch.cos(math.pi * r / 4)) / 2
    assert (metric.kernel(r**2) - cosine).abs().max() < 0.07
    assert metric.kernel(torch.tensor([1.0, 9.0])).tolist() == pytest.approx([0.91, 0.09], abs=5e-3)


def test_probability_by_slow_formula():
    metric = Metric(10)
    y1, y2 = levs()
    for p, a, b in zip(metric.probability(y1, y2).tolist(), y1.tolist(), y2.tolist(), strict=True):
        d = sum((u - v) ** 2 for u, v in zip(a, b, strict=True))
        assert p == pytest.approx(math.exp(-0.09 * d**1.5), rel=1e-5)


def test_losses_by_slow_formula():
    p = torch.linspace(0, 1, 21)
    d = torch.linspace(0, 16, 21)
    for same in (True, False):
        truth = torch.full((21,), float(same))
        for value, loss in zip(p.tolist(), probabilistic_contrastive(p, truth), strict=True):
            expected = max(0.91 - value, 0) ** 2 if same else max(value - 0.09, 0) ** 2
            assert loss.item() == pytest.approx(expected, abs=1e-6)
        for value, loss in zip(d.tolist(), contrastive(d, truth), strict=True):
            r = math.sqrt(value)
            expected = max(r - 1, 0) ** 2 if same else max(3 - r, 0) ** 2
            assert loss.item() == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("kind", ["probabilistic", "contrastive"])
@pytest.mark.parametrize("alpha", [0.3, 1.5])
def test_identical_documents_have_finite_gradients(kind, alpha):
    metric = Metric(10, loss=kind)
    metric.log_alpha.data.fill_(math.log(alpha))
    y = torch.zeros(2, 60, requires_grad=True)
    metric.loss(y, y.clone(), torch.tensor([1, 0])).sum().backward()
    found = [y.grad, *(p.grad for p in metric.parameters() if p.grad is not None)]
    assert all(g.isfinite().all() for g in found)


def test_kernel_is_learned_or_fixed():
    learned, fixed = Metric(10), Metric(10, learn_kernel=False)
    older = Metric(10, loss="contrastive", learn_kernel=True)
    assert {"log_gamma", "log_alpha"} <= {n for n, _ in learned.named_parameters()}
    for metric in (fixed, older):
        assert {n for n, _ in metric.named_parameters()} == {"dense.weight", "dense.bias"}
    fixed.load_state_dict(learned.state_dict())
    y1, y2 = levs()
    truth = torch.arange(50) % 2
    learned.loss(y1, y2, truth).mean().backward()
    assert learned.log_gamma.grad.abs() > 0
    assert learned.log_alpha.grad.abs() > 0


@pytest.mark.parametrize("kind", ["probabilistic", "contrastive"])
def test_gradients(kind):
    metric = Metric(4, 3, loss=kind).double()
    x1, x2 = torch.randn(2, 6, 4, dtype=torch.double, requires_grad=True).unbind()
    truth = torch.tensor([1, 0, 1, 0, 1, 0])
    scale = 1.0 if kind == "probabilistic" else 3.0

    def loss(x1, x2, *kernel):
        return metric.loss(scale * metric(x1), metric(x2), truth)

    assert torch.autograd.gradcheck(loss, (x1, x2, *metric.parameters()))


def test_autocast_changes_nothing():
    metric = Metric(100)
    x1, x2 = torch.randn(2, 20, 100).unbind()
    expected = metric.probability(metric(x1), metric(x2))
    with torch.autocast("cpu", torch.bfloat16):
        y1, y2 = metric(x1), metric(x2)
        found = metric.probability(y1, y2)
        assert metric(x1.bfloat16()).dtype == torch.float32
        assert metric.loss(y1, y2, torch.ones(20)).dtype == torch.float32
    assert torch.equal(found, expected)


def test_squared_distance_is_symmetric():
    y1, y2 = levs()
    assert torch.equal(squared_distance(y1, y2), squared_distance(y2, y1))
