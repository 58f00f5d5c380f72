"""Tokens with their character offsets in the original string, by compiled rules.

White space speaks too: line ends are tokens of their own, and a mark is told from the same mark
with a space beside it (see layout.py).

The rules run once for each distinct piece of text between white space; everything else is array
work on whole texts, for of English prose 97 pieces in 100 were met before. In a profile, half of
the time is that array work, and half goes to the three pieces in 100 that are new.
"""

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.text.batching import batches
from samehand.text.layout import BLANK_LINE, LINE_END, breaks, spaced_name
from samehand.text.normalise import normalise
from samehand.text.piece_cache import PieceCache
from samehand.text.rules import spans
from samehand.text.splitting import split

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]

LONGEST_TYPE = 64
"""Characters that types are told apart by; offsets still span the whole token."""

_MOST_KEPT = 1 << 20  # pieces, or tokens in them: some 200 MB; then it all begins anew
_BATCH_CHARACTERS = 1 << 17  # what numpy makes of them still fits a processor's cache
_FIELDS = 4  # of a token: its name and kind, its offset in the piece, its length, and one to align
_MARK, _WORD, _BREAK = range(3)  # kinds
_JOINED_BEFORE, _JOINED_AFTER = 1, 2
_FORMS = 4
"""The forms of a name: bare, and, if it is a mark, joined before, after or both. A form is numbered
_FORMS times its name, plus what it is joined to. Types are the forms that were met."""


class Tokens(NamedTuple):
    """The tokens of one text: numbers into `Tokeniser.types`, and offsets into the string."""

    types: Ints
    starts: Ints
    ends: Ints


class Tokeniser:
    """Splits texts into tokens and numbers the distinct ones (`types`, in order of first sight).

    It remembers what it met, so keep one for all your texts. Threads may share it.
    """

    def __init__(self) -> None:
        self.types: list[str] = []
        self._names = _Names()
        self._type_of_form = np.zeros(0, np.int32)  # -1: not met
        self._lock = Lock()
        self._forget()

    def __call__(self, text: str) -> Tokens:
        """Tokenise one text."""
        return self._tokenise([text])[0]

    def each(self, texts: Iterable[str]) -> Iterator[Tokens]:
        """Tokenise many texts: half the time of one by one, for numpy gets more to do at once."""
        for batch in batches(texts, _BATCH_CHARACTERS):
            yield from self._tokenise(batch)

    def strings(self, text: str) -> list[str]:
        """The normalised tokens of one text."""
        return [self.types[number] for number in self(text).types.tolist()]

    def _tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        begins = np.cumsum([0, *(len(text) + 1 for text in texts)], dtype=np.int32)
        with self._lock:
            if max(len(self._pieces), len(self._tokens) // _FIELDS) > _MOST_KEPT:
                self._forget()
            types, starts, ends = self._tokenise_joined("\n".join(texts), begins)
        cuts = np.searchsorted(starts, begins)
        begin = begins[:-1].repeat(np.diff(cuts))  # of each token's text
        starts, ends = starts - begin, ends - begin
        parts = [slice(first, last) for first, last in pairwise(cuts.tolist())]
        return [Tokens(types[part], starts[part], ends[part]) for part in parts]

    def _tokenise_joined(self, text: str, begins: Ints) -> Tokens:
        """The tokens of texts that are joined by line feeds; `begins` has one more, behind them."""
        parts = split(text)
        pieces = self._pieces.numbers(parts.data, parts.starts, parts.ends)

        ends_by_piece = np.frombuffer(self._ends, np.int32)
        last = ends_by_piece.take(pieces)
        counts = last - ends_by_piece.take(pieces - 1)  # tokens in each piece
        found = breaks(parts, counts, begins)
        counts[found.pieces] += 1  # the break before it
        so_far = counts.cumsum(dtype=np.int32)
        token = (last - so_far).repeat(counts) + np.arange(counts.sum(), dtype=np.int32)
        at = parts.characters.repeat(counts)
        is_break = (so_far - counts).take(found.pieces)
        token[is_break], at[is_break] = found.are_blank_lines, found.places  # see `_forget`

        fields = np.frombuffer(self._tokens, np.int32).reshape(-1, _FIELDS).take(token, axis=0)
        named, offset, length, _ = fields.T
        starts = at + offset
        ends = starts + length
        kind = named.astype(np.int8) & (_FORMS - 1)
        forms = named + (_joined_to(kind, starts, ends) - kind)
        return Tokens(self._types(forms), starts, ends)

    def _types(self, forms: Ints) -> Ints:
        """The type of each form; new ones are numbered in the order of the text."""
        self._make_room(len(self._names.listed))
        types: Ints = self._type_of_form.take(forms)
        unmet = np.flatnonzero(types < 0)
        if len(unmet):
            self._meet(dict.fromkeys(forms[unmet].tolist()))
            types[unmet] = self._type_of_form.take(forms[unmet])
        return types

    def _meet(self, forms: Collection[int]) -> None:
        """Number the types of forms that are new."""
        names, types = self._names.listed, self.types
        self._make_room(len(names) + len(forms))
        type_of_form = self._type_of_form
        for form in forms:
            bare = form
            if form % _FORMS:  # its type is what a name that is spelt like that would have
                before, after = bool(form & _JOINED_BEFORE), bool(form & _JOINED_AFTER)
                spelt = spaced_name(names[form // _FORMS], before, after)
                bare = _bare(self._names[spelt])
            if type_of_form[bare] < 0:
                type_of_form[bare] = len(types)
                types.append(names[bare // _FORMS])
            type_of_form[form] = type_of_form[bare]

    def _make_room(self, n_names: int) -> None:
        if len(self._type_of_form) < _FORMS * n_names:
            grown = np.full(2 * _FORMS * n_names, -1, np.int32)
            grown[: len(self._type_of_form)] = self._type_of_form
            self._type_of_form = grown

    def _forget(self) -> None:
        self._pieces = PieceCache(self._learn)
        line_end, blank_line = (_bare(self._names[name]) for name in (LINE_END, BLANK_LINE))
        # The fields of tokens: of the two kinds of breaks, then of the pieces one after another …
        self._tokens = array("i", [line_end + _BREAK, 0, 1, 0, blank_line + _BREAK, 0, 1, 0])
        self._ends = array("i", [2])  # … and where those of each piece end.

    def _learn(self, pieces: list[bytes]) -> list[int]:
        """Find the tokens of new pieces, and number the pieces."""
        first, n_tokens = len(self._ends), len(self._tokens) // _FIELDS
        learnt: list[int] = []  # arrays grow slowly if it is one by one
        ends = []
        for piece in b"\n".join(pieces).decode("utf-8", "surrogatepass").split("\n"):
            if piece.isalpha() and piece.isascii():  # most of what is new
                learnt += self._names[piece], 0, len(piece), 0
            else:
                for start, end in spans(piece):
                    learnt += self._names[piece[start:end]], start, end - start, 0
            ends.append(n_tokens + len(learnt) // _FIELDS)
        self._tokens.fromlist(learnt)
        self._ends.fromlist(ends)
        return list(range(first, len(self._ends)))


class _Names(dict[str, int]):
    """Token, as it was written or normalised → the bare form of its name, plus its kind."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []

    def __missing__(self, token: str) -> int:
        name = normalise(token)[:LONGEST_TYPE]
        named = self.get(name)
        if named is None:
            named = self[name] = _FORMS * len(self.listed) + _kind(name)
            self.listed.append(name)
        if token != name:
            named = _bare(named) + _kind(token)
            if len(token) <= LONGEST_TYPE:
                self[token] = named
        return named


def _bare(named: int) -> int:
    return named - named % _FORMS


def _kind(token: str) -> int:
    is_word = token[0].isalnum() or any(map(str.isalnum, token))  # mostly the first tells
    return _WORD if is_word else _MARK


def _joined_to(kind: Bytes, starts: Ints, ends: Ints) -> Bytes:
    """Sides on which each mark is joined; 0 for other tokens."""
    near = starts[1:] == ends[:-1]
    joined = np.zeros(len(kind), np.int8)
    joined[1:] = near & (kind[:-1] != _BREAK)
    joined[:-1] |= (near & (kind[1:] == _WORD)) * np.int8(_JOINED_AFTER)
    joined *= kind == _MARK
    return joined
