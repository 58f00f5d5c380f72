"""Evidence by genres, fitted to trials that networks judged who had met nobody in them.

Coefficients and effects of genres are found by Fisher scoring, the covariance Σ of the effects by
expectation and maximisation, in turns. Each genre counts alike, however many trials it has.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from samehand.fitting.material import Material
from samehand.scoring.case_effects import unrelated_pairs
from samehand.scoring.distance import Compared, Trials, straightened
from samehand.scoring.effects import EFFECTS, Effects
from samehand.scoring.evidence import Coefficients, GenreEvidence
from samehand.scoring.genres import Genres

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]

DIMENSIONS = 16
"""Axes along which genres are told apart."""
SHARPNESS, SHARE_NEW, SHARE_TWO = 0.5, 0.3, 0.1
"""Values for `Genres`; chosen by leaving genres out, see docs/evidence.md."""
_TRIALS_A_GENRE = 200.0
"""So many trials the trials of a genre count for together."""
_RIDGE = 0.5
"""Precision of coefficients around 0, constants apart."""
_LEAST_VARIANCE = 1e-3
_ROUNDS = 40
_TEXTS_A_GENRE = 400
_ACROSS = 5
"""Pairs of texts of each two genres."""
_SHRINKAGE = 0.1
_USUAL = 0.995
"""Share of trials beyond which no data count as being there."""


def fit_evidence(material: Material) -> GenreEvidence:
    """Evidence for the genres that the trials are of."""
    drawn = material.drawn
    numbers = np.unique(drawn.genres[~drawn.mixed])
    genre = np.searchsorted(numbers, drawn.genres[:, 0])
    genre[drawn.mixed] = len(numbers)
    coefficients, effects = fit_effects(
        material.compared, drawn.same, genre, len(numbers), material.novel
    )
    # Of each genre the texts of its last panel: of those that have not met it, if there are any.
    last = [material.panel[material.source == number].max() for number in numbers]
    texts = [
        np.flatnonzero((material.source == number) & (material.panel == panel))[:_TEXTS_A_GENRE]
        for number, panel in zip(numbers, last, strict=True)
    ]
    apart = []
    for own, own_effects, panel in zip(texts, effects.mean[-1], last, strict=False):
        one_each = _of_each_author(own, material.author)
        if len(one_each) > 1:
            unrelated = material.compare(unrelated_pairs(one_each), material.panels[panel])
            apart.append(_deviation(coefficients, own_effects, unrelated))
    coefficients = coefficients._replace(unrelated=float(np.mean(apart)) if apart else 0.0)
    effects = of_two_genres(coefficients, effects, material, texts)
    style = straightened(material.of_model)
    names = [material.names[number] for number in numbers]
    return GenreEvidence(coefficients, effects, fit_genres([style[own] for own in texts], names))


def fit_effects(
    compared: Compared, same: Bools, genre: Ints, n: int, novel: Bools
) -> tuple[Coefficients, Effects]:
    """`genre` (trials,): that of each trial, n for sides of two genres.

    `novel` (trials,): whether the networks that judged a trial have met nothing of its genre.
    """
    of_one = genre < n
    views = 2 if novel[of_one].any() and not novel[of_one].all() else 1
    rows = views * n + 1
    row = np.where(of_one, genre + n * novel * (views - 1), rows - 1)
    has_trials = np.bincount(row, minlength=rows)[:-1] > 0
    second = np.arange(rows - 1) >= n  # those of networks that have not met the genre
    x, s = compared.covariates, compared.similarity
    weight = _TRIALS_A_GENRE / np.bincount(row, minlength=rows)[row]
    k, of_row = x.shape[1], 3 * x.shape[1] + EFFECTS * row
    location = _design(x, k * same, of_row + same, k, rows)
    log_scale = _design(x, np.full(len(x), 2 * k), of_row + 2, k, rows)
    found: Floats = np.zeros(location.shape[1])
    found[[0, k]], found[2 * k] = s.mean(), np.log(s.std())
    of_new, mean_of_new = 0.1 * np.eye(EFFECTS), np.zeros(EFFECTS)
    for _ in range(_ROUNDS):
        prior = _prior(of_new, k, rows)
        expected = np.zeros((rows, EFFECTS))
        expected[:-1][second] = mean_of_new
        off = found - np.append(np.zeros(3 * k), expected)
        narrow = np.exp(-(log_scale @ found))
        deviation = (s - location @ found) * narrow
        information = (
            location.T @ sparse.diags(weight * np.square(narrow)) @ location
            + log_scale.T @ sparse.diags(2 * weight) @ log_scale
        ).toarray() + prior
        gradient = location.T @ (weight * deviation * narrow) + log_scale.T @ (
            weight * (np.square(deviation) - 1)
        )
        found = found + np.linalg.solve(information, gradient - prior @ off)
        mean, covariance = _effects(found, information, k, rows)
        if views > 1:  # drawn to 0, as the effects of one more genre are
            known = mean[:-1][second & has_trials]
            mean_of_new = known.sum(0) / (len(known) + 1)
        scattered = (mean - expected)[:-1][has_trials]
        of_new = scattered.T @ scattered / len(scattered) + covariance[:-1][has_trials].mean(0)
        of_new += _LEAST_VARIANCE * np.eye(EFFECTS)
    a, b = found[: 2 * k].reshape(2, k), found[2 * k : 3 * k]
    narrow = np.exp(-(x @ b))
    lowest, highest = (
        float(np.quantile((sign * (s - x @ a[h]) * narrow)[same == h], _USUAL))
        for h, sign in ((0, -1.0), (1, 1.0))
    )
    judged = has_trials.reshape(views, n)
    of_view = _by_view(mean, judged), _by_view(covariance, judged)
    return Coefficients(a, b, lowest, highest, 0.0), Effects(*of_view, of_new, mean_of_new)


def _by_view(of_rows: Floats, judged: Bools) -> Floats:
    """Effects (views, genres + 1, …) of rows; `judged` (views, genres): which have trials.

    A genre that was judged in one view only has this for both.
    """
    views, n = judged.shape
    of_genres = of_rows[:-1].reshape(views, n, *of_rows.shape[1:])
    own = np.where(judged, np.arange(views)[:, None], judged.argmax(0))
    chosen = of_genres[own, np.arange(n)]
    two = np.broadcast_to(of_rows[-1], (views, 1, *of_rows.shape[1:]))
    return np.concatenate([chosen, two], 1)


def of_two_genres(
    c: Coefficients, effects: Effects, material: Material, texts: list[Longs]
) -> Effects:
    """The effects of two genres at once, by what texts of different genres have in common.

    How far the same author's texts are more alike than others is known from people who wrote in
    two genres, and these are few. How far both are less alike than within a genre is known for all
    pairs of genres, from texts by different people; between such pairs it varies.
    """
    pairs = [
        (one[(step + i) % len(one)], other[(step + j) % len(other)])
        for i, one in enumerate(texts)
        for j, other in enumerate(texts[:i])
        for step in range(_ACROSS)
    ]
    if not pairs:
        return effects
    questioned, known = np.array(pairs).T
    compared = material.compare(Trials(questioned, known[:, None]))
    apart = (compared.similarity - compared.covariates @ c.location[0]).reshape(-1, _ACROSS)
    varies = apart.mean(1).var() - apart.var(1, ddof=1).mean() / _ACROSS
    mean, covariance = effects.mean.copy(), effects.covariance.copy()
    mean[:, -1, :2] += apart.mean() - mean[:, -1, :1]
    covariance[:, -1, :2, :2] += max(varies, 0.0)
    return effects._replace(mean=mean, covariance=covariance)


def fit_genres(style: list[Floats], names: list[str]) -> Genres:
    """Genres with these names, by straightened vectors (texts, size) of some texts of each."""
    means = np.stack([own.mean(0) for own in style])
    within = np.mean([np.cov(own.T, bias=True) for own in style], 0)
    within = (1 - _SHRINKAGE) * within + _SHRINKAGE * np.diag(np.diag(within))
    root = np.linalg.cholesky(within + _LEAST_VARIANCE * np.eye(len(within)))
    centre = means.mean(0)
    whitened = np.linalg.solve(root, (means - centre).T).T
    _, lengths, directions = np.linalg.svd(whitened, full_matrices=False)
    kept = max(1, min(DIMENSIONS, len(names) - 1))
    axes = np.linalg.solve(root.T, directions[:kept].T)
    return Genres(
        names=tuple(names),
        centre=centre,
        axes=axes,
        means=(means - centre) @ axes,
        between=np.square(lengths[:kept]) / len(names) + _LEAST_VARIANCE,
        sharpness=SHARPNESS,
        share_new=SHARE_NEW,
        share_two=SHARE_TWO,
    )


def _of_each_author(texts: Longs, author: Ints) -> Longs:
    """The first of the texts by each author."""
    found: Longs = texts[np.unique(author[texts], return_index=True)[1]]
    return found


def _deviation(c: Coefficients, effects: Floats, compared: Compared) -> float:
    """Mean deviations by which texts are more alike than different authors of their genre."""
    x = compared.covariates
    deviation = compared.similarity - x @ c.location[0] - effects[0]
    return float((deviation * np.exp(-(x @ c.log_scale) - effects[2])).mean())


def _design(x: Floats, first: Ints, effect: Ints, k: int, rows: int) -> sparse.csr_matrix:
    """Rows of k covariates from a place `first` on, and a 1 at the place of an effect."""
    columns = np.concatenate([first[:, None] + np.arange(k), effect[:, None]], 1)
    values = np.concatenate([x, np.ones((len(x), 1))], 1)
    starts = np.arange(0, columns.size + 1, k + 1)
    shape = (len(x), 3 * k + EFFECTS * rows)
    return sparse.csr_matrix((values.ravel(), columns.ravel(), starts), shape)


def _prior(of_new: Floats, k: int, rows: int) -> Floats:
    """The precision of all coefficients and effects before there are data."""
    prior = np.zeros((3 * k + EFFECTS * rows,) * 2)
    ridge = np.full((3, k), _RIDGE)
    ridge[:, 0] = 0.0
    prior[: 3 * k, : 3 * k] = np.diag(ridge.ravel())
    prior[3 * k :, 3 * k :] = np.kron(np.eye(rows), np.linalg.inv(of_new))
    return prior


def _effects(found: Floats, information: Floats, k: int, rows: int) -> tuple[Floats, Floats]:
    """The effects (rows, 3), and what is not known of them given the coefficients."""
    blocks = information[3 * k :, 3 * k :].reshape(rows, EFFECTS, rows, EFFECTS)
    own = np.stack([blocks[row, :, row] for row in range(rows)])
    covariance: Floats = np.linalg.inv(own).astype(np.float64)
    mean: Floats = found[3 * k :].reshape(rows, EFFECTS)
    return mean, covariance
