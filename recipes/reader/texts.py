"""A store's texts as a reader sees them, and pairs of them, drawn as trials are."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from network import BEGIN, NONE, OTHER, PIECE, SAME, SPECIAL, Rows
from numpy.typing import NDArray
from torch.utils.data import IterableDataset, get_worker_info

from samehand.corpus.store import Store
from samehand.text.vocabulary import PAD, SUFFIX
from samehand.text.vocabulary import SPECIAL as UNNAMED
from samehand.training.config import LengthConfig
from samehand.training.judging import draw_pairs
from samehand.training.texts import Stored, Texts, draw_texts

Ints = NDArray[np.int64]
Symbols = NDArray[np.int16]

_ENDINGS = 400
"""Kinds of rare words that are told apart: by capital and ending, the commonest."""
_HIDDEN = 0.3
"""At most that share of the words is hidden in both pieces of a pair."""
_SWAPPED = 0.3
"""At most that share stands for others that are about as common, where genres are made up."""
_NEAR = 0.7
"""How much more or less common those may be: standard deviation of the logarithm."""
_FLAT = 0.15
"""That share of the pieces has no line ends."""


class Alphabet(NamedTuple):
    """The symbols that a store's types stand for."""

    of_type: Symbols
    """(types,)"""
    hidden: Symbols
    """(symbols,) what each is where only its look is to be seen"""
    counts: Ints
    """(symbols,) how often the store has each"""
    line_ends: Symbols

    @property
    def size(self) -> int:
        """How many symbols there are."""
        return len(self.hidden)

    def disguised(self, rng: np.random.Generator, *, made_up: bool) -> Symbols:
        """(symbols,) what each is in one pair: some are hidden, and others stand for others.

        The latter where a genre is made up.
        """
        seen = np.arange(self.size, dtype=np.int16)
        if made_up:
            some = np.flatnonzero(rng.random(self.size) < rng.uniform(0, _SWAPPED))
            often = np.log(self.counts[some] + 1)
            usual, drawn = np.argsort(often), np.argsort(often + rng.normal(0, _NEAR, len(some)))
            seen[some[usual]] = some[drawn]
        hidden = rng.random(self.size) < rng.uniform(0, _HIDDEN)
        return np.where(hidden, self.hidden[seen], seen)


def alphabet(store: Store, words: int) -> Alphabet:
    """So many common words stand for themselves, others for those that look like them."""
    number = np.array(store.array("type_word"))
    spelt = np.array(store.array("type_characters"))
    counts = np.bincount(np.array(store.array("tokens")), minlength=len(number))
    listed = (number >= len(UNNAMED)) & (number < len(UNNAMED) + words)
    looks, kinds = looks_of(store, spelt)
    _, look = np.unique(looks, axis=0, return_inverse=True)
    common = np.argsort(-np.bincount(look[~listed], counts[~listed]), kind="stable")[:_ENDINGS]
    place = np.full(look.max() + 1, -1)
    place[common] = np.arange(len(common))
    seen = np.where(place[look] >= 0, words + place[look], words + _ENDINGS + kinds)
    symbol = np.where(listed, number - len(UNNAMED), seen)
    hidden = np.arange(words + _ENDINGS + 8)
    rarest_first = np.argsort(counts, kind="stable")
    hidden[symbol[rarest_first]] = np.where(listed, seen, words + _ENDINGS + kinds)[rarest_first]
    line_ends = np.unique(symbol[store.line_ends])
    often = np.bincount(symbol, counts, len(hidden)).astype(np.int64)
    symbol, hidden, line_ends = (array.astype(np.int16) for array in (symbol, hidden, line_ends))
    return Alphabet(symbol, hidden, often, line_ends)


def looks_of(store: Store, spelt: NDArray[np.int16]) -> tuple[Ints, Ints]:
    """What types look like: (types, 3) their kind and last two letters; and the kind alone.

    A kind says whether it begins with a capital, has a figure, or has no letter.
    """
    letters = store.vocabulary.characters
    plain = [name if len(name) == 1 else "" for name in letters]
    lower = {name: place for place, name in enumerate(letters)}
    small = np.array([lower.get(name.lower(), place) for place, name in enumerate(plain)])
    is_letter = np.array([name.isalpha() for name in plain])
    is_figure = np.array([name.isdigit() for name in plain])
    is_capital = np.array([name.isupper() for name in plain])
    kinds = 4 * is_capital[spelt[:, 0]] + 2 * is_figure[spelt].any(1) + 1 * ~is_letter[spelt].any(1)
    length = (spelt != PAD).sum(1)
    ends = np.stack([length - 2, length - 1], 1).clip(0)
    last = small[np.take_along_axis(spelt, ends, 1)]
    last[(length <= SUFFIX + 1) | ~is_letter[last].all(1)] = PAD
    return np.concatenate([kinds[:, None], last], 1), kinds


class Shelf:
    """A store's texts as symbols."""

    def __init__(self, store: Store, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self._symbols = alphabet.of_type[np.array(store.array("tokens"))]

    def text(self, texts: Texts, number: int) -> Symbols:
        """All of a text."""
        starts, lengths = texts.runs(np.array([number]))
        runs = zip(starts.tolist(), lengths.tolist(), strict=True)
        return np.concatenate([self._symbols[start : start + n] for start, n in runs])


class Pair(NamedTuple):
    """Pieces of two texts, and whether one hand wrote them."""

    first: Symbols
    second: Symbols
    same: bool

    def places(self, readings: int) -> int:
        """How many it takes in a row."""
        return 1 + len(self.first) + readings * (1 + len(self.second))


def read_after(first: Symbols, second: Symbols) -> list[Pair]:
    """The second text, piece by piece, each after a piece of the first."""
    before = [first[at : at + PIECE] for at in range(0, max(1, len(first)), PIECE)]
    after = [second[at : at + PIECE] for at in range(0, max(1, len(second)), PIECE)]
    return [Pair(before[at % len(before)], piece, False) for at, piece in enumerate(after)]


class Layout(NamedTuple):
    """How pairs are laid out: in so many rows of one length, at most so many pairs at a time."""

    rows: int
    places: int
    pairs: int
    both: bool = True
    """whether each pair is read under both hypotheses, or under the true one alone"""

    def lots(self, pairs: Iterable[Pair]) -> Iterator[Rows]:
        """All of the pairs, as many at a time as there is room for."""
        lots: list[list[tuple[int, Pair]]] = [[] for _ in range(self.rows)]
        free = [self.places] * self.rows
        for number, pair in enumerate(pairs):
            needed = pair.places(1 + self.both)
            if needed > max(free) or sum(map(len, lots)) == self.pairs:
                yield self._laid_out(lots)
                lots, free = [[] for _ in range(self.rows)], [self.places] * self.rows
            row = next(row for row, places in enumerate(free) if places >= needed)
            lots[row].append((number, pair))
            free[row] -= needed
        if any(lots):
            yield self._laid_out(lots)

    def _laid_out(self, lots: list[list[tuple[int, Pair]]]) -> Rows:
        shape = self.rows, self.places
        symbols, place, part = (np.zeros(shape, np.int64) for _ in range(3))
        owner, target = np.full(shape, self.pairs), np.full(shape, NONE)
        tokens, same, given = (np.zeros(self.pairs, np.int64) for _ in range(3))
        count = 0
        for row, lot in enumerate(lots):
            at = 0
            for number, pair in lot:
                readings = (SAME, OTHER) if self.both else (SAME if pair.same else OTHER,)
                for mark in (BEGIN, *readings):
                    text = (pair.first if mark == BEGIN else pair.second) + SPECIAL
                    end, begin = at + 1 + len(text), 0 if mark == BEGIN else 1 + len(pair.first)
                    symbols[row, at], symbols[row, at + 1 : end] = mark, text
                    place[row, at:end] = begin + np.arange(end - at)
                    part[row, at:end], owner[row, at:end] = mark, count
                    target[row, at : end - 1] = text
                    at = end
                tokens[count], same[count], given[count] = len(pair.second), pair.same, number
                count += 1
        columns = symbols, place, part, owner, target, tokens, same.astype(np.bool_), given
        return Rows(*map(torch.from_numpy, columns))


class Drawn(IterableDataset[Rows]):
    """Pairs without end, drawn as trials are, of texts of every length.

    In each pair some words are hidden, so that nothing depends on any of them. A share of the pairs
    is of a made-up genre, in which some words stand for others: what is unusual in both texts would
    be so in all of the genre, and says nothing of a hand. A source has pairs by the square root of
    its authors: when all had as many, the smallest were learned by heart.
    """

    def __init__(
        self, shelf: Shelf, stored: Stored, lengths: LengthConfig, layout: Layout, seed: int,
        made_up: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__()
        self._shelf, self._stored, self._lengths = shelf, stored, lengths
        self._layout, self._seed, self._made_up = layout, seed, made_up
        authors = np.bincount(np.unique(np.stack([stored.source, stored.author]), axis=1)[0])
        self._share = np.sqrt(authors / authors.max())

    def __iter__(self) -> Iterator[Rows]:
        worker = get_worker_info()
        rng = np.random.default_rng([self._seed, self._layout.both, worker.id if worker else 0])
        return self._layout.lots(self._pairs(rng))

    def _pairs(self, rng: np.random.Generator) -> Iterator[Pair]:
        while True:
            texts = draw_texts(self._stored, self._lengths.longest, self._lengths, rng)
            drawn = draw_pairs(texts, np.ones(len(texts), np.bool_), rng)
            kept = rng.random(len(drawn)) < self._share[texts.source[drawn.first]]
            both = rng.permuted(np.stack([drawn.first, drawn.second]), axis=0)
            for at in rng.permutation(np.flatnonzero(kept)):
                made_up = rng.random() < self._made_up
                seen = self._shelf.alphabet.disguised(rng, made_up=made_up)
                first, second = (seen[self._piece(texts, text, rng)] for text in both[:, at])
                yield Pair(first, second, bool(drawn.same_author[at]))

    def _piece(self, texts: Texts, number: int, rng: np.random.Generator) -> Symbols:
        """At most `PIECE` symbols from anywhere in a text."""
        text = self._shelf.text(texts, number)
        if rng.random() < _FLAT:
            text = text[~np.isin(text, self._shelf.alphabet.line_ends)]
        skipped = rng.integers(0, max(0, len(text) - PIECE) + 1)
        return text[skipped : skipped + PIECE]
