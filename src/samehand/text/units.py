"""Sentence-like units: overlapping windows over a document's tokens ("Sliding Windowing")."""

from typing import NamedTuple


class Windowing(NamedTuple):
    """How a document is cut into units."""

    width: int = 30
    """T_w: tokens in a unit."""
    hop: int = 26
    """h: tokens from the start of one unit to the start of the next, `width` at most."""
    cap: int = 210
    """The most units of a document that are read."""

    def count(self, n_tokens: int) -> int:
        """T_s = ⌈(N − T_w + h) / h⌉, at least 1 and at most `cap`.

        The last unit always holds a token that the one before it does not.
        """
        return min(self.cap, max(1, -((self.width - self.hop - n_tokens) // self.hop)))

    def span(self, n_units: int) -> int:
        """The most tokens that `n_units` units cover."""
        return (n_units - 1) * self.hop + self.width

    def bounds(self, n_tokens: int) -> list[tuple[int, int]]:
        """First and one-past-last token of each unit."""
        starts = range(0, self.count(n_tokens) * self.hop, self.hop)
        return [(start, min(start + self.width, n_tokens)) for start in starts]
