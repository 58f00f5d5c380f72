import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal

from samehand.network.two_covariance import TwoCovariance


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
