"""Accounts of a collection: their documents, which of them lie near each other, and the evidence.

The evidence that two accounts are one person's is the mean of natural-log likelihood ratios (LRs):
of the longest documents of either, each compared as a questioned text with those of the other as
known texts. A mean of several questioned texts' vectors would be compared as no text of the model's
validation was, and misleads.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.index.links import Pairs, PairScores
from samehand.index.table import straight_vectors
from samehand.scoring.distance import Compared, KnownSides, compare_sides, known_sides
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.system import LRSystem

if TYPE_CHECKING:
    import pyarrow as pa

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Longs = NDArray[np.int64]

MOST_KNOWN = 8
"""Documents of an account that are compared, the longest: models are validated on up to so many."""
QUESTIONED = 3
"""Of them those that are taken as questioned texts: more add next to nothing."""
NEAREST = 20
"""Accounts near to each that are compared with it, unless stated."""
_ACCOUNTS_AT_ONCE, _PAIRS_AT_ONCE = 512, 256

Read = Callable[[list[str]], "Iterable[pa.RecordBatch]"]
"""Record batches of some columns of all documents, in the same order every time."""

Done = Callable[[int], None]
"""Who is told how many are done."""


def unheard(done: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True)
class Accounts:
    """The accounts of a collection, by number."""

    names: tuple[str, ...]
    documents: Longs
    """(accounts,) how many texts of its own each has"""
    style: Singles
    """(texts, size) straightened vectors of those that are questioned, each account's together"""
    log_tokens: Floats
    """(texts,) the logarithms of their lengths"""
    first: Longs
    """(accounts + 1,) where those of each account begin"""
    sides: KnownSides
    """Of each account, its known texts."""

    @classmethod
    def of(cls, read: Read, sizes: tuple[int, ...]) -> "Accounts":
        """The authors in a table. Documents without one are of no account.

        `sizes`: of each network's vectors.

        A text that two accounts have says who copies, not who writes: it counts for neither. One
        that an account has twice counts once.
        """
        author, tokens, digest = _columns(read)
        rows = np.flatnonzero(author != "")
        rows = rows[_own_texts(author[rows], digest[rows])]
        names, number, documents = np.unique(author[rows], return_inverse=True, return_counts=True)
        if len(names) < 2:
            raise InputError(
                "The documents of this index name fewer than two authors with texts of their own, "
                "so there are no accounts to link; index a corpus with authors (--author-column)."
            )
        by_account = np.lexsort((rows, -tokens[rows], number))
        place = np.arange(len(rows)) - np.repeat(np.cumsum(documents) - documents, documents)
        compared = place < MOST_KNOWN
        kept, place = rows[by_account][compared], place[compared]
        style, log_tokens = _vectors(read, kept, sizes), np.log(np.maximum(tokens[kept], 1))
        asked = place < QUESTIONED
        return cls(
            tuple(names.tolist()),
            documents,
            style[asked],
            log_tokens[asked],
            np.cumsum([0, *np.minimum(documents, QUESTIONED)]),
            _sides(style, log_tokens, np.minimum(documents, MOST_KNOWN)),
        )


def candidates(accounts: Accounts, nearest: int = NEAREST, done: Done = unheard) -> Pairs:
    """Each account with the `nearest` others, by the distance of the means of their documents.

    From the squared distance of two means is taken what the scatter of documents adds to it, which
    is more for accounts of few documents. All accounts are looked at.
    """
    n, sides = len(accounts.names), accounts.sides
    nearest = min(nearest, n - 1)
    mean = sides.mean.astype(np.float32)
    scatter = (sides.spread * (sides.n - 1)).sum() / max((sides.n - 1).sum(), 1)
    own = np.square(mean).sum(1) - (scatter / sides.n).astype(np.float32)
    found = np.empty((n, nearest), np.int64)
    for start in range(0, n, _ACCOUNTS_AT_ONCE):
        part = slice(start, start + _ACCOUNTS_AT_ONCE)
        distance = own - 2.0 * (mean[part] @ mean.T)  # but for what is the same in all of a row
        rows = np.arange(len(distance))
        distance[rows, rows + start] = np.inf
        found[part] = np.argpartition(distance, nearest - 1, axis=1)[:, :nearest]
        done(min(start + _ACCOUNTS_AT_ONCE, n))
    return Pairs.of(np.repeat(np.arange(n), nearest), found.ravel())


class Comparison:
    """Accounts, and the evidence by which pairs of them are compared."""

    def __init__(self, system: LRSystem, accounts: Accounts) -> None:
        assert isinstance(system.evidence, GenreEvidence)  # no index is made by others
        self._system, self._evidence, self._accounts = system, system.evidence, accounts

    def __call__(self, pairs: Pairs, done: Done = unheard) -> PairScores:
        """The evidence of pairs, from LRs as `Verifier.score` gives them."""
        parts = [PairScores(np.zeros(0), np.zeros(0))]
        for compared, pair in self._parts(pairs, done):
            scores = self._system.score_compared(compared)
            parts.append(PairScores(_means(scores.log_lr, pair), _means(scores.free, pair)))
        return PairScores(*map(np.concatenate, zip(*parts, strict=True)))

    def estimates(self, pairs: Pairs, done: Done = unheard) -> Floats:
        """About their natural-log LRs (pairs,), in much less time."""
        parts = [np.zeros(0)]
        for compared, pair in self._parts(pairs, done):
            ratios = self._system.bounds.hold(self._evidence.estimate(compared))
            parts.append(_means(ratios, pair))
        return np.concatenate(parts)

    def _parts(self, pairs: Pairs, done: Done) -> Iterator[tuple[Compared, Longs]]:
        for start in range(0, len(pairs.one), _PAIRS_AT_ONCE):
            yield self._compared(pairs.at(slice(start, start + _PAIRS_AT_ONCE)))
            done(min(start + _PAIRS_AT_ONCE, len(pairs.one)))

    def _compared(self, pairs: Pairs) -> tuple[Compared, Longs]:
        """The trials of pairs, and which pair each is of."""
        one = np.concatenate([pairs.one, pairs.other])
        against = np.concatenate([pairs.other, pairs.one])
        first = self._accounts.first
        n = first[one + 1] - first[one]
        ends = np.cumsum(n)
        text = np.arange(ends[-1]) - np.repeat(ends - n - first[one], n)
        known = np.repeat(against, n)
        sides = KnownSides(*(field[known] for field in self._accounts.sides))
        style = self._accounts.style[text].astype(np.float64)
        pair = np.repeat(np.tile(np.arange(len(pairs.one)), 2), n)
        return compare_sides(style, self._accounts.log_tokens[text], sides), pair


def _means(values: Floats, pair: Longs) -> Floats:
    """The mean of the values of each pair."""
    mean: Floats = np.bincount(pair, values) / np.bincount(pair)
    return mean


def _columns(read: Read) -> tuple[NDArray[np.str_], Longs, NDArray[np.bytes_]]:
    """Authors, numbers of tokens and digests (rows,) of a table."""
    found: dict[str, list[Any]] = {"author": [], "tokens": [], "digest": []}
    for batch in read(list(found)):
        for name, column in found.items():
            column += batch[name].to_pylist()
    return (
        np.array([name or "" for name in found["author"]], np.str_),
        np.array(found["tokens"], np.int64),
        np.array(found["digest"], np.bytes_),
    )


def _own_texts(author: NDArray[np.str_], digest: NDArray[np.bytes_]) -> Longs:
    """The places of texts that one author alone has, each once."""
    _, of_author = np.unique(author, return_inverse=True)
    _, of_text = np.unique(digest, return_inverse=True)
    distinct, first = np.unique(np.stack([of_text, of_author], 1), axis=0, return_index=True)
    authors_of_text = np.bincount(distinct[:, 0], minlength=1)
    return np.sort(first[authors_of_text[distinct[:, 0]] == 1])


def _vectors(read: Read, rows: Longs, sizes: tuple[int, ...]) -> Singles:
    """The vectors (rows, size) in some rows of a table, in that order."""
    found = np.empty((len(rows), sum(sizes)), np.float32)
    order = np.argsort(rows)
    for part, vectors in _parts(read, rows[order], sizes):
        found[order[part]] = vectors
    return found


def _parts(read: Read, rows: Longs, sizes: tuple[int, ...]) -> Iterator[tuple[slice, Floats]]:
    """Which of some rows, in ascending order, are in each batch of a table, and their vectors."""
    import pyarrow as pa

    start = 0
    for batch in read(["vector"]):
        low, high = np.searchsorted(rows, [start, start + len(batch)])
        if low < high:
            wanted = batch.take(pa.array(rows[low:high] - start))
            yield slice(low, high), straight_vectors(wanted["vector"], sizes)
        start += len(batch)


def _sides(style: Singles, log_tokens: Floats, n: Longs) -> KnownSides:
    """The known side of each account, whose `n` texts stand one after another."""
    first = np.cumsum([0, *n])
    parts = []
    for start in range(0, len(n), _ACCOUNTS_AT_ONCE):
        some = n[start : start + _ACCOUNTS_AT_ONCE]
        texts = slice(first[start], first[start + len(some)])
        known = np.full((len(some), MOST_KNOWN), -1, np.int64)
        known[np.arange(MOST_KNOWN) < some[:, None]] = np.arange(some.sum())
        parts.append(known_sides(style[texts].astype(np.float64), log_tokens[texts], known))
    return KnownSides(*map(np.concatenate, zip(*parts, strict=True)))
