"""Distances, and what trials are like."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from samehand.engine.vectors import TextVectors
from samehand.scoring.distance import COVARIATES, Trials, compare, similarity_by_network
from tests.scoring.made import SIZES, vectors


def covariate(name: str, of: TextVectors, trials: Trials) -> float:
    return float(compare(of, trials).covariates[0, COVARIATES.index(name)])


def test_the_distance_is_the_mean_of_the_networks_squared_distances() -> None:
    of = vectors(2)
    raw = np.arctanh(of.style.astype(np.float64))
    apart = [
        cdist(part[:1], part[1:], "sqeuclidean")[0, 0]
        for part in np.split(raw, np.cumsum(SIZES)[:-1], axis=1)
    ]
    trials = Trials.of([0], [[1]])
    assert compare(of, trials).similarity[0] == pytest.approx(-np.log(np.mean(apart)), abs=1e-5)
    alone = [float(each[0]) for each in similarity_by_network(of, trials)]
    assert alone == pytest.approx(-np.log(apart), abs=1e-5)


def test_several_known_texts_count_as_their_mean() -> None:
    of = vectors(4)
    raw = np.arctanh(of.style.astype(np.float64))
    squared = np.square(raw[0] - raw[1:].mean(0)).sum() / len(SIZES)
    found = compare(of, Trials.of([0], [[1, 2, 3]]))
    assert found.similarity[0] == pytest.approx(-np.log(squared), abs=1e-5)


def test_places_that_stand_for_no_text_change_nothing() -> None:
    of = vectors(5)
    alone = compare(of, Trials.of([0], [[1]]))
    beside = compare(of, Trials.of([0, 2], [[1], [1, 3, 4]]))
    assert beside.similarity[0] == alone.similarity[0]
    assert np.array_equal(beside.covariates[0], alone.covariates[0])


def test_covariates_tell_length_number_and_spread() -> None:
    of = vectors(4)._replace(tokens=np.array([100, 400, 400, 400]))
    one, three = Trials.of([0], [[1]]), Trials.of([0], [[1, 2, 3]])
    assert covariate("one", of, one) == 1
    assert covariate("fewer_tokens", of, one) == pytest.approx(np.log(100) - 6)
    assert covariate("log_known", of, three) == pytest.approx(np.log(3))
    assert (covariate("several_known", of, one), covariate("several_known", of, three)) == (0, 1)
    assert covariate("spread_of_known", of, one) == 0
    assert covariate("spread_of_known", of, three) != 0


def test_identical_texts_and_bent_extremes_have_finite_similarities() -> None:
    of = vectors(3)
    style = of.style.copy()
    style[1], style[2] = 1.0, -1.0
    found = compare(of._replace(style=style), Trials.of([1, 1], [[1], [2]])).similarity
    assert np.isfinite(found).all()
    assert found[0] > found[1]


def test_a_trial_without_known_texts_is_refused() -> None:
    with pytest.raises(ValueError, match="no known text"):
        Trials.of([0], [[]])
