"""What white space tells of a hand: where lines end, and which marks stand close to words.

Some set a dash between words without space, some put a blank before a question mark, some write
paragraphs of one sentence. Line ends become tokens of their own, and marks are told apart by the
sides on which they are joined to something.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]

LINE_END, BLANK_LINE = "↵", "¶"
"""The types of a line end, and of one or more blank lines."""
JOINED = "‿"
"""In the type of a mark, on a side where no space parts it from what is there: `‿,` and `(‿`."""

_WIDEST_WRAPPED = 100
"""Characters: a text without any longer line was broken into lines by an editor, not its writer."""
_LEAST_FILLED = 0.5
"""Such an editor breaks no line before this share of the widest; who does so means it."""


class Breaks(NamedTuple):
    """White space with a line feed in it, each of them a token as long as its first line feed."""

    places: Ints
    """Where that is, in characters."""
    blank_lines: Bools
    """Whether there are more line feeds than one."""
    pieces: Longs
    """How many pieces stand before it."""


def breaks(lines: Ints, fed: Bools, pieces: Ints, texts: Ints) -> Breaks:
    """The line ends that their writers seem to have meant, in texts joined by line feeds.

    All are given by the characters before them: lines, of which those that are `fed` stand behind a
    line feed, pieces, and texts; what begins behind the last text counts as a line and as a text.
    What is found before the first piece of a text, or behind its last, is for the caller to drop.
    """
    begins = lines[fed]
    if len(begins) == len(texts):
        return Breaks(np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros(0, np.int64))
    before = np.searchsorted(pieces, begins)
    inked = before[1:] > before[:-1]
    broken = np.flatnonzero(inked[:-1])  # lines with something on them, but the last of all
    blank_lines = ~inked[broken + 1]
    widths = np.diff(begins)[broken] - 1
    first_lines = np.searchsorted(lines, texts[:-1])
    widest = np.maximum.reduceat(np.diff(lines), first_lines) - 1  # of each text
    widest = widest[np.searchsorted(texts, begins[broken], "right") - 1]
    meant = blank_lines | (widest > _WIDEST_WRAPPED) | (widths < _LEAST_FILLED * widest)
    behind = broken[meant] + 1
    return Breaks(begins[behind] - 1, blank_lines[meant], before[behind])


def spaced_name(mark: str, before: bool, after: bool) -> str:
    """The type of a mark that is joined to a token before it, to a word after it, or both."""
    return JOINED * before + mark + JOINED * after


def plain_name(name: str) -> str:
    """A type's name without what the space around it tells."""
    return name.strip(JOINED) or name
