"""Fits find what made the data; genres count alike."""

import numpy as np
import pytest

from samehand.fitting.evidence import fit_effects, fit_genres
from samehand.scoring.distance import COVARIATES, Compared
from samehand.scoring.evidence import GenreEvidence
from tests.scoring.made import evidence

GENRES, TRIALS = 60, 400


def simulated(
    model: GenreEvidence, seed: int
) -> tuple[Compared, np.ndarray, np.ndarray, np.ndarray]:
    """Trials whose similarities follow a model, with effects of genres drawn from its Σ."""
    rng = np.random.default_rng(seed)
    effects = rng.multivariate_normal(np.zeros(3), model.effects.of_new, GENRES + 1)
    genre = np.repeat(np.arange(GENRES + 1), TRIALS)
    same = rng.random(len(genre)) < 0.5
    x = rng.normal(size=(len(genre), len(COVARIATES)))
    x[:, 0] = 1
    c = model.coefficients
    location = np.where(same, x @ c.location[1], x @ c.location[0])
    location += effects[genre, same.astype(int)]
    scale = np.exp(x @ c.log_scale + effects[genre, 2])
    s = location + scale * rng.normal(size=len(genre))
    return Compared(s, x, x, x), same, genre, effects


def test_coefficients_and_effects_are_found_again() -> None:
    model = evidence(1)
    compared, same, genre, effects = simulated(model, 5)
    found, of_genres = fit_effects(compared, same, genre, GENRES)
    assert found.location[:, 1:] == pytest.approx(model.coefficients.location[:, 1:], abs=0.02)
    assert found.log_scale[1:] == pytest.approx(model.coefficients.log_scale[1:], abs=0.02)
    for which in range(3):
        assert np.corrcoef(of_genres.mean[:, which], effects[:, which])[0, 1] > 0.85
    spread = np.sqrt(np.diag(of_genres.of_new))
    assert spread == pytest.approx(np.sqrt(np.diag(model.effects.of_new)), rel=0.35)
    error = (of_genres.mean - effects)[:, 0] / np.sqrt(of_genres.covariance[:, 0, 0])
    assert 0.6 < error.std() < 1.8


def test_a_genre_without_trials_is_as_a_new_one() -> None:
    """Such as that of two genres at once, where nobody wrote in two."""
    compared, same, genre, _ = simulated(evidence(1), 6)
    one = genre != GENRES
    _, found = fit_effects(compared.at(one), same[one], genre[one], GENRES)
    assert found.covariance[GENRES] == pytest.approx(found.of_new, rel=0.05)
    assert found.mean[GENRES] == pytest.approx(0, abs=1e-6)


def test_genres_lie_where_their_texts_do() -> None:
    rng = np.random.default_rng(0)
    means = 2 * rng.normal(size=(5, 8))
    style = [mean + rng.normal(size=(200, 8)) for mean in means]
    genres = fit_genres(style, [f"g{i}" for i in range(5)])
    for number, own in enumerate(style):
        shares = genres.log_shares_of_one(own[:50].mean(0, keepdims=True))[0]
        assert shares[:-1].argmax() == number
    within = np.concatenate([(own - own.mean(0)) @ genres.axes for own in style])
    assert within.var(0) == pytest.approx(1, abs=0.25)
