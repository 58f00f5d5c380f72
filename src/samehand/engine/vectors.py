"""The engine's vectors of texts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Longs = NDArray[np.int64]


class TextVectors(NamedTuple):
    """Vectors of style of some texts, and how much of each was read."""

    style: Floats
    """(texts, sum of sizes): LEVs of all networks side by side; NaN for a text without a token"""
    tokens: Longs
    """(texts,) tokens that were read"""
    sizes: tuple[int, ...]
    """The size of each network's LEV."""

    @property
    def texts(self) -> int:
        """How many texts there are; `len` of a named tuple counts its fields."""
        return len(self.tokens)

    def at(self, places: Sequence[int] | NDArray[np.int64] | slice) -> "TextVectors":
        """Some of the texts, in that order."""
        chosen = places if isinstance(places, slice) else np.asarray(places, np.int64)
        return TextVectors(self.style[chosen], self.tokens[chosen], self.sizes)

    def of_networks(self, numbers: Sequence[int]) -> "TextVectors":
        """The texts as some of the networks see them."""
        parts = np.split(self.style, np.cumsum(self.sizes)[:-1], axis=1)
        style = np.concatenate([parts[number] for number in numbers], axis=1)
        return self._replace(style=style, sizes=tuple(self.sizes[number] for number in numbers))

    def each_network(self) -> list["TextVectors"]:
        """The texts as each network alone sees them."""
        return [self.of_networks([number]) for number in range(len(self.sizes))]

    def replaced(self, place: int, other: "TextVectors") -> "TextVectors":
        """These texts, with the one at `place` replaced by the only text of `other`."""
        before, after = self.at(slice(0, place)), self.at(slice(place + 1, None))
        return joined([before, other, after])


def joined(parts: Sequence[TextVectors]) -> TextVectors:
    """The texts of several, one after another; there is one at least, and all are of one model."""
    if len({part.sizes for part in parts}) != 1:
        raise ValueError("vectors of different models cannot be joined")
    return TextVectors(
        np.concatenate([part.style for part in parts]),
        np.concatenate([part.tokens for part in parts]),
        parts[0].sizes,
    )
