"""Key word in context: each place of a habit, with what stands around it."""

from collections.abc import Sequence
from typing import NamedTuple

AROUND = 40
"""Characters of context to either side."""


class Line(NamedTuple):
    """One place, with white space made single blanks; a line end is shown as ↵."""

    before: str
    key: str
    after: str


def concordance(text: str, places: Sequence[tuple[int, int]], around: int = AROUND) -> list[Line]:
    """A line for each place of a text, in order."""
    return [
        Line(
            _plain(text[max(0, start - 2 * around) : start])[-around:],
            " ".join(text[start:end].split()) or "↵",
            _plain(text[end : end + 2 * around])[:around],
        )
        for start, end in places
    ]


def _plain(text: str) -> str:
    """Single blanks; those at an end stay, for they tell what a mark is joined to."""
    edges = text[:1].isspace() * " ", text[-1:].isspace() * " "
    inner = " ".join(text.split())
    return f"{edges[0]}{inner}{edges[1]}" if inner else edges[0]
