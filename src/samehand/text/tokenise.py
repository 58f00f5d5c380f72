"""Tokens with their character offsets in the original string, by compiled rules.

The rules run once for each distinct piece of text between white space; everything else is array work. On English prose
nine pieces in ten were met before, so the cost of a document is `str.split`, one dictionary look-up a piece, and a
handful of numpy calls: the rules themselves hardly show in a profile.
"""

import re
from array import array
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from samehand.text.normalise import normalise

Ints = NDArray[np.int32]

_RULES = r"""
      (?:https?://|www\.)[^\s<>"]+                       # addresses
    | [{L}{N}._%+-]+@[{L}{N}-]+(?:\.[{L}{N}-]+)+
    | [<>]?[:;=8][-'^o]?[)(\][DPp/\\|*]{{1,3}}(?![{L}{N}])   # :-) ;P
    | <3(?![{N}])
    | [{N}]+(?:[.,:/][{N}]+)*                            # 1,000.50 12:30
    | (?:[{L}]\.){{2,}}                                  # e.g. U.S.
    | [{L}][{L}{N}{J}]*(?:[{Q}][{L}][{L}{N}{J}]*)*       # words; the clitic goes off below
    {emoji}
    | ([^{L}{N}\s{I}])\1*{marks}                         # a run of one mark: ... !!! --
"""
_ASCII = re.compile(
    _RULES.format(L="A-Za-z", N="0-9", J="", Q="'", I=r"\x00-\x1f\x7f", emoji="", marks=""), re.VERBOSE
)
_ANY = regex.compile(
    _RULES.format(
        L=r"\p{L}", N=r"\p{N}", J=r"\p{M}\p{Cf}", Q="'’ʼ\x92", I=r"\p{Cf}\p{Cc}", marks=r"\p{M}*",
        emoji=r"| [\p{Extended_Pictographic}\p{Regional_Indicator}]"
              r"[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Extended_Pictographic}\p{Regional_Indicator}]*",
    ),
    regex.VERBOSE,
)  # fmt: skip
_MARKS = ".,!?;"
_PLAIN = re.compile(rf"(?!.*(.)\1\1\1)[A-Za-z]+[{_MARKS}]?")
_CLITIC = re.compile(r"(?:n['’ʼ\x92]t|['’ʼ\x92](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_LONGEST_CACHED = 48  # longer pieces hardly repeat: no use in remembering them
_MOST_CACHED = 4_000_000
_LONGEST_TYPE = 64  # what a type is told apart by; offsets still span the whole token


class Tokens(NamedTuple):
    """The tokens of one text: type numbers (into `Tokeniser.types`) and offsets into the original string."""

    types: Ints
    starts: Ints
    ends: Ints


class _Pieces(dict[str, int]):
    """Piece → its row in the tokeniser's tables, tokenised by the rules at first sight."""

    def __init__(self, tokeniser: "Tokeniser") -> None:
        super().__init__()
        self._tokeniser = tokeniser

    def __missing__(self, piece: str) -> int:
        row = self._tokeniser._learn(piece)
        if len(piece) <= _LONGEST_CACHED:
            self[piece] = row
        return row


class Tokeniser:
    """Splits texts into tokens and numbers the distinct ones (`types`, in order of first sight)."""

    def __init__(self) -> None:
        self.types: list[str] = []
        self._number: dict[str, int] = {}
        self._forget()

    def __call__(self, text: str) -> Tokens:
        """Tokenise one text."""
        pieces = text.split()
        if not pieces:
            none = np.zeros(0, np.int32)
            return Tokens(none, none, none)
        if len(self._rows) > _MOST_CACHED:
            self._forget()
        row = np.fromiter(map(self._rows.__getitem__, pieces), np.int32, len(pieces))
        first, counts = self._piece.take(row)
        ends = np.cumsum(counts)
        token = np.repeat(first - (ends - counts), counts) + np.arange(ends[-1], dtype=np.int32)
        types, offsets, lengths = self._token.take(token)
        starts = np.repeat(_piece_starts(text), counts) + offsets
        return Tokens(types, starts, starts + lengths)

    def strings(self, text: str) -> list[str]:
        """The normalised tokens of one text."""
        return [self.types[number] for number in self(text).types]

    def _forget(self) -> None:
        self._rows = _Pieces(self)
        self._piece = _Table(2)  # its first token, and how many
        self._token = _Table(3)  # its type, its offset in the piece, its length

    def _learn(self, piece: str) -> int:
        first = self._token.n_rows
        if _PLAIN.fullmatch(piece):  # a word, perhaps with a mark behind it: most of what is new
            word = len(piece) - (piece[-1] in _MARKS)
            self._add(piece[:word], 0, word)
            if word < len(piece):
                self._add(piece[word], word, 1)
        else:
            for start, end in _spans(piece):
                self._add(normalise(piece[start : min(end, start + 2 * _LONGEST_TYPE)]), start, end - start)
        return self._piece.append((first, self._token.n_rows - first))

    def _add(self, name: str, offset: int, length: int) -> None:
        name = name[:_LONGEST_TYPE]
        number = self._number.get(name)
        if number is None:
            number = self._number[name] = len(self.types)
            self.types.append(name)
        self._token.append((number, offset, length))


class _Table:
    """Rows of small integers: appended one at a time, read many at a time."""

    def __init__(self, width: int) -> None:
        self.n_rows = 0
        self._columns = [np.zeros(1024, np.int32) for _ in range(width)]
        self._fresh = array("i")  # appending here costs a tenth of writing to numpy

    def append(self, row: tuple[int, ...]) -> int:
        self._fresh.extend(row)
        self.n_rows += 1
        return self.n_rows - 1

    def take(self, rows: Ints) -> list[Ints]:
        """The columns, each at `rows`."""
        if self._fresh:
            self._settle()
        return [column.take(rows) for column in self._columns]

    def _settle(self) -> None:
        fresh = np.frombuffer(self._fresh, np.int32).reshape(-1, len(self._columns))
        if self.n_rows > len(self._columns[0]):
            self._columns = [np.resize(column, 2 * self.n_rows) for column in self._columns]
        for column, values in zip(self._columns, fresh.T, strict=True):
            column[self.n_rows - len(fresh) : self.n_rows] = values
        self._fresh = array("i")


def _spans(piece: str) -> list[tuple[int, int]]:
    rules: re.Pattern[str] = _ASCII if piece.isascii() else _ANY  # the standard library's are twice as fast
    spans: list[tuple[int, int]] = []
    for match in rules.finditer(piece):
        start, end = match.span()
        clitic = _CLITIC.search(piece, start, end)
        if clitic and clitic.start() > start:  # do|n't, it|'s
            spans += [(start, clitic.start()), (clitic.start(), end)]
        else:
            spans.append((start, end))
    return spans


_LAST_SPACE = 0x3000  # no code point beyond is white space
_SPACE = np.array([chr(code).isspace() for code in range(_LAST_SPACE + 1)] + [False])


def _piece_starts(text: str) -> Ints:
    """Where each piece of `text.split()` begins."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    space = _SPACE.take(np.minimum(codes, _LAST_SPACE + 1))
    begins = ~space
    begins[1:] &= space[:-1]
    return np.flatnonzero(begins).astype(np.int32)
