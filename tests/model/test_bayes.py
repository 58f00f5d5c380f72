import math

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal, spearmanr

from samehand.model.bayes import BayesFactor, TwoCovariance, bayes_factor_loss


def model(dim, seed=0, spread=0.5, domain="known"):
    """A two-covariance model with random μ, B and W, in double."""
    made = TwoCovariance(dim, domain).double()
    g = torch.Generator().manual_seed(seed)
    for parameter in made.parameters():
        parameter.data = spread * torch.randn(parameter.shape, generator=g, dtype=torch.double)
    return made


def covariances(made):
    b, w = (np.linalg.inv((f @ f.mT).detach().numpy()) for f in made.factors())
    return made.mean.detach().numpy(), b, w


def log_density(made, documents):
    """scipy's log density of documents by one author, as one stacked vector."""
    mean, between, within = covariances(made)
    n = len(documents)
    covariance = np.kron(np.ones((n, n)), between) + np.kron(np.eye(n), within)
    return multivariate_normal(np.tile(mean, n), covariance).logpdf(np.concatenate(documents))


def simulated(made, authors, documents, seed=0):
    """LEVs of `authors` who each wrote up to `documents` texts, and who wrote which."""
    mean, between, within = covariances(made)
    rng = np.random.default_rng(seed)
    styles = rng.multivariate_normal(mean, between, authors)
    who = np.repeat(np.arange(authors), rng.integers(1, documents + 1, authors))
    noise = rng.multivariate_normal(np.zeros(len(mean)), within, len(who))
    return torch.from_numpy(styles[who] + noise), torch.from_numpy(who)


@pytest.mark.parametrize("dim", [1, 2, 5, 12])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_log_lr_agrees_with_scipy(dim, seed):
    made = model(dim, seed)
    y1, y2 = torch.from_numpy(np.random.default_rng(seed).normal(size=(2, 6, dim))).unbind()
    found = made.log_lr(y1, y2).tolist()
    for score, a, b in zip(found, y1.numpy(), y2.numpy(), strict=True):
        expected = log_density(made, [a, b]) - log_density(made, [a]) - log_density(made, [b])
        assert score == pytest.approx(expected, abs=1e-6, rel=1e-9)


def test_log_lr_is_the_formula_of_the_notes():
    made = model(40, spread=0.2)
    y1, y2 = torch.randn(2, 8, 40, dtype=torch.double).unbind()
    b, w = (f @ f.mT for f in made.factors())
    two, one, m = (b + 2 * w).inverse(), (b + w).inverse(), b @ made.mean
    b12, b1, b2 = (y1 + y2) @ w + m, y1 @ w + m, y2 @ w + m

    def form(x, matrix):
        return 0.5 * ((x @ matrix) * x).sum(-1)

    expected = form(b12, two) - form(b1, one) - form(b2, one) + form(made.mean, b)
    expected += 0.5 * two.logdet() - 0.5 * b.logdet() - one.logdet()
    assert torch.allclose(made.log_lr(y1, y2), expected, atol=1e-8)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("dim", [1, 4])
def test_several_known_documents_agree_with_scipy(n, dim):
    made = model(dim, seed=n)
    documents = np.random.default_rng(n).normal(size=(n + 1, dim))
    found = made.log_lr_known(torch.from_numpy(documents[0]), torch.from_numpy(documents[1:]))
    expected = log_density(made, documents)
    expected -= log_density(made, documents[:1]) + log_density(made, documents[1:])
    assert found.item() == pytest.approx(expected, abs=1e-6, rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("dim", [1, 4])
def test_unknown_domain_agrees_with_scipy(n, dim):
    """Only what the documents' differences say: densities of known − questioned, stacked."""
    made = model(dim, seed=n, domain="unknown")
    documents = np.random.default_rng(n).normal(size=(n + 1, dim))
    found = made.log_lr_known(torch.from_numpy(documents[0]), torch.from_numpy(documents[1:]))
    _, between, within = covariances(made)
    contrast = np.kron(np.hstack([-np.ones((n, 1)), np.eye(n)]), np.eye(dim))
    separate = np.ones((n + 1, n + 1))
    separate[0, 1:] = separate[1:, 0] = 0.0  # questioned by another author
    density = []
    for authors in (np.ones((n + 1, n + 1)), separate):
        covariance = np.kron(authors, between) + np.kron(np.eye(n + 1), within)
        gaussian = multivariate_normal(np.zeros(n * dim), contrast @ covariance @ contrast.T)
        density.append(gaussian.logpdf(contrast @ documents.ravel()))
    assert found.item() == pytest.approx(density[0] - density[1], abs=1e-6, rel=1e-9)
    shifted = torch.from_numpy(documents + 3.0)
    assert made.log_lr_known(shifted[0], shifted[1:]).item() == pytest.approx(found.item())


def test_isotropic_start_is_an_affine_function_of_the_distance():
    made = TwoCovariance(12, "unknown").double()
    made.start_isotropic(2.5, 0.7)
    y1, y2 = torch.randn(2, 9, 12, dtype=torch.double).unbind()
    expected = 2.5 - 0.7 * (y1 - y2).square().sum(-1)
    assert torch.allclose(made.log_lr(y1, y2), expected, atol=1e-6)


@pytest.mark.parametrize("domain", ["known", "unknown"])
def test_known_documents_in_a_padded_batch(domain):
    made = model(6, domain=domain)
    counts = [3, 0, 1, 3, 5]
    questioned, known = torch.randn(5, 6).double(), torch.randn(5, 5, 6).double()
    mask = torch.arange(5) < torch.tensor(counts).unsqueeze(-1)
    known[~mask] = float("nan")  # padding is never read
    found = made.log_lr_known(questioned, known, mask)
    for k, n in enumerate(counts):
        alone = made.log_lr_known(questioned[k], known[k, :n])
        assert found[k].item() == pytest.approx(alone.item(), abs=1e-9)
    assert found[1] == 0.0
    pair = made.log_lr(questioned[2:3], known[2, :1])
    assert found[2].item() == pytest.approx(pair.item(), abs=1e-9)


def test_starts_as_the_notes_say():
    b, w = (f @ f.mT for f in TwoCovariance(40).factors())
    assert torch.allclose(b, 0.98 * torch.eye(40))
    assert torch.allclose(w, 1.02 * torch.eye(40))


def test_entropies_agree_with_scipy():
    made = model(7)
    _, between, within = covariances(made)
    found = [value.item() for value in made.entropies()]
    expected = [multivariate_normal(np.zeros(7), c).entropy() for c in (within, between)]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("domain", ["known", "unknown"])
def test_gradients(domain):
    made = model(3, domain=domain)
    if domain == "unknown":
        made.mean.requires_grad_(False)  # plays no part
    y1, y2 = torch.randn(2, 3, 3, dtype=torch.double, requires_grad=True).unbind()
    known = torch.randn(3, 2, 3, dtype=torch.double, requires_grad=True)

    assert torch.autograd.gradcheck(lambda *_: made.log_lr(y1, y2), (y1, y2, *made.parameters()))
    assert torch.autograd.gradcheck(
        lambda *_: made.log_lr_known(y1, known), (y1, known, *made.parameters())
    )


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


@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_any_parameters_give_a_score(spread):
    made = model(40, spread=spread).float()
    y1, y2 = torch.randn(2, 10, 40).unbind()
    score = made.log_lr(y1, y2)
    score.sum().backward()
    assert score.isfinite().all()
    assert all(p.grad.isfinite().all() for p in made.parameters())


def test_single_precision_is_enough():
    """LEVs whose variances span five orders of magnitude, as saturated ones do."""
    g = torch.Generator().manual_seed(0)
    mixing = torch.linalg.qr(torch.randn(60, 60, generator=g).double()).Q
    spread = torch.logspace(0, -2.5, 60).double()
    y = torch.randn(300, 60, generator=g).double() * spread @ mixing + 0.7
    factor = torch.linalg.cholesky((mixing.T / spread**2) @ mixing)
    double = TwoCovariance(60).double()
    for stored in (double.between, double.within):
        stored.data = factor.tril(-1) + factor.diagonal().log().diag()
    double.mean.data.fill_(0.7)
    single = TwoCovariance(60)
    single.load_state_dict(double.state_dict())
    expected = double.log_lr(y[:150], y[150:])
    assert expected.std() > 2
    found = single.log_lr(y[:150].float(), y[150:].float()).double()
    assert torch.allclose(found, expected, atol=0.01)


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


def test_impossible_layers_are_refused():
    with pytest.raises(ValueError, match="swish"):
        BayesFactor(60, activation="relu")
    with pytest.raises(ValueError, match="cannot have 61"):
        BayesFactor(60, 61)
