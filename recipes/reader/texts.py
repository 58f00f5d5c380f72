"""A store's texts as a reader sees them, and pairs of them, drawn as trials are."""

from collections.abc import Iterator

import numpy as np
from alphabet import Alphabet, Symbols
from rows import Layout, Pair, Rows
from torch.utils.data import IterableDataset, get_worker_info

from samehand.corpus.store import Store
from samehand.text.vocabulary import SPECIAL
from samehand.training.config import LengthConfig
from samehand.training.judging import draw_pairs
from samehand.training.texts import Stored, Texts, draw_texts

_HIDDEN = 0.3
"""At most that share of the symbols is hidden in both texts of a pair."""
_SWAPPED = 0.3
"""At most that share stands for others that are about as common, where genres are made up."""
_NEAR = 0.7
"""How much more or less common those may be: standard deviation of the logarithm."""
_FLAT = 0.15
"""That share of the texts has no line ends."""
_MOST = 1_500
"""Pairs of one kind from one source, of each drawing of texts."""


def alphabet(store: Store, words: int, looks: int) -> Alphabet:
    """The store's commonest words, and so many of the looks that others have."""
    ends = np.array(store.array("document_ends"))
    learned = np.zeros(len(ends), np.bool_)
    learned[store.documents("train")] = True
    tokens = store.array("tokens")[np.repeat(learned, np.diff(ends, prepend=0))]
    counts = np.bincount(tokens, minlength=len(store.types))
    listed = store.vocabulary.words[len(SPECIAL) : len(SPECIAL) + words]
    return Alphabet.count(listed, store.types, counts, looks)


class Shelf:
    """A store's texts as symbols."""

    def __init__(self, store: Store, alphabet: Alphabet, most: int) -> None:
        self.alphabet, self.most = alphabet, most
        self._symbols = alphabet.symbols(store.types)[np.array(store.array("tokens"))]
        self._counts = np.bincount(self._symbols, minlength=alphabet.size)

    def text(self, texts: Texts, number: int) -> Symbols:
        """A text, up to so many symbols."""
        starts, lengths = texts.runs(np.array([number]))
        runs = zip(starts.tolist(), lengths.tolist(), strict=True)
        return np.concatenate([self._symbols[start : start + n] for start, n in runs])[: self.most]

    def disguise(self, rng: np.random.Generator, *, made_up: bool) -> Symbols:
        """(symbols,) what each is in one pair: some are hidden, and others stand for others.

        The latter where a genre is made up.
        """
        size = self.alphabet.size
        seen = np.arange(size, dtype=np.int16)
        if made_up:
            some = np.flatnonzero(rng.random(size) < rng.uniform(0, _SWAPPED))
            often = np.log(self._counts[some] + 1)
            usual, drawn = np.argsort(often), np.argsort(often + rng.normal(0, _NEAR, len(some)))
            seen[some[usual]] = some[drawn]
        hidden = rng.random(size) < rng.uniform(0, _HIDDEN)
        return np.where(hidden, self.alphabet.hidden[seen], seen)


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
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        return self._layout.lots(self._pairs(rng))

    def _pairs(self, rng: np.random.Generator) -> Iterator[Pair]:
        while True:
            texts = draw_texts(self._stored, self._shelf.most, self._lengths, rng)
            drawn = draw_pairs(texts, np.ones(len(texts), np.bool_), rng, _MOST)
            source = texts.source[drawn.first]
            share = self._share[source] * _MOST
            for same in (False, True):  # of each source as many as its share, of either kind
                kind = drawn.same_author == same
                found = np.bincount(source[kind], minlength=len(self._share))
                share[kind] /= found[source[kind]]
            kept = rng.random(len(drawn)) < share
            both = rng.permuted(np.stack([drawn.first, drawn.second]), axis=0)
            for at in rng.permutation(np.flatnonzero(kept)):
                made_up = rng.random() < self._made_up
                seen = self._shelf.disguise(rng, made_up=made_up)
                first, second = (seen[self._flat(texts, text, rng)] for text in both[:, at])
                yield Pair(first, second, bool(drawn.same_author[at]))

    def _flat(self, texts: Texts, number: int, rng: np.random.Generator) -> Symbols:
        """A text, now and then without its line ends."""
        text = self._shelf.text(texts, number)
        if rng.random() < _FLAT:
            text = text[~np.isin(text, self._shelf.alphabet.line_ends)]
        return text
