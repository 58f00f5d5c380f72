"""A text whose units are encoded: what was attended to, and the text with units left out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samehand.engine.forward import Floats, Units
from samehand.engine.vectors import Longs, TextVectors
from samehand.text.tokenise import Tokens

Bools = NDArray[np.bool_]
Describe = Callable[[Sequence[Units], Longs, Longs], tuple[Floats, list[Floats]]]

_VARIANTS_AT_ONCE = 64


@dataclass(frozen=True)
class EncodedText:
    """One text, whose units are encoded once, whatever is left out of it."""

    tokens: Tokens
    """Those that are read, with their characters in the text as it was given."""
    bounds: list[tuple[int, int]]
    """First and one-past-last token of each unit; neighbours may overlap."""
    vectors: TextVectors
    """Of the whole text: to the bit those of `Embedder.embed`."""
    unit_attention: Floats
    """(units,) how much each unit weighs, the mean of the networks; they sum to 1."""
    token_attention: Floats
    """(tokens,) that of each token in its units, times that of the unit; they sum to 1."""
    _encoded: Sequence[Units]
    _describe: Describe

    @classmethod
    def of(
        cls,
        tokens: Tokens,
        bounds: list[tuple[int, int]],
        encoded: Sequence[Units],
        sizes: tuple[int, ...],
        describe: Describe,
    ) -> "EncodedText":
        """`encoded`: the units in each network; `describe`: what makes documents of them."""
        n = len(bounds)
        style, attention = describe(encoded, np.arange(n)[None], np.array([n]))
        of_units = np.mean([weights[0] for weights in attention], axis=0)
        in_units = np.mean([units.attention for units in encoded], axis=0)
        of_tokens = np.zeros(len(tokens.types), np.float32)
        for (first, last), unit, weights in zip(bounds, of_units, in_units, strict=True):
            of_tokens[first:last] += unit * weights[: last - first]
        read = np.array([len(tokens.types)])
        vectors = TextVectors(style, read, sizes)
        return cls(tokens, bounds, vectors, of_units, of_tokens, encoded, describe)

    def unit_spans(self) -> list[tuple[int, int]]:
        """The first and one-past-last character of each unit."""
        starts, ends = self.tokens.starts.tolist(), self.tokens.ends.tolist()
        return [(starts[first], ends[last - 1]) for first, last in self.bounds]

    def keeping(self, kept: Bools) -> TextVectors:
        """Vectors of the text with units left out, one for each variant.

        `kept` (variants, units) is true where a unit is read, one of each variant at least. A
        variant has the tokens of all units that are kept.
        """
        lengths = kept.sum(1)
        if kept.shape[1] != len(self.bounds) or not lengths.all():
            raise ValueError("each variant needs a value for each unit, and one that is true")
        order = np.argsort(~kept, axis=1, kind="stable")
        style = [
            self._describe(self._encoded, np.ascontiguousarray(index), n)[0]
            for index, n in zip(_parts(order[:, : lengths.max()]), _parts(lengths), strict=True)
        ]
        return TextVectors(np.concatenate(style), self._tokens_kept(kept), self.vectors.sizes)

    def _tokens_kept(self, kept: Bools) -> Longs:
        """(variants,) tokens that lie in a unit that is kept."""
        edges = np.zeros((len(kept), len(self.tokens.types) + 1), np.int64)
        for unit, (first, last) in enumerate(self.bounds):
            edges[:, first] += kept[:, unit]
            edges[:, last] -= kept[:, unit]
        covered: Longs = np.count_nonzero(edges.cumsum(1), axis=1)
        return covered


def _parts(rows: Longs) -> list[Longs]:
    """Rows, so many at a time that what they need stays small."""
    return [rows[at : at + _VARIANTS_AT_ONCE] for at in range(0, len(rows), _VARIANTS_AT_ONCE)]
