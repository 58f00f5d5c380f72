"""The two-covariance model against densities by scipy and, ill-conditioned, exact arithmetic."""

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from samehand.errors import InputError
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


def log_lr_by_scipy(made, questioned, known):
    """By the densities of all documents, stacked."""
    return (
        log_density(made, [questioned, *known])
        - log_density(made, [questioned])
        - log_density(made, known)
    )


def contrast_log_lr_by_scipy(made, questioned, known):
    """By the densities of known − questioned, stacked: what differences say, whatever the mean."""
    _, between, within = covariances(made)
    n, dim = known.shape
    contrast = np.kron(np.hstack([-np.ones((n, 1)), np.eye(n)]), np.eye(dim))
    separate = np.ones((n + 1, n + 1))
    separate[0, 1:] = separate[1:, 0] = 0.0  # questioned by another author
    differences = contrast @ np.concatenate([questioned, known.ravel()])
    density = []
    for authors in (np.ones((n + 1, n + 1)), separate):
        covariance = np.kron(authors, between) + np.kron(np.eye(n + 1), within)
        gaussian = multivariate_normal(np.zeros(n * dim), contrast @ covariance @ contrast.T)
        density.append(gaussian.logpdf(differences))
    return density[0] - density[1]


@given(
    dim=st.integers(1, 6),
    n=st.integers(1, 7),
    seed=st.integers(0, 2**31),
    domain=st.sampled_from(["known", "unknown"]),
)
def test_log_lrs_agree_with_scipy(dim, n, seed, domain):
    made = model(dim, seed, domain=domain)
    documents = np.random.default_rng(seed).normal(size=(n + 1, dim))
    questioned, known = documents[0], documents[1:]
    by_scipy = log_lr_by_scipy if domain == "known" else contrast_log_lr_by_scipy
    expected = by_scipy(made, questioned, known)
    found = made.log_lr_known(torch.from_numpy(questioned), torch.from_numpy(known))
    assert found.item() == pytest.approx(expected, abs=1e-6, rel=1e-7)
    if n == 1:
        pair = made.log_lr(*(torch.from_numpy(side)[None] for side in (questioned, known[0])))
        assert pair.item() == pytest.approx(expected, abs=1e-6, rel=1e-7)


@pytest.mark.parametrize("n", [1, 4])
def test_an_unknown_domain_sees_differences_alone(n):
    made = model(4, seed=n, domain="unknown")
    documents = torch.randn(n + 1, 4, dtype=torch.double)
    found = made.log_lr_known(documents[0], documents[1:]).item()
    shifted = made.log_lr_known(documents[0] + 3.0, documents[1:] + 3.0).item()
    assert shifted == pytest.approx(found)


def exact_log_lr(made, questioned, known):
    """In 150 digits, by the integrals over the author's style: no step can be ill-conditioned."""
    with mpmath.workdps(150):
        b, w = (mpmath.matrix(factor.tolist()) for factor in made.factors())
        b, w = b * b.T, w * w.T
        mean = made.mean.detach().numpy()
        q, *others = (mpmath.matrix((y - mean).tolist()) for y in (questioned, *known))
        n, total = len(others), sum(others[1:], others[0])

        def half_log_det(matrix):
            root = mpmath.cholesky(matrix)
            return mpmath.fsum(mpmath.log(root[i, i]) for i in range(root.rows))

        def half_square(matrix, x):
            return (x.T * mpmath.cholesky_solve(matrix, x))[0] / 2

        if made.domain == "unknown":
            c = 1 + mpmath.mpf(1) / n
            p = w / c + b / 2
            constant = half_log_det(2 * p) - half_log_det(b)
            return float(constant - half_square(p, w * (q - total / n) / c))

        def evidence(count, x):  # of `count` documents that sum to x, less what H1 and H0 share
            constant = half_log_det(b) - half_log_det(b + count * w)
            return constant + half_square(b + count * w, w * x)

        return float(evidence(n + 1, q + total) - evidence(1, q) - evidence(n, total))


def ill_conditioned(scale, seed, domain):
    """A model whose B has a condition of 10^10 (scale −2), 10^22 (−3) and 10^102 (−8) at least."""
    made = TwoCovariance(20, domain).double()
    g = torch.Generator().manual_seed(seed)
    noise = torch.randn(20, 20, generator=g, dtype=torch.double).tril()
    made.between.data = scale * torch.eye(20, dtype=torch.double) + 0.2 * noise
    made.mean.data = torch.randn(20, generator=g, dtype=torch.double)
    return made


@pytest.mark.parametrize("scale", [-2.0, -3.0, -8.0])
@pytest.mark.parametrize("domain", ["known", "unknown"])
@pytest.mark.parametrize("n", [1, 3])
def test_an_ill_conditioned_precision_is_scored_exactly(scale, domain, n):
    made = ill_conditioned(scale, n, domain)
    documents = np.random.default_rng(n).normal(size=(n + 1, 20))
    for questioned in documents[:2]:  # another text, and one that is also known
        expected = exact_log_lr(made, questioned, documents[1:])
        with torch.no_grad():
            found = made.log_lr_known(torch.from_numpy(questioned), torch.from_numpy(documents[1:]))
        assert found.item() == pytest.approx(expected, abs=1e-8, rel=1e-10)


@pytest.mark.parametrize("domain", ["known", "unknown"])
def test_an_ill_conditioned_precision_is_learned_from(domain):
    made = ill_conditioned(-8.0, 0, domain)
    y1, y2 = torch.randn(2, 10, 20, dtype=torch.double).unbind()
    made.log_lr(y1, y2).sum().backward()
    assert all(p.grad.isfinite().all() for p in made.parameters() if p.grad is not None)


def test_precisions_that_are_singular_in_one_direction_are_refused():
    made = ill_conditioned(-8.0, 0, "known")
    made.within.data = made.between.data.clone()
    y = torch.zeros(1, 20).double()
    with torch.no_grad(), pytest.raises(InputError, match="nearly singular"):
        made.log_lr(y, y)


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
    assert torch.allclose(b, 0.98 * torch.eye(40).double())
    assert torch.allclose(w, 1.02 * torch.eye(40).double())


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
