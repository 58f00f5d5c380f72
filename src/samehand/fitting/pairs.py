"""Pairs to judge networks by, drawn as trials are.

Same-author pairs cross topics, different-author pairs share one. The paper's sampler, which uses
each text once, has few of the latter left where same-author pairs come first: of some sources a
few dozen, by those who wrote least.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import Pairs
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]
Longs = NDArray[np.int64]

_MOST = 300
"""Pairs of one kind from one source: as many as a set of trials has."""
_FEW = 20
"""Different-author pairs within topics, below which a source counts as one without them."""
_TRIES = 8
"""Draws of a partner before a text does without."""


def draw_pairs(
    texts: Texts, strange: NDArray[np.bool_], rng: np.random.Generator, most: int = _MOST
) -> Pairs:
    """Pairs with at least one of the strange texts, of every source up to so many of each kind.

    In sources where different authors hardly ever share a topic, they need not.
    """
    chosen = np.flatnonzero(strange)
    topic = texts.topic.astype(np.int64) * (texts.source.max(initial=0) + 1) + texts.source
    same = _limited(_partners(chosen, texts.author, topic, rng), texts.source, rng, most)
    apart = _limited(_partners(chosen, topic, texts.author, rng), texts.source, rng, most)
    found = np.bincount(texts.source[apart[0]], minlength=texts.source.max(initial=0) + 1)
    lacking = chosen[found[texts.source[chosen]] < _FEW]
    other = _limited(_partners(lacking, texts.source, texts.author, rng), texts.source, rng, most)
    first, second = np.concatenate([same, apart, other], axis=1)
    return Pairs(
        first, second, texts.author[first] == texts.author[second], topic[first] == topic[second]
    )


def _partners(chosen: Longs, alike: Ints, unlike: Ints, rng: np.random.Generator) -> Longs:
    """(2, pairs): texts with another that has one label in common with them and differs in another.

    Each pair once, though it may be drawn from both sides.
    """
    order = np.argsort(alike, kind="stable")
    _, group, count = np.unique(alike, return_inverse=True, return_counts=True)
    start = np.cumsum(count) - count
    start, count = start[group[chosen]], count[group[chosen]]
    partner = chosen
    for _ in range(_TRIES):
        drawn = order[start + rng.integers(0, count)]
        partner = np.where(unlike[partner] == unlike[chosen], drawn, partner)
    fits = unlike[partner] != unlike[chosen]
    pairs = np.sort(np.stack([chosen, partner])[:, fits], axis=0)
    return np.unique(pairs, axis=1)


def _limited(pairs: Longs, source: Ints, rng: np.random.Generator, most: int) -> Longs:
    """Some of the pairs, so many of each source, in random order."""
    pairs = rng.permutation(pairs, axis=1)
    kept = [np.flatnonzero(source[pairs[0]] == one)[:most] for one in np.unique(source)]
    return pairs[:, np.concatenate(kept)] if kept else pairs
