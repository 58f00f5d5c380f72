"""The effects of genres on how alike texts are, and the points that stand for them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.scoring.numerics import normal_points

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Tensors = Mapping[str, NDArray[Any]]

EFFECTS = 3
"""Numbers that a genre has: u₀, u₁ and w."""
NEW_POINTS, KNOWN_POINTS = 256, 8
"""Points by which the effects of a new genre, and of each known one, are integrated out."""


class Effects(NamedTuple):
    """Effects (u₀, u₁, w) of genres: what is known of them.

    A genre has two views of equal weight where it was judged both by networks that have met it and
    by networks that have not: texts that look like it may be of another that is much like it.
    """

    mean: Floats
    """(views, genres, 3) of the known genres; the last is that of two genres at once"""
    covariance: Floats
    """(views, genres, 3, 3) what is not known of them"""
    of_new: Floats
    """(3, 3) Σ: how the effects of genres scatter"""
    mean_of_new: Floats
    """(3,) around which those of genres scatter that networks have not met"""

    @classmethod
    def of(cls, tensors: Tensors) -> "Effects":
        """The effects in tensors; models of earlier versions have one view and no mean."""
        found = {"effects.mean_of_new": np.zeros(EFFECTS), **tensors}
        effects = cls(**numbers(found, "effects", cls._fields))
        if effects.mean.ndim == EFFECTS:
            return effects
        return effects._replace(mean=effects.mean[None], covariance=effects.covariance[None])

    def new(self, n: int) -> Floats:
        """Points (n, 3) that stand for the effects of a new genre."""
        points: Floats = normal_points(n, EFFECTS) @ np.linalg.cholesky(self.of_new).T
        return points + self.mean_of_new


class Points(NamedTuple):
    """Effects that stand for a distribution of them, by genre."""

    effects: Floats
    """(points, 3)"""
    genre: Longs
    """(points,) the number of the genre"""
    log_weight: Floats
    """(points,) of each among those of its genre"""

    @classmethod
    def of(cls, effects: Effects, known: int = KNOWN_POINTS, new: int = NEW_POINTS) -> "Points":
        """So many points for each known genre, and for a new one, whose number is the last."""
        z = normal_points(known, EFFECTS)
        of_known = effects.mean[:, :, None] + np.einsum(
            "pj,vgij->vgpi", z, np.linalg.cholesky(effects.covariance)
        )
        views, n = effects.mean.shape[:2]
        genre = np.tile(np.repeat(np.arange(n), known), views)
        return cls(
            np.concatenate([of_known.reshape(-1, EFFECTS), effects.new(new)]),
            np.append(genre, np.full(new, n)),
            -np.log(np.repeat([known * views, new], [len(genre), new])),
        )


def numbers(tensors: Tensors, part: str, fields: Sequence[str]) -> dict[str, Any]:
    """The named fields of a part of the evidence, single numbers as such."""
    found = {field: np.asarray(tensors[f"{part}.{field}"], np.float64) for field in fields}
    return {field: value if value.ndim else float(value) for field, value in found.items()}
