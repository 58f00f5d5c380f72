"""Habits of white space: where lines end, and which marks stand close to words.

Some set a dash between words without space, some put a blank before a question mark, some write
paragraphs of one sentence. Line ends become tokens of their own, and marks are told apart by the
sides on which they are joined to something.
"""

from typing import NamedTuple

import numpy as np

from samehand.text.piece_cache import Longs
from samehand.text.splitting import Bools, Ints, Split

LINE_END, BLANK_LINE = "↵", "¶"
"""The types of a line end, and of one or more blank lines."""
JOINED = "‿"
"""In the type of a mark, on a side where no space parts it from what is there: `‿,` and `(‿`."""

_WIDEST_WRAPPED = 100
"""Characters: a text without any longer line was broken into lines by an editor, not its writer."""
_LEAST_FILLED = 0.5
"""Such an editor ends no line before this share of the widest; what is shorter was meant."""


class Breaks(NamedTuple):
    """White space with line feeds in it, each a token that stands where the first of them is."""

    places: Ints
    """Characters before each."""
    are_blank_lines: Bools
    """Whether there is more than one line feed."""
    pieces: Longs
    """The number of the piece that follows each."""


def breaks(split: Split, n_tokens: Ints, texts: Ints) -> Breaks:
    """The line ends between tokens of a text that its writer seems to have meant.

    `split` is of many texts joined by line feeds, `n_tokens` tells how many tokens each piece has,
    and `texts` where each text begins, and in the end where one would begin behind the last.
    """
    lines = split.lines[split.fed]
    if len(lines) == len(texts):  # line feeds stand between texts only
        return Breaks(np.zeros(0, np.int32), np.zeros(0, np.bool_), np.zeros(0, np.int64))
    pieces = np.searchsorted(split.characters, lines)  # before each line
    inked = pieces[1:] > pieces[:-1]  # lines that are not blank
    ended = np.flatnonzero(inked[:-1])
    following = ended + 1  # lines
    is_blank = ~inked[following]
    text = np.searchsorted(texts, lines[ended], "right") - 1
    widest = _widest(split.lines, texts)[text]
    width = lines[following] - lines[ended] - 1
    meant = is_blank | (widest > _WIDEST_WRAPPED) | (width < _LEAST_FILLED * widest)

    # Nothing before the first token of a text, and nothing behind its last.
    before, edges = pieces[following], np.searchsorted(split.characters, texts)
    if not n_tokens.all():  # some pieces have only characters that cannot be seen
        tokens_before = np.append(0, n_tokens.cumsum())
        before, edges = tokens_before[before], tokens_before[edges]
    meant &= (edges[text] < before) & (before < edges[text + 1])
    following = following[meant]
    return Breaks(lines[following] - 1, is_blank[meant], pieces[following])


def _widest(lines: Ints, texts: Ints) -> Ints:
    """Characters in the widest line of each text."""
    widths = np.diff(lines) - 1
    widest: Ints = np.maximum.reduceat(widths, np.searchsorted(lines, texts[:-1]))
    return widest


def spaced_name(mark: str, before: bool, after: bool) -> str:
    """The type of a mark that is joined to a token before it, to a word after it, or both."""
    return JOINED * before + mark + JOINED * after


def plain_name(name: str) -> str:
    """A type's name without what the space around it tells."""
    return name.strip(JOINED) or name
