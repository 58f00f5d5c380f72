"""Which genre texts are of: known, new, or two at once."""

import numpy as np
import pytest

from samehand.scoring.distance import Compared
from tests.scoring.made import evidence


def trial(middle: np.ndarray, parting: np.ndarray) -> Compared:
    return Compared(np.zeros(1), np.zeros((1, 1)), middle[None], parting[None])


def test_shares_sum_to_one() -> None:
    genres = evidence().genres
    rng = np.random.default_rng(0)
    shares = genres.log_shares(trial(*rng.normal(size=(2, 12))))
    assert np.exp(shares).sum() == pytest.approx(1)
    assert shares.shape == (1, len(genres.names) + 2)


def test_texts_of_a_known_genre_are_likeliest_of_it() -> None:
    genres = evidence().genres
    back = np.linalg.pinv(genres.axes)
    for number, mean in enumerate(genres.means):
        shares = genres.log_shares(trial(genres.centre + mean @ back, np.zeros(12)))[0]
        assert shares[: len(genres.names)].argmax() == number


def test_the_share_of_a_new_genre_grows_with_how_unlike_all_known_ones_texts_are() -> None:
    genres = evidence().genres
    away = np.linalg.pinv(genres.axes)[0]
    new = [
        genres.log_shares(trial(genres.centre + far * away, np.zeros(12)))[0, -1]
        for far in (0, 4, 8, 16)
    ]
    assert new == sorted(new)
    assert np.exp(new[-1]) > 0.99 * (1 - genres.share_two)


def test_the_share_of_two_genres_grows_with_how_far_the_sides_lie_apart() -> None:
    genres = evidence().genres
    along = np.linalg.pinv(genres.axes)[0]
    two = [
        genres.log_shares(trial(genres.centre, far * along))[0, -2] for far in (0.0, 3.0, 6.0, 12.0)
    ]
    assert two == sorted(two)
    assert np.exp(two[0]) < genres.share_two
    assert np.exp(two[-1]) > 0.9
