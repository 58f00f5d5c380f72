"""The two-covariance model in numpy against the network's, scipy and exact arithmetic."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.scoring.paper import TwoCovariance
from tests.network.test_two_covariance import (
    contrast_log_lr_by_scipy,
    exact_log_lr,
    ill_conditioned,
    log_lr_by_scipy,
    model,
)

MOST = 7


def in_numpy(made):
    mean = made.mean.detach().numpy() if made.domain == "known" else None
    return TwoCovariance.of(*(factor.detach().numpy() for factor in made.factors()), mean)


def trials(dim, seed):
    """Seven trials, with one known document to seven."""
    documents = np.random.default_rng(seed).normal(size=(MOST, MOST + 1, dim))
    return [(of_trial[0], of_trial[1 : n + 1]) for n, of_trial in enumerate(documents, start=1)]


def scored(scoring, posed):
    questioned, known, n = (
        np.stack([q for q, _ in posed]),
        np.stack([k.mean(0) for _, k in posed]),
        np.array([len(k) for _, k in posed]),
    )
    return scoring.log_lr(questioned, known, n)


@given(
    dim=st.integers(1, 6),
    seed=st.integers(0, 2**31),
    domain=st.sampled_from(["known", "unknown"]),
)
def test_log_lrs_agree_with_scipy(dim, seed, domain):
    made = model(dim, seed, domain=domain)
    posed = trials(dim, seed)
    by_scipy = log_lr_by_scipy if domain == "known" else contrast_log_lr_by_scipy
    expected = [by_scipy(made, *trial) for trial in posed]
    assert scored(in_numpy(made), posed) == pytest.approx(expected, abs=1e-6, rel=1e-7)


@pytest.mark.parametrize("scale", [-2.0, -3.0, -8.0])
@pytest.mark.parametrize("domain", ["known", "unknown"])
def test_an_ill_conditioned_precision_is_scored_exactly(scale, domain):
    made = ill_conditioned(scale, 0, domain)
    questioned, known = trials(20, 0)[2]
    posed = [(questioned, known), (known[0], known), (known[0], known[:1])]
    expected = [exact_log_lr(made, *trial) for trial in posed]
    assert scored(in_numpy(made), posed) == pytest.approx(expected, abs=1e-8, rel=1e-10)


@given(
    seed=st.integers(0, 2**31),
    scales=st.tuples(st.floats(-9, 3), st.floats(-9, 3)),
    noise=st.floats(0, 0.5),
    domain=st.sampled_from(["known", "unknown"]),
)
def test_the_network_scores_alike(seed, scales, noise, domain):
    """B and W of any scale, ill-conditioned or not: one score, or both refuse."""
    made = model(20, seed, noise, domain)
    for stored, scale in zip((made.between, made.within), scales, strict=True):
        stored.data += scale * torch.eye(20).double()
    posed = trials(20, seed)
    with torch.no_grad():
        try:
            expected = [
                made.log_lr_known(*(torch.from_numpy(part) for part in trial)).item()
                for trial in posed
            ]
        except InputError:
            return
    assert scored(in_numpy(made), posed) == pytest.approx(expected, abs=1e-5, rel=1e-5)


def test_precisions_that_are_singular_in_one_direction_are_refused():
    made = ill_conditioned(-8.0, 0, "known")
    made.within.data = made.between.data.clone()
    with pytest.raises(InputError, match="nearly singular"):
        in_numpy(made)
