"""Peers: methods that say by a number how alike two texts are."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[str, str]


class Peer(Protocol):
    """A published method, before its numbers are turned into probabilities."""

    def fit(self, texts: Sequence[str]) -> None:
        """Learn what the method needs of training text: a vocabulary, weights, means."""

    def features(self, pairs: Sequence[Pair]) -> Floats:
        """Measures of each pair: (pairs, numbers). The first is how alike its texts are."""


def distinct(pairs: Sequence[Pair]) -> tuple[list[str], NDArray[np.int64]]:
    """The texts of some pairs, each once, and where the two of each pair stand: (pairs, 2)."""
    place: dict[str, int] = {}
    where = [[place.setdefault(text, len(place)) for text in pair] for pair in pairs]
    return list(place), np.array(where, dtype=np.int64).reshape(-1, 2)


def cosines(vectors: Floats, where: NDArray[np.int64]) -> Floats:
    """Cosine of the two vectors of each pair, (pairs, 1); 0 where one of them is nothing."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return np.einsum("pv,pv->p", unit[where[:, 0]], unit[where[:, 1]])[:, None]
