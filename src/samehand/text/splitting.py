"""Where the pieces and the lines of a text begin and end, found in all of its bytes at once.

Pieces are what stands between white space, less the marks around a word, such as `"` and `,`:
without them there are half as many distinct ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.text.piece_cache import KEY_BYTES, Longs
from samehand.text.rules import LEADING, TRAILING

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

# Kinds of bytes: the first two end lines, the first three are white space.
_LINE_FEED, _OTHER_LINE_END, _SPACE, _LETTER, _INK, _TRAILS, _LEADS_OR_TRAILS, _LEADS = range(8)
_KINDS = bytes(
    _INK if code > 127
    else _LINE_FEED if (character := chr(code)) == "\n"
    else _OTHER_LINE_END if character in "\r\v\f\x1c\x1d\x1e"
    else _SPACE if character.isspace()
    else _LETTER if character.isalpha()
    else _LEADS_OR_TRAILS if character in LEADING and character in TRAILING
    else _LEADS if character in LEADING
    else _TRAILS if character in TRAILING
    else _INK
    for code in range(256)
)  # fmt: skip
_LIKE_ASCII = {
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
    **{chr(code): " " for code in range(128, 0x3001) if chr(code).isspace()},
    **dict.fromkeys("\x85\u2028\u2029", "\v"),  # the white space that ends lines
}


class Split(NamedTuple):
    """The pieces and lines of a text."""

    data: bytes
    """The text in UTF-8, with room behind it."""
    starts: Longs
    ends: Longs
    """Of each piece, in `data`."""
    characters: Ints
    """How many stand before each piece."""
    lines: Ints
    """How many characters stand before each line; in the end, before one behind the text."""
    fed: Bools
    """Whether it is a line feed that stands before each of them, as it would before the first."""


def split(text: str) -> Split:
    """Find the pieces and the lines of a text."""
    if not text.isascii():
        for character, plain in _LIKE_ASCII.items():
            text = text.replace(character, plain)
    data = text.encode("utf-8", "surrogatepass") + b"\n" + b" " * KEY_BYTES
    kinds = np.frombuffer(bytes([_LINE_FEED]) + data.translate(_KINDS), np.uint8)
    starts, ends = _pieces(kinds)
    lines = np.flatnonzero(kinds <= _OTHER_LINE_END)
    fed = kinds.take(lines) == _LINE_FEED
    continued = _continued(data)
    before = _characters_before(starts, continued), _characters_before(lines, continued)
    return Split(data, starts, ends, *before, fed)


def _pieces(kinds: NDArray[np.uint8]) -> tuple[Longs, Longs]:
    """Where pieces begin and end in a text, given the kind of each byte, with a blank in front."""
    blank, letter, leads = kinds <= _SPACE, kinds == _LETTER, kinds >= _LEADS_OR_TRAILS
    trails = (kinds == _TRAILS) | (kinds == _LEADS_OR_TRAILS)
    tail = trails[:-1] & blank[1:]  # nothing but marks to the end of the piece, up to three
    for _ in range(2):
        tail[:-1] |= trails[:-2] & tail[1:]
    cut = np.zeros(len(kinds) - 1, np.bool_)  # between each and the next
    cut[1:-1] = letter[:-3] & letter[1:-2] & tail[2:]  # word|." but not U.S|.
    cut[1:] |= blank[:-2] & leads[1:-1] & letter[2:]  # "|word
    starts = np.flatnonzero((blank[:-1] | cut) & ~blank[1:])
    ends = np.flatnonzero((blank[1:] | cut) & ~blank[:-1])
    return starts, ends


def _continued(data: bytes) -> Longs:
    """Where bytes are that are not the first of their character: 10xxxxxx."""
    if data.isascii():
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.frombuffer(data, np.int8) < -64)


def _characters_before(places: Longs, continued: Longs) -> Ints:
    """How many characters stand before each of these places in the bytes of a text."""
    before = places.astype(np.int32)
    if len(continued):  # in English, by far fewer than places
        behind = np.searchsorted(places, continued)
        before -= np.bincount(behind, minlength=len(places) + 1)[:-1].cumsum(dtype=np.int32)
    return before
