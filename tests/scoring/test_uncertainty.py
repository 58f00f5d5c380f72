"""Where a likelihood ratio would lie, were the genre known exactly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from samehand.scoring.bounds import Bounds
from samehand.scoring.distance import Trials, compare
from samehand.scoring.effects import Points
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.system import LRSystem
from samehand.scoring.uncertainty import NEW, TWO, interval
from tests.scoring.made import evidence, vectors

Floats = NDArray[np.float64]
TRIALS = Trials.of(range(8), [[i] for i in range(8, 16)])


def drawn_log_lrs(of: GenreEvidence, trial: int, n: int = 40_000) -> tuple[Floats, Floats]:
    """Log LRs by effects drawn at random as evidence believes them, and what each is worth."""
    rng = np.random.default_rng(1)
    compared = compare(vectors(16), TRIALS).at(slice(trial, trial + 1))
    shares = np.exp(of.genres.log_shares(compared)[0])
    genre = rng.choice(len(shares), n, p=shares / shares.sum())
    view, new = rng.integers(len(of.effects.mean), size=n), genre == of.effects.mean.shape[1]
    known = np.where(new, 0, genre)
    mean = np.where(new[:, None], of.effects.mean_of_new, of.effects.mean[view, known])
    covariance = of.effects.covariance[view, known]
    roots = np.linalg.cholesky(np.where(new[:, None, None], of.effects.of_new, covariance))
    effects = mean + np.einsum("nij,nj->ni", roots, rng.normal(size=(n, 3)))
    low, high = of.supported(compared)
    similarity = compared.similarity.clip(low, high)[:, None]
    different, same = of.log_densities(compared, similarity, effects)
    return (same - different)[0, 0], (np.exp(same) + np.exp(different))[0, 0]


@pytest.mark.parametrize("trial", range(len(TRIALS.questioned)))
def test_it_holds_about_nine_in_ten_of_the_ratios_by_effects_drawn_at_random(trial: int) -> None:
    of = evidence()
    compared = compare(vectors(16), TRIALS)
    low, high = interval(of, compared, of.log_lr(compared))[:, trial]
    found, weight = drawn_log_lrs(of, trial)
    inside = (low <= found) & (found <= high)
    assert 0.85 < weight[inside].sum() / weight.sum() < 0.96


@settings(max_examples=30)
@given(st.integers(0, 100))
def test_the_ratio_lies_within_it(seed: int) -> None:
    system = LRSystem(evidence(seed), Bounds(-1.5, 1.0))
    of = vectors(16, seed)
    low, high = system.uncertainty(of, TRIALS).interval
    log_lr = system.score(of, TRIALS).log_lr
    assert (low <= log_lr).all()
    assert (log_lr <= high).all()
    assert low.min() >= -1.5
    assert high.max() <= 1.0


def test_there_is_none_where_the_genre_is_known_exactly() -> None:
    known = Points(np.array([[0.1, -0.2, 0.05]]), np.zeros(1, np.int64), np.zeros(1))
    of = evidence().adapted(known)
    compared = compare(vectors(16), TRIALS)
    log_lr = of.log_lr(compared)
    np.testing.assert_allclose(interval(of, compared, log_lr), [log_lr, log_lr], atol=1e-9)


def test_genres_are_told_with_how_likely_they_are() -> None:
    found = LRSystem(evidence()).uncertainty(vectors(16), TRIALS)
    assert found.genres == ("genre 0", "genre 1", "genre 2", TWO, NEW)
    np.testing.assert_allclose(found.shares.sum(1), 1.0)
    told = found.genres_of(0)
    assert [share for _, share in told] == sorted((s for _, s in told), reverse=True)
    assert all(share >= 0.05 for _, share in told)
