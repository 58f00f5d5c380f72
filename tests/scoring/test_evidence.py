"""The Bayes factor with genres: exact, in order, and finite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from samehand.errors import InputError
from samehand.scoring.distance import Compared, Trials, compare
from samehand.scoring.effects import Effects, Points
from samehand.scoring.evidence import GenreEvidence
from tests.scoring.made import evidence, vectors

SEEDS = st.integers(0, 1_000)


def compared(seed: int, n: int = 20) -> Compared:
    rng = np.random.default_rng(seed)
    known = [rng.choice(np.arange(1, n), rng.integers(1, 5), replace=False) for _ in range(12)]
    return compare(vectors(n, seed), Trials.of([0] * 12, known))


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_it_never_falls_as_texts_are_more_alike_and_is_finite_at_both_ends(seed: int) -> None:
    model, trials = evidence(seed), compared(seed).at(slice(1))
    similarities = np.r_[-1e3, np.linspace(-8, 6, 300), -np.log(1e-6), 1e3]
    found = np.concatenate(
        [model.log_lr(trials._replace(similarity=np.array([s]))) for s in similarities]
    )
    assert np.isfinite(found).all()
    assert (np.diff(found) >= -1e-6).all()
    assert found[0] <= found[-1]


def test_with_one_certain_genre_it_is_the_ratio_of_two_normal_densities() -> None:
    model, trials = evidence(), compared(0)
    model = model.adapted(Points(np.zeros((1, 3)), np.zeros(1, np.int64), np.zeros(1)))
    x, c = trials.covariates, model.coefficients
    scale = np.exp(x @ c.log_scale)
    low, high = model.supported(trials)
    s = trials.similarity.clip(low, high)
    expected = norm.logpdf(s, x @ c.location[1], scale) - norm.logpdf(s, x @ c.location[0], scale)
    assert model.log_lr(trials) == pytest.approx(expected)


def test_effects_of_a_new_genre_are_integrated_out() -> None:
    """Against numerical integration, where a genre's effects are one number for both hypotheses."""
    model, trials = evidence(), compared(1)
    spread = 0.3
    effects = Effects(*model.effects[:2], np.diag([spread**2, 1e-12, 1e-12]), np.zeros(3))
    points = Points.of(effects, 8, 2_000)
    new = points.effects[points.genre == effects.mean.shape[1]]
    density = np.exp(model.log_densities(trials, trials.similarity[:, None], new)[0][:, 0])
    c = model.coefficients
    for trial in range(3):
        x, s = trials.covariates[trial], trials.similarity[trial]
        location, scale = x @ c.location[0], np.exp(x @ c.log_scale)
        exact, _ = quad(
            lambda u, location=location, scale=scale, s=s: (
                norm.pdf(s, location + u, scale) * norm.pdf(u, 0, spread)
            ),
            -3,
            3,
        )
        assert density[trial].mean() == pytest.approx(exact, rel=0.03)


def test_it_is_the_ratio_of_the_two_marginal_densities() -> None:
    """And so its mean over different authors is the share of the same author that is integrated."""
    model, trials = evidence(2), compared(2).at(slice(1))
    low, high = (float(end[0]) for end in model.supported(trials))
    grid = np.linspace(low, high, 4_000)
    many = Compared(*(np.repeat(field, len(grid), 0) for field in trials))._replace(similarity=grid)
    weights = np.exp(model.log_weights(many))
    densities = model.log_densities(many, grid[:, None], Points.of(model.effects).effects)
    of_two, of_one = ((np.exp(each[:, 0]) * weights).sum(1) for each in densities)
    found = np.exp(model.log_lr(many))
    assert found == pytest.approx(of_one / of_two, rel=1e-6)
    assert np.trapezoid(found * of_two, grid) == pytest.approx(np.trapezoid(of_one, grid))


def test_a_trial_has_the_same_ratio_alone_and_among_others() -> None:
    model, trials = evidence(), compared(3)
    together = model.log_lr(trials)
    alone = [model.log_lr(trials.at(slice(i, i + 1)))[0] for i in range(len(together))]
    assert together == pytest.approx(alone, abs=1e-9)


def test_it_is_read_as_it_was_written() -> None:
    model, trials = evidence(4), compared(4)
    again = GenreEvidence.of(model.tensors())
    assert again.genres.names == model.genres.names
    assert np.array_equal(again.log_lr(trials), model.log_lr(trials))


@pytest.mark.parametrize(
    "damage",
    [
        lambda tensors: tensors.pop("effects.of_new"),
        lambda tensors: tensors.update({"genres.names": np.frombuffer(b"[1]", np.uint8)}),
        lambda tensors: tensors.update({"genres.names": np.frombuffer(b"[" * 9000, np.uint8)}),
        lambda tensors: tensors.update({"coefficients.location": np.zeros((2, 2))}),
        lambda tensors: tensors.update({"effects.of_new": -np.eye(3)}),
        lambda tensors: tensors.update({"effects.mean": np.full((4, 3), 1e9)}),
        lambda tensors: tensors.update({"genres.sharpness": np.zeros(())}),
        lambda tensors: tensors.update({"genres.between": np.zeros(2)}),
        lambda tensors: tensors.update({"genres.axes": np.zeros(4)}),
        lambda tensors: tensors.update({"coefficients.lowest": np.zeros(2)}),
    ],
)
def test_what_is_no_evidence_is_refused_in_a_sentence(damage) -> None:  # type: ignore[no-untyped-def]
    tensors = evidence().tensors()
    damage(tensors)
    with pytest.raises(InputError, match="holds no evidence by genres"):
        GenreEvidence.of(tensors)
