"""Tokens with their character offsets in the original string, by compiled rules.

The rules run once for each distinct piece of text between white space; everything else is array
work on whole texts, for of English prose 97 pieces in 100 were met before. In a profile, half of
the time is that array work, and half goes to the three pieces in 100 that are new.
"""

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.text.batching import batches
from samehand.text.normalise import normalise
from samehand.text.pieces import KEY_BYTES, KnownPieces, Longs
from samehand.text.rules import LEADING, TRAILING, spans

Ints = NDArray[np.int32]

LONGEST_TYPE = 64
"""Characters that types are told apart by; offsets still span the whole token."""

_MOST_KEPT = 1 << 20  # pieces, or tokens in them: some 200 MB; then it all begins anew
_BATCH_CHARACTERS = 1 << 17  # what numpy makes of them still fits a processor's cache
_FIELDS = 4  # of a token: its type, its offset in the piece, its length, and one for alignment

_BLANK, _LETTER, _INK, _TRAILS, _LEADS_OR_TRAILS, _LEADS = range(6)
_KINDS = bytes(
    _INK if code > 127
    else _BLANK if (character := chr(code)).isspace()
    else _LETTER if character.isalpha()
    else _LEADS_OR_TRAILS if character in LEADING and character in TRAILING
    else _LEADS if character in LEADING
    else _TRAILS if character in TRAILING
    else _INK
    for code in range(256)
)  # fmt: skip
_LIKE_ASCII = {
    **{chr(code): " " for code in range(128, 0x3001) if chr(code).isspace()},
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
}


class Tokens(NamedTuple):
    """The tokens of one text: numbers into `Tokeniser.types`, and offsets into the string."""

    types: Ints
    starts: Ints
    ends: Ints


class Tokeniser:
    """Splits texts into tokens and numbers the distinct ones (`types`, in order of first sight).

    It remembers what it met, so keep one for all your texts. Threads may share it.
    """

    _learnt: list[int]

    def __init__(self) -> None:
        self._numbers = _TypeNumbers()
        self.types = self._numbers.names
        self._lock = Lock()
        self._forget()

    def __call__(self, text: str) -> Tokens:
        """Tokenise one text."""
        with self._lock:
            if max(len(self._pieces), len(self._tokens) // _FIELDS) > _MOST_KEPT:
                self._forget()
            return self._tokenise(text)

    def each(self, texts: Iterable[str]) -> Iterator[Tokens]:
        """Tokenise many texts: half the time of one by one, for numpy gets more to do at once."""
        for batch in batches(texts, _BATCH_CHARACTERS):
            types, starts, ends = self("\n".join(batch))
            begins = list(accumulate((len(text) + 1 for text in batch), initial=0))
            cuts = np.searchsorted(starts, begins).tolist()
            for begin, (first, last) in zip(begins, pairwise(cuts), strict=False):
                inside = slice(first, last)
                yield Tokens(types[inside], starts[inside] - begin, ends[inside] - begin)

    def strings(self, text: str) -> list[str]:
        """The normalised tokens of one text."""
        return [self.types[number] for number in self(text).types.tolist()]

    def _tokenise(self, text: str) -> Tokens:
        data, starts, ends = _split(text)
        pieces = self._pieces.numbers(data, starts, ends)
        self._tokens.fromlist(self._learnt)
        self._learnt = []

        ends_by_piece = np.frombuffer(self._ends, np.int32)
        last = ends_by_piece.take(pieces)
        counts = last - ends_by_piece.take(pieces - 1)  # tokens in each piece
        token = (last - counts.cumsum()).repeat(counts) + np.arange(counts.sum())
        fields = np.frombuffer(self._tokens, np.int32).reshape(-1, _FIELDS).take(token, axis=0)
        at = _characters_before(data, starts).repeat(counts) + fields[:, 1]
        return Tokens(fields[:, 0].copy(), at, at + fields[:, 2])

    def _forget(self) -> None:
        self._pieces = KnownPieces(self._learn)
        self._tokens = array("i")  # the fields of each token, those of a piece in a row
        self._ends = array("i", [0])  # where each piece's tokens end
        self._learnt = []  # new in `_tokens`: adding them one by one is slow

    def _learn(self, data: bytes) -> int:
        piece = data.decode("utf-8", "surrogatepass")
        if piece.isalpha() and piece.isascii():  # most of what is new
            self._learnt += self._numbers[piece], 0, len(piece), 0
        else:
            for start, end in spans(piece):
                self._learnt += self._numbers[piece[start:end]], start, end - start, 0
        self._ends.append((len(self._tokens) + len(self._learnt)) // _FIELDS)
        return len(self._ends) - 1


class _TypeNumbers(dict[str, int]):
    """Token → number of its type, as it was written and as it is normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __missing__(self, token: str) -> int:
        name = normalise(token)[:LONGEST_TYPE]
        number = self.get(name)
        if number is None:
            number = self[name] = len(self.names)
            self.names.append(name)
        if len(token) <= LONGEST_TYPE:
            self[token] = number
        return number


def _split(text: str) -> tuple[bytes, Longs, Longs]:
    """The text in UTF-8, with room behind it, and where each piece of it begins and ends.

    Pieces are what stands between white space, less the marks around a word, such as `"` and `,`:
    without them there are half as many distinct ones.
    """
    if not text.isascii():
        for character, plain in _LIKE_ASCII.items():
            text = text.replace(character, plain)
    data = text.encode("utf-8", "surrogatepass") + b" " * KEY_BYTES
    kinds = bytes([_BLANK]) + data.translate(_KINDS)
    return data, *_edges(np.frombuffer(kinds, np.uint8))


def _edges(kinds: NDArray[np.uint8]) -> tuple[Longs, Longs]:
    """Where pieces begin and end in a text, given the kind of each byte, with a blank in front."""
    blank, letter, leads = kinds == _BLANK, kinds == _LETTER, kinds >= _LEADS_OR_TRAILS
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


def _characters_before(data: bytes, starts: Longs) -> Ints:
    """How many characters stand before each of these places in the bytes of a text."""
    before = starts.astype(np.int32)
    if not data.isascii():
        continues = np.frombuffer(data, np.int8) < -64  # 10xxxxxx: not the first of its character
        before -= np.cumsum(continues, dtype=np.int32).take(before)
    return before
