"""Fits find what made the data; genres count alike; two views of genres are told apart."""

import numpy as np
import pytest

from samehand.fitting.evidence import fit_effects, fit_genres
from samehand.scoring.distance import COVARIATES, Compared
from samehand.scoring.evidence import GenreEvidence
from tests.scoring.made import evidence

GENRES, TRIALS = 60, 400
APART = np.array([0.3, -0.2, 0.15])
"""By how much networks that have not met a genre find it otherwise."""


def simulated(
    model: GenreEvidence, seed: int, views: int = 1
) -> tuple[Compared, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Trials whose similarities follow a model, with effects of genres drawn from its Σ."""
    rng = np.random.default_rng(seed)
    effects = rng.multivariate_normal(np.zeros(3), model.effects.of_new, (views, GENRES + 1))
    effects[1:, :-1] += APART
    effects[:, -1] = effects[0, -1]
    view, genre = (
        number.ravel().repeat(TRIALS) for number in np.indices((views, GENRES + 1), dtype=np.int64)
    )
    same = rng.random(len(genre)) < 0.5
    x = rng.normal(size=(len(genre), len(COVARIATES)))
    x[:, 0] = 1
    c = model.coefficients
    location = np.where(same, x @ c.location[1], x @ c.location[0])
    location += effects[view, genre, same.astype(int)]
    scale = np.exp(x @ c.log_scale + effects[view, genre, 2])
    s = location + scale * rng.normal(size=len(genre))
    return Compared(s, x, x, x), same, genre, view == 1, effects


def test_coefficients_and_effects_are_found_again() -> None:
    model = evidence(1)
    compared, same, genre, novel, effects = simulated(model, 5)
    found, of_genres = fit_effects(compared, same, genre, GENRES, novel)
    assert found.location[:, 1:] == pytest.approx(model.coefficients.location[:, 1:], abs=0.02)
    assert found.log_scale[1:] == pytest.approx(model.coefficients.log_scale[1:], abs=0.02)
    assert of_genres.mean.shape == (1, GENRES + 1, 3)
    for which in range(3):
        assert np.corrcoef(of_genres.mean[0, :, which], effects[0, :, which])[0, 1] > 0.85
    spread = np.sqrt(np.diag(of_genres.of_new))
    assert spread == pytest.approx(np.sqrt(np.diag(model.effects.of_new)), rel=0.35)
    assert of_genres.mean_of_new == pytest.approx(0)
    error = (of_genres.mean - effects)[0, :, 0] / np.sqrt(of_genres.covariance[0, :, 0, 0])
    assert 0.6 < error.std() < 1.8


def test_what_networks_find_that_have_not_met_a_genre_is_a_view_of_its_own() -> None:
    model = evidence(1)
    compared, same, genre, novel, effects = simulated(model, 7, views=2)
    _, found = fit_effects(compared, same, genre, GENRES, novel)
    assert found.mean.shape == (2, GENRES + 1, 3)
    for view in range(2):
        for which in range(3):
            own = found.mean[view, :-1, which], effects[view, :-1, which]
            assert np.corrcoef(*own)[0, 1] > 0.85
    apart = effects[1, :-1].mean(0) - effects[0, :-1].mean(0)
    assert found.mean_of_new == pytest.approx(apart, abs=0.06)
    np.testing.assert_array_equal(found.mean[0, -1], found.mean[1, -1])  # two genres have no view


def test_a_genre_that_was_judged_in_one_view_has_it_for_both() -> None:
    compared, same, genre, novel, _ = simulated(evidence(1), 8, views=2)
    kept = ~((genre == 3) & novel) & ~((genre == 4) & ~novel)
    _, found = fit_effects(compared.at(kept), same[kept], genre[kept], GENRES, novel[kept])
    np.testing.assert_array_equal(found.mean[0, 3:5], found.mean[1, 3:5])
    assert (found.mean[0, 5:-1] != found.mean[1, 5:-1]).all()


def test_networks_that_have_met_no_genre_have_one_view() -> None:
    compared, same, genre, novel, _ = simulated(evidence(1), 9)
    _, known = fit_effects(compared, same, genre, GENRES, novel)
    _, unknown = fit_effects(compared, same, genre, GENRES, ~novel)
    for one, other in zip(known, unknown, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_genre_without_trials_is_as_a_new_one() -> None:
    """Such as that of two genres at once, where nobody wrote in two."""
    compared, same, genre, novel, _ = simulated(evidence(1), 6)
    one = genre != GENRES
    _, found = fit_effects(compared.at(one), same[one], genre[one], GENRES, novel[one])
    assert found.covariance[0, GENRES] == pytest.approx(found.of_new, rel=0.05)
    assert found.mean[0, GENRES] == pytest.approx(0, abs=1e-6)


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
