"""Which genre the texts of a trial belong to: a known one, a new one, or each side to another.

Vectors of texts z scatter around the mean of their genre, and the means of genres around a common
mean (a two-covariance model): z | g ~ N(m_g, 1), m_g ~ N(0, b), both diagonal along the axes on
which genres differ most beside what texts of one genre differ. A new genre's mean is integrated
out. So the share of "a new genre" grows with how unlike the texts are to those of all known genres,
and that of "two genres" with how far the two sides lie apart along these axes.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.scoring.distance import Compared
from samehand.scoring.numerics import log_sum_exp

Floats = NDArray[np.float64]
Tensors = Mapping[str, NDArray[Any]]


class Genres(NamedTuple):
    """The known genres, and how a new one would scatter around them."""

    names: tuple[str, ...]
    centre: Floats
    """(size,) subtracted from vectors"""
    axes: Floats
    """(size, dimensions) along which texts of one genre have a variance of 1"""
    means: Floats
    """(genres, dimensions)"""
    between: Floats
    """(dimensions,) variance of the genres' means"""
    sharpness: float
    """The worth of a vector as an observation of its genre. Axes are not as independent as the
    model has them, so it is below 1. The two sides of a trial are worth no more than one."""
    share_new: float
    """The prior probability that a trial's genre is a new one."""
    share_two: float
    """The prior probability that the two sides are of different genres."""

    @classmethod
    def of(cls, tensors: Tensors) -> "Genres":
        """The genres in tensors as `tensors()` names them."""
        arrays = {
            field: np.asarray(tensors[f"genres.{field}"], np.float64)
            for field in cls._fields
            if field != "names"
        }
        names = json.loads(tensors["genres.names"].tobytes())
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("genres have no names")
        numbers: dict[str, Any] = {
            field: value if value.ndim else float(value) for field, value in arrays.items()
        }
        return cls(names=tuple(names), **numbers)

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it by names."""
        named: dict[str, NDArray[Any]] = {
            f"genres.{field}": np.asarray(value, np.float64)
            for field, value in self._asdict().items()
            if field != "names"
        }
        names = np.frombuffer(json.dumps(self.names).encode(), np.uint8)
        return named | {"genres.names": names}

    def is_sound(self) -> bool:
        """Whether all parts fit together, in shape and in size."""
        size, dimensions = self.axes.shape
        return (
            self.centre.shape == (size,)
            and self.means.shape == (len(self.names), dimensions)
            and self.between.shape == (dimensions,)
            and len(self.names) > 0
            and bool((self.between > 0).all())
            and 0 < self.sharpness < 100
            and all(0 < share < 1 for share in (self.share_new, self.share_two))
        )

    def log_shares(self, compared: Compared) -> Floats:
        """Log probabilities (trials, genres + 2) of the genre of each trial.

        The last but one is that of two genres, one for each side; the last that of a new genre.
        """
        of_one = self.log_shares_of_one(compared.middle)
        two, one = self.log_two(compared.parting)
        of_one += one[:, None]
        return np.concatenate([of_one[:, :-1], two[:, None], of_one[:, -1:]], 1)

    def log_shares_of_one(self, middle: Floats) -> Floats:
        """Log probabilities (some, genres + 1) of the genre of texts with a mean `middle`.

        The last is that of a new genre.
        """
        z = (middle - self.centre) @ self.axes
        precision = self.sharpness
        squared = np.square(z).sum(1)[:, None] - 2 * z @ self.means.T + np.square(self.means).sum(1)
        known = 0.5 * (z.shape[1] * np.log(precision) - precision * squared)
        variance = self.between + 1 / precision
        new = -0.5 * (np.square(z) / variance + np.log(variance)).sum(1)
        log_known = known + np.log((1 - self.share_new) / len(self.names))
        joint = np.concatenate([log_known, new[:, None] + np.log(self.share_new)], 1)
        shares: Floats = joint - log_sum_exp(joint, 1)[:, None]
        return shares

    def log_two(self, parting: Floats) -> tuple[Floats, Floats]:
        """Log probabilities (trials,) that the sides are of two genres, and that of one."""
        squared = np.square(parting @ self.axes)
        of_one = 2 / self.sharpness  # the variance of a difference
        of_two = of_one + 2 * self.between
        ratio = 0.5 * (squared * (1 / of_one - 1 / of_two) - np.log(of_two / of_one)).sum(1)
        odds = ratio + np.log(self.share_two) - np.log(1 - self.share_two)
        return -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
