"""A store's texts as a reader sees them, and pairs of them, drawn as trials are."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from network import PIECE, SPECIAL, Pieces
from numpy.typing import NDArray
from torch import Tensor

from samehand.corpus.store import Store
from samehand.text.vocabulary import PAD, SUFFIX, UNK
from samehand.text.vocabulary import SPECIAL as UNNAMED
from samehand.training.judging import draw_pairs
from samehand.training.texts import Texts

Ints = NDArray[np.int64]

_ENDINGS = 400
"""Kinds of rare words that are told apart: by capital and ending, the commonest."""


def symbols(store: Store, words: int) -> tuple[NDArray[np.int16], int]:
    """The symbol of each type of a store, and how many there are.

    So many common words stand for themselves, others for those that look like them.
    """
    number = np.array(store.array("type_word"))
    spelt = np.array(store.array("type_characters"))
    counts = np.bincount(np.array(store.array("tokens")), minlength=len(number))
    listed = (number != UNK) & (number < len(UNNAMED) + words)
    looks, kinds = looks_of(store, spelt)
    _, look = np.unique(looks, axis=0, return_inverse=True)
    common = np.argsort(-np.bincount(look[~listed], counts[~listed]), kind="stable")[:_ENDINGS]
    place = np.full(look.max() + 1, -1)
    place[common] = np.arange(len(common))
    symbol = np.where(place[look] >= 0, words + place[look], words + _ENDINGS + kinds)
    symbol[listed] = number[listed] - len(UNNAMED)
    return symbol.astype(np.int16), words + _ENDINGS + 8


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
    """Texts as symbols, one after another, on the device that reads them."""

    def __init__(self, symbols: Tensor, texts: Texts) -> None:
        """`symbols` (tokens,) of the whole store; texts may be made of several runs of them."""
        starts, lengths = texts.runs(np.arange(len(texts)))
        before = np.cumsum(lengths) - lengths
        place = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
        self.device = symbols.device
        self.lengths = texts.lengths.astype(np.int64)
        self._starts = np.cumsum(self.lengths) - self.lengths
        self._symbols = symbols[torch.from_numpy(place).to(self.device)]

    def pieces(self, texts: Ints, skipped: Ints) -> Pieces:
        """At most `PIECE` symbols of some texts, behind those that are skipped."""
        starts, lengths = (
            torch.from_numpy(array).to(self.device)
            for array in (
                self._starts[texts] + skipped,
                np.minimum(self.lengths[texts] - skipped, PIECE),
            )
        )
        place = starts[:, None] + torch.arange(PIECE, device=self.device)
        found = self._symbols[place.clamp(max=len(self._symbols) - 1)].long() + SPECIAL
        return Pieces(found, lengths)


class Batch(NamedTuple):
    """Pairs of pieces, and whether each is by one hand."""

    first: Pieces
    second: Pieces
    same: Tensor


def batches(shelf: Shelf, texts: Texts, size: int, seed: int) -> Iterator[Batch]:
    """Pairs without end of the texts on a shelf: new ones are drawn while the last are learned.

    Pieces are from anywhere in a text.
    """
    drawing, cutting = (np.random.default_rng([seed, stream]) for stream in range(2))
    everybody = np.ones(len(texts), np.bool_)
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(draw_pairs, texts, everybody, drawing)
        while True:
            pairs = coming.result()
            coming = thread.submit(draw_pairs, texts, everybody, drawing)
            both = cutting.permuted(np.stack([pairs.first, pairs.second]), axis=0)
            order = cutting.permutation(len(pairs))
            for chosen in np.array_split(order, max(1, len(order) // size)):
                spare = np.maximum(0, shelf.lengths[both[:, chosen]] - PIECE)
                skipped = cutting.integers(0, spare + 1)
                sides = (
                    shelf.pieces(side[chosen], some)
                    for side, some in zip(both, skipped, strict=True)
                )
                yield Batch(*sides, torch.from_numpy(pairs.same_author[chosen]).to(shelf.device))
