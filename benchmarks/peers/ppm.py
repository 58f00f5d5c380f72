"""PAN's second baseline: the cross-entropy of each text under a PPM model of the other.

Prediction by partial matching, method C with full exclusion, order 5, over bytes of UTF-8 (Teahan
and Harper 2003; Halvani and others for authorship). Of the two cross-entropies of a pair, their
mean (negative: alike is more) and their absolute difference are used, as in PAN 2020.

A model is the counts of all stretches of up to six bytes, kept as sorted numbers so that all
positions of the other text are looked up at once. Whatever followed a context also followed every
shorter end of it. So what exclusion takes away from the shorter context depends on the longer one
alone, and is added up when the model is made.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peers.peer import Floats, Pair, distinct

ORDER = 5
_ALPHABET = 256
_BITS = 8  # a byte

Ints = NDArray[np.int64]


class _Order(NamedTuple):
    """Counts of a text's contexts of one length. A stretch is its context and one byte more."""

    stretches: Ints  # sorted, each as one number
    count: Ints  # how often each occurs
    contexts: Ints  # sorted
    total: Ints  # how often something followed each
    followers: Ints  # how many different bytes did
    excluded: Ints  # how often those bytes followed the context's end, one byte shorter


class PPMModel:
    """A text, ready to predict others."""

    def __init__(self, text: str, order: int = ORDER) -> None:
        self.orders: list[_Order] = []
        for stretches in _stretches(text, order):
            shorter = self.orders[-1] if self.orders else None
            self.orders.append(_count(stretches, len(self.orders), shorter))

    def cross_entropy(self, text: str) -> float:
        """Bits a byte that the model needs for the text."""
        bits = -np.log2(self.probabilities(text))
        return float(bits.mean()) if bits.size else 0.0

    def probabilities(self, text: str) -> Floats:
        """Probability of every byte of the text, given those before it."""
        stretches = _stretches(text, len(self.orders) - 1)
        n = stretches[0].size
        p, sought = np.ones(n), np.ones(n, dtype=bool)
        excluded, gone = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        for k in reversed(range(len(self.orders))):
            order = self.orders[k]
            at = np.flatnonzero(sought[k:]) + k  # the first bytes have no context of this length
            stretch = stretches[k][at - k]
            context, known = _look_up(order.contexts, stretch >> _BITS)
            at, stretch, context = at[known], stretch[known], context[known]
            seen = order.total[context] - excluded[at]
            new = order.followers[context] - gone[at]
            place, found = _look_up(order.stretches, stretch)
            # Where all that followed is excluded, there is nothing to choose: on to the next order.
            weight = np.where(found, order.count[place], new)
            p[at] *= np.where(new > 0, weight / np.maximum(seen + new, 1), 1.0)
            sought[at[found]] = False
            excluded[at], gone[at] = order.excluded[context], order.followers[context]
        p[sought] /= _ALPHABET - gone[sought]
        return p


class CompressionDistance:
    def __init__(self, order: int = ORDER) -> None:
        self.order = order

    def fit(self, texts: Sequence[str]) -> None:
        """A text is compared with the other text alone."""

    def features(self, pairs: Sequence[Pair]) -> Floats:
        texts, where = distinct(pairs)
        models = [PPMModel(text, self.order) for text in texts]
        entropies = np.array(
            [
                (models[a].cross_entropy(texts[b]), models[b].cross_entropy(texts[a]))
                for a, b in where.tolist()
            ]
        ).reshape(-1, 2)
        mean, difference = entropies.mean(axis=1), np.abs(entropies[:, 0] - entropies[:, 1])
        return np.stack([-mean, difference], axis=1)


def _stretches(text: str, order: int) -> list[Ints]:
    """For each order k, the numbers of all stretches of k + 1 bytes, by where they end."""
    data = np.frombuffer(text.encode("utf-8", "surrogatepass"), np.uint8).astype(np.int64)
    found = [data]
    for k in range(1, order + 1):
        found.append((found[-1][:-1] << _BITS) | data[k:])
    return found


def _count(stretches: Ints, k: int, shorter: _Order | None) -> _Order:
    distinct_stretches, count = np.unique(stretches, return_counts=True)
    contexts, start = np.unique(distinct_stretches >> _BITS, return_index=True)
    if not contexts.size:
        return _Order(distinct_stretches, count, contexts, *[np.zeros(0, dtype=np.int64)] * 3)
    followers = np.diff(start, append=distinct_stretches.size)
    if shorter is None:
        excluded = np.zeros(contexts.size, dtype=np.int64)
    else:
        end = distinct_stretches & ((1 << k * _BITS) - 1)
        end_count = shorter.count[np.searchsorted(shorter.stretches, end)]
        excluded = np.add.reduceat(end_count, start)
    total = np.add.reduceat(count, start)
    return _Order(distinct_stretches, count, contexts, total, followers, excluded)


def _look_up(keys: Ints, sought: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Where each number stands among sorted `keys`, and whether it does."""
    if not keys.size:
        return np.zeros(sought.size, dtype=np.int64), np.zeros(sought.size, dtype=bool)
    place = np.minimum(np.searchsorted(keys, sought), keys.size - 1)
    return place, keys[place] == sought
