"""The first stage of scoring: how far apart the two sides of a trial lie, and what they are like.

The distance is that of the questioned text's vector to the mean of the known texts' vectors.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

COVARIATES = ("one", "fewer_tokens", "log_known", "several_known", "spread_of_known")
"""Covariates of the distribution of distances, besides the genre; the first is always 1."""

_BENT = 0.97
"""LEVs are tanh of what the network computed; beyond this the tanh is not undone. With 0.995 a few
directions in which a style is extreme would outweigh all others."""
_LEAST = 1e-6
"""Added to squared distances, so that identical texts have a finite similarity."""
_USUAL_LOG_TOKENS = 6.0
_USUAL_LOG_SPREAD = float(np.log(8.0))
"""Values near the middle of real trials, so that coefficients do not trade against the constant."""


class Trials(NamedTuple):
    """Which texts are compared, by their places among some texts."""

    questioned: Longs
    """(trials,)"""
    known: Longs
    """(trials, most known texts); −1 where a trial has fewer"""

    @classmethod
    def of(cls, questioned: Sequence[int], known: Sequence[Sequence[int]]) -> "Trials":
        """Trials from lists of places; each trial has one known text at least."""
        padded = np.full((len(known), max(map(len, known), default=1)), -1, np.int64)
        for row, places in zip(padded, known, strict=True):
            if not len(places):
                raise ValueError("a trial has no known text")
            row[: len(places)] = places
        return cls(np.asarray(questioned, np.int64), padded)

    def at(self, chosen: Longs | slice | NDArray[np.bool_]) -> "Trials":
        """Some of them."""
        return Trials(self.questioned[chosen], self.known[chosen])


class Compared(NamedTuple):
    """Results of comparing the texts of trials."""

    similarity: Floats
    """(trials,) minus the logarithm of the squared distance of the two sides"""
    covariates: Floats
    """(trials, covariates)"""
    middle: Floats
    """(trials, size) the mean of the two sides' vectors"""
    parting: Floats
    """(trials, size) the difference of the two sides' vectors"""

    def at(self, chosen: Longs | slice | NDArray[np.bool_]) -> "Compared":
        """Some of the trials."""
        return Compared(*(field[chosen] for field in self))


class KnownSides(NamedTuple):
    """All that counts of the known texts of trials."""

    mean: Floats
    """(trials, size) of their straightened vectors"""
    log_tokens: Floats
    """(trials,) the mean of the logarithms of their lengths"""
    n: Longs
    """(trials,) how many there are"""
    spread: Floats
    """(trials,) the mean squared distance of each to the mean, of several"""


def straightened(vectors: TextVectors) -> Floats:
    """Vectors (texts, size) whose squared distance is the mean of the networks' squared distances.

    LEVs are taken as they were before their tanh, which hides differences of pronounced traits.
    """
    scale = 1.0 / np.sqrt(len(vectors.sizes))
    bent = vectors.style.astype(np.float64).clip(-_BENT, _BENT)
    straight: Floats = np.arctanh(bent) * scale
    return straight


def farthest(sizes: tuple[int, ...]) -> float:
    """The largest number in straightened vectors of networks of these sizes."""
    return float(np.arctanh(_BENT) / np.sqrt(len(sizes)))


def restored(straight: NDArray[Any], tokens: Longs, sizes: tuple[int, ...]) -> TextVectors:
    """Vectors of texts from straightened ones, which they are but for what no distance shows."""
    scale = np.sqrt(len(sizes))
    style = np.tanh(straight.astype(np.float64) * scale).astype(np.float32)
    return TextVectors(style, tokens, sizes)


def compare(vectors: TextVectors, trials: Trials) -> Compared:
    """Compare the questioned text of each trial with its known texts."""
    style = straightened(vectors)
    log_tokens = np.log(np.maximum(vectors.tokens, 1).astype(np.float64))
    sides = known_sides(style, log_tokens, trials.known)
    return compare_sides(style[trials.questioned], log_tokens[trials.questioned], sides)


def known_sides(style: Floats, log_tokens: Floats, known: Longs) -> KnownSides:
    """Known sides of trials; `style`: straightened vectors, `known`: (trials, most texts)."""
    mask = known >= 0  # (trials, known)
    n = mask.sum(1)
    vectors = style[known] * mask[:, :, None]  # (trials, known, size)
    mean = vectors.sum(1) / n[:, None]
    around = (np.square(vectors - mean[:, None]).sum(2) * mask).sum(1)
    spread = around / np.maximum(n - 1, 1)
    return KnownSides(mean, (log_tokens[known] * mask).sum(1) / n, n, spread)


def compare_sides(questioned: Floats, log_tokens: Floats, known: KnownSides) -> Compared:
    """Compare questioned texts, by their straightened vectors, with the known side of each."""
    several = known.n > 1
    covariates = (
        np.ones(len(known.n)),
        np.minimum(log_tokens, known.log_tokens) - _USUAL_LOG_TOKENS,
        np.log(known.n),
        several.astype(np.float64),
        np.where(several, np.log(known.spread + _LEAST) - _USUAL_LOG_SPREAD, 0.0),
    )
    parting = questioned - known.mean
    similarity = -np.log(np.square(parting).sum(1) + _LEAST)
    return Compared(similarity, np.stack(covariates, 1), (questioned + known.mean) / 2, parting)


def similarity_by_network(vectors: TextVectors, trials: Trials) -> list[Floats]:
    """Similarities (trials,) by the distances of each network alone."""
    return [compare(of_one, trials).similarity for of_one in vectors.each_network()]
