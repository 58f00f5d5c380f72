"""Tokens with their character offsets in the original string, by compiled rules.

White space speaks too: line ends are tokens, and marks are named by what they are joined to
(`layout`).

The rules run once for each distinct piece of text between white space; everything else is array
work on whole texts, for of English prose 97 pieces in 100 were met before. In a profile, half of
the time is that array work, and half goes to the three pieces in 100 that are new.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.text.batching import batches
from samehand.text.layout import BLANK_LINE, LINE_END, breaks, spaced_name
from samehand.text.normalise import normalise
from samehand.text.pieces import KnownPieces
from samehand.text.rules import spans
from samehand.text.splitting import split

Ints = NDArray[np.int32]

LONGEST_TYPE = 64
"""Characters that types are told apart by; offsets still span the whole token."""

_MOST_KEPT = 1 << 20  # pieces, or tokens in them: some 200 MB; then it all begins anew
_BATCH_CHARACTERS = 1 << 17  # what numpy makes of them still fits a processor's cache
_FIELDS = 4  # of a token: its form, its offset in the piece, its length, its kind
_MARK, _WORD, _BREAK = range(3)
_JOINED_BEFORE, _JOINED_AFTER, _FORMS = 1, 2, 4
"""A form is _FORMS times the number of a name, and for marks what they are joined to."""


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
        self.types: list[str] = []
        self._names = _Names()
        self._type_numbers: dict[str, int] = {}
        self._type_of_form = np.zeros(0, np.int32)  # -1 where none was met
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
        begins = list(accumulate((len(text) + 1 for text in texts), initial=0))
        with self._lock:
            if max(len(self._pieces), len(self._tokens) // _FIELDS) > _MOST_KEPT:
                self._forget()
            types, starts, ends = self._joined("\n".join(texts), np.array(begins, np.int32))
        cuts = np.searchsorted(starts, begins).tolist()
        return [
            Tokens(types[first:last], starts[first:last] - begin, ends[first:last] - begin)
            for begin, first, last in zip(begins, cuts, cuts[1:], strict=False)
        ]

    def _joined(self, text: str, begins: Ints) -> Tokens:
        """The tokens of texts that are joined by line feeds, and begin there."""
        parts = split(text)
        pieces = self._pieces.numbers(parts.data, parts.starts, parts.ends)
        self._tokens.fromlist(self._learnt)
        self._learnt = []

        ends_by_piece = np.frombuffer(self._ends, np.int32)
        last = ends_by_piece.take(pieces)
        counts = last - ends_by_piece.take(pieces - 1)  # tokens in each piece
        so_far = np.append(np.int32(0), counts.cumsum(dtype=np.int32))
        token = (last - so_far[1:]).repeat(counts) + np.arange(so_far[-1], dtype=np.int32)
        at = parts.characters.repeat(counts)

        found = breaks(parts.lines, parts.fed, parts.characters, begins)
        if len(found.places):
            before = so_far.take(found.pieces)
            edges = so_far.take(np.searchsorted(parts.characters, begins))
            inside = edges.take(np.searchsorted(edges, before)) != before
            before = before[inside]
            token = np.insert(token, before, found.blank_lines[inside])
            at = np.insert(at, before, found.places[inside])

        fields = np.frombuffer(self._tokens, np.int32).reshape(-1, _FIELDS).take(token, axis=0)
        form, offset, length, kind = fields.T
        starts = at + offset
        ends = starts + length
        return Tokens(self._types(form, starts, ends, kind), starts, ends)

    def _types(self, form: Ints, starts: Ints, ends: Ints, kind: Ints) -> Ints:
        """With marks told apart by what they are joined to."""
        marks = np.flatnonzero(kind == _MARK)
        before, after = marks - 1, marks + 1
        joined = (ends.take(before, mode="wrap") == starts[marks]) & (
            kind.take(before, mode="wrap") != _BREAK
        )
        form[marks] += joined * np.int32(_JOINED_BEFORE)
        joined = (starts.take(after, mode="clip") == ends[marks]) & (
            kind.take(after, mode="clip") == _WORD
        )
        form[marks] += joined * np.int32(_JOINED_AFTER)
        if len(self._type_of_form) < _FORMS * len(self._names.listed):
            grown = np.full(2 * _FORMS * len(self._names.listed), -1, np.int32)
            grown[: len(self._type_of_form)] = self._type_of_form
            self._type_of_form = grown
        types = self._type_of_form.take(form)
        missed = np.flatnonzero(types < 0)
        if len(missed):
            forms = form[missed]
            new = list(dict.fromkeys(forms.tolist()))
            self._type_of_form[new] = [self._type_number(each) for each in new]
            types[missed] = self._type_of_form.take(forms)
            self.types.extend(islice(self._type_numbers, len(self.types), None))
        return types

    def _type_number(self, form: int) -> int:
        name = self._names.listed[form // _FORMS]
        if form % _FORMS:
            name = spaced_name(name, bool(form & _JOINED_BEFORE), bool(form & _JOINED_AFTER))
            name = normalise(name)[:LONGEST_TYPE]
        return self._type_numbers.setdefault(name, len(self._type_numbers))

    def _forget(self) -> None:
        self._pieces = KnownPieces(self._learn)
        # The fields of each token, those of a piece in a row; the first two are breaks.
        self._tokens = array("i")
        for name in (LINE_END, BLANK_LINE):
            self._tokens.extend((_FORMS * self._names[name], 0, 1, _BREAK))
        self._ends = array("i", [len(self._tokens) // _FIELDS])  # where each piece's tokens end
        self._learnt = []  # new in `_tokens`: adding them one by one is slow

    def _learn(self, data: bytes) -> int:
        piece = data.decode("utf-8", "surrogatepass")
        if piece.isalpha() and piece.isascii():  # most of what is new
            self._learnt += _FORMS * self._names[piece], 0, len(piece), _WORD
        else:
            for start, end in spans(piece):
                token = piece[start:end]
                kind = _WORD if any(map(str.isalnum, token)) else _MARK
                self._learnt += _FORMS * self._names[token], start, end - start, kind
        self._ends.append((len(self._tokens) + len(self._learnt)) // _FIELDS)
        return len(self._ends) - 1


class _Names(dict[str, int]):
    """Token → number of its name, as it was written and as it is normalised."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []

    def __missing__(self, token: str) -> int:
        name = normalise(token)[:LONGEST_TYPE]
        number = self.get(name)
        if number is None:
            number = self[name] = len(self.listed)
            self.listed.append(name)
        if len(token) <= LONGEST_TYPE:
            self[token] = number
        return number
