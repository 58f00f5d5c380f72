import math

import pytest
import torch

from samehand.network.adaptation import Adaptation, adaptation_loss


def trials(pairs=12, lev=5, dtype=torch.double, seed=0):
    g = torch.Generator().manual_seed(seed)
    y1, y2 = torch.tanh(2 * torch.randn(2, pairs, lev, generator=g, dtype=dtype)).unbind()
    return y1, y2, 3 * torch.randn(pairs, generator=g, dtype=dtype)


def layer(lev=5, hidden=7, dtype=torch.double, seed=1):
    """Trained-looking: every weight is random."""
    made = Adaptation(lev, hidden).to(dtype)
    g = torch.Generator().manual_seed(seed)
    for parameter in made.parameters():
        parameter.data = torch.randn(parameter.shape, generator=g, dtype=dtype)
    return made


def slow(made, y1, y2, score):
    """Confusion matrix c[j][i] and posterior of one pair, in plain Python."""
    square = [(a - b) ** 2 for a, b in zip(y1.tolist(), y2.tolist(), strict=True)]
    y = [
        math.tanh(sum(w * s for w, s in zip(row, square, strict=True)) + b)
        for row, b in zip(made.hidden.weight.tolist(), made.hidden.bias.tolist(), strict=True)
    ]
    logit = [
        sum(w * h for w, h in zip(row, y, strict=True)) + b
        for row, b in zip(made.confusion.weight.tolist(), made.confusion.bias.tolist(), strict=True)
    ]
    c = [[0.0, 0.0], [0.0, 0.0]]
    for i in (0, 1):
        total = math.exp(logit[i]) + math.exp(logit[2 + i])
        for j in (0, 1):
            c[j][i] = math.exp(logit[2 * j + i]) / total
    p1 = 1 / (1 + math.exp(-score))
    bfs = (1 - p1, p1)
    return c, [sum(c[j][i] * bfs[i] for i in (0, 1)) for j in (0, 1)]


@pytest.mark.parametrize("beta", [0.0, 0.105])
def test_posterior_and_loss_by_slow_formula(beta):
    made = layer()
    y1, y2, score = trials()
    same = torch.arange(12) % 2
    adapted = made(y1, y2, score)
    losses = adaptation_loss(adapted, same, beta)
    for k in range(12):
        c, posterior = slow(made, y1[k], y2[k], score[k].item())
        assert adapted.log_confusion[k].exp().flatten().tolist() == pytest.approx(c[0] + c[1])
        assert adapted.log_posterior[k].exp().tolist() == pytest.approx(posterior)
        assert adapted.probability[k].item() == pytest.approx(posterior[1])
        assert adapted.log_odds[k].item() == pytest.approx(math.log(posterior[1] / posterior[0]))
        negative_entropy = sum(p * math.log(p) for row in c for p in row)
        expected = -math.log(posterior[same[k]]) + beta * negative_entropy
        assert losses[k].item() == pytest.approx(expected)


def test_distributions_sum_to_one():
    adapted = layer()(*trials())
    ones = torch.ones(12, 2, dtype=torch.double)
    assert torch.allclose(adapted.log_confusion.exp().sum(dim=1), ones)
    assert torch.allclose(adapted.log_posterior.exp().sum(dim=1), ones[:, 0])


def test_starts_from_the_ranking_of_the_bayes_factor():
    y1, y2, score = trials()
    made = Adaptation(5, trust=0.8).double()
    bfs = torch.sigmoid(score)
    assert torch.allclose(made(y1, y2, score).probability, 0.8 * bfs + 0.2 * (1 - bfs))


@pytest.mark.parametrize("size", [1e4, 1e30])
@pytest.mark.parametrize("make", [Adaptation, layer])
def test_extreme_scores_stay_finite(make, size):
    made = make(5).float()
    if make is layer:
        made.confusion.weight.data *= 100
    y1, y2, _ = trials(4, dtype=torch.float32)
    score = torch.tensor([size, -size, 0.0, size], requires_grad=True)
    adapted = made(y1, y2, score)
    loss = adaptation_loss(adapted, torch.tensor([0, 1, 1, 1]))
    loss.sum().backward()
    assert adapted.log_odds.isfinite().all()
    assert loss.isfinite().all()
    assert score.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in made.parameters())


def test_gradients():
    made = layer(lev=3, hidden=3)
    inputs = [t.requires_grad_() for t in trials(4, lev=3)]
    same = torch.arange(4) % 2

    def loss(y1, y2, score, *weights):
        return adaptation_loss(made(y1, y2, score), same)

    assert torch.autograd.gradcheck(loss, (*inputs, *made.parameters()))


def test_beta_makes_it_less_confident():
    y1, y2, score = trials(200, dtype=torch.float32)
    same = (score + torch.linspace(-3, 3, 200) > 0).long()
    confidence = []
    for beta in (0.0, 0.4):
        torch.manual_seed(0)
        made = Adaptation(5, 8)
        optimiser = torch.optim.Adam(made.parameters(), 0.05)
        for _ in range(30):
            optimiser.zero_grad()
            adaptation_loss(made(y1, y2, score), same, beta).mean().backward()
            optimiser.step()
        p = made(y1, y2, score).probability
        confidence.append(torch.maximum(p, 1 - p).mean().item())
    assert confidence[1] < confidence[0] - 0.02


def test_autocast_changes_nothing():
    made = layer(dtype=torch.float32)
    inputs = trials(dtype=torch.float32)
    expected = made(*inputs)
    with torch.autocast("cpu", torch.bfloat16):
        found = made(*inputs)
        loss = adaptation_loss(found, torch.ones(12))
    assert torch.equal(found.log_posterior, expected.log_posterior)
    assert torch.equal(found.log_confusion, expected.log_confusion)
    assert loss.dtype == torch.float32
