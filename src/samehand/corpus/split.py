"""Split a corpus into parts that share neither authors nor topics (the paper's "Dataset Split")."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import Ints
from samehand.errors import InputError

TRAIN, CALIBRATION, TEST, DROPPED = 0, 1, 2, -1
_DIGEST = 8
"""Bytes of the hash of a name."""


@dataclass(frozen=True)
class Split:
    """`part` says for each document which part it went to: by place in the shares, or `DROPPED`."""

    part: NDArray[np.int8]

    @property
    def dropped(self) -> int:
        """How many documents lie in no part, because their author and their topic do not agree."""
        return int((self.part == DROPPED).sum())

    def documents(self, part: int) -> NDArray[np.int64]:
        """Indices of the documents of one part."""
        return np.flatnonzero(self.part == part)


def split(
    authors: Ints,
    topics: Ints,
    shares: Sequence[float] = (0.75, 0.125, 0.125),
    seed: int = 0,
    disjoint_topics: bool = True,
) -> Split:
    """Split documents, given the number of the author and of the topic of each.

    Topics go to the parts at random, `shares` of them to each. Every author keeps to the part where
    it has most documents; those it has elsewhere are dropped. Without `disjoint_topics`, authors go
    to the parts at random instead, and nothing is dropped.
    """
    if authors.shape != topics.shape:
        raise ValueError("authors and topics must hold one number for each document")
    if min(shares, default=-1) < 0 or abs(sum(shares) - 1) > 1e-6:
        raise InputError(
            f"The shares of the split, {_listed(shares)}, must be 0 or more and sum to 1."
        )
    rng = np.random.default_rng(seed)
    author_names, author = np.unique(authors, return_inverse=True)
    if not disjoint_topics:
        return Split(_allot(author_names.size, shares, rng)[author])
    topic_names, topic = np.unique(topics, return_inverse=True)
    needed = sum(share > 0 for share in shares)
    if 0 < topic_names.size < needed:
        raise InputError(
            f"Topics in the corpus: {topic_names.size}, too few for {needed} parts to share none; "
            "label more topics, or split by authors alone (--split-by authors)"
        )
    by_topic = _allot(topic_names.size, shares, rng)[topic]
    home = _where_most_are(author, by_topic, author_names.size, len(shares), rng)
    return Split(np.where(home[author] == by_topic, by_topic, DROPPED).astype(np.int8))


def parse_shares(listed: str) -> tuple[float, float, float]:
    """Shares of the training, the calibration and the test part, such as 75,12.5,12.5 or 75,25."""
    try:
        percent = [float(share) for share in listed.split(",")]
    except ValueError:
        percent = []
    if len(percent) not in (2, 3) or not min(percent) >= 0 or abs(sum(percent) - 100) > 1e-6:
        raise InputError(
            f"The shares of the split, {listed!r}, are not two or three percentages that sum to "
            "100; write them as 75,12.5,12.5."
        )
    train, calibration, test = (share / 100 for share in (*percent, 0.0)[:3])
    return train, calibration, test


def check_disjoint_authors(*parts: Iterable[str]) -> list[str]:
    """The names, sorted, that more than one of the given parts have among their authors."""
    counts = Counter(name for part in parts for name in set(part))
    return sorted(name for name, count in counts.items() if count > 1)


def kept_authors(names: Sequence[str], share: float) -> NDArray[np.bool_]:
    """Which of these authors are kept from the encoders: about `share` of them, by their names.

    The seed of a run, and who else is in a store, change nothing: networks that were trained on
    different stores of the same texts can be fitted together on the same authors.
    """
    return _chosen(names, share, b"")


def used_authors(names: Sequence[str], share: float) -> NDArray[np.bool_]:
    """Which of these authors are trained on at all: about `share` of them, by their names.

    The authors of a smaller share are among those of a larger one.
    """
    return _chosen(names, share, b"used")


def _chosen(names: Sequence[str], share: float, purpose: bytes) -> NDArray[np.bool_]:
    """Names whose hash is low enough; for each purpose there is another hash."""
    keys = (name.encode("utf-8", "surrogatepass") for name in names)
    hashed = (hashlib.blake2b(key, digest_size=_DIGEST, person=purpose) for key in keys)
    numbers = (int.from_bytes(each.digest(), "big") for each in hashed)
    return np.fromiter((n < share * 256**_DIGEST for n in numbers), np.bool_, len(names))


def _allot(n: int, shares: Sequence[float], rng: np.random.Generator) -> NDArray[np.int8]:
    """A part for each of `n` things at random, in numbers as near to the shares as can be.

    Where there are enough, a part with a small share gets one at the cost of the largest.
    """
    wanted = np.asarray(shares, dtype=np.float64) * n
    number = np.floor(wanted + 1e-9).astype(np.int64)
    by_remainder = np.argsort(number - wanted, kind="stable")
    number[by_remainder[: n - number.sum()]] += 1
    for part in np.flatnonzero((wanted > 0) & (number == 0)):
        if number.max() > 1:
            number[number.argmax()] -= 1
            number[part] += 1
    return rng.permutation(np.repeat(np.arange(number.size, dtype=np.int8), number))


def _where_most_are(
    author: Ints, part: Ints, n_authors: int, n_parts: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The part with most documents of each author; of equals, any, which keeps to the shares."""
    cell = author * n_parts + part
    counts = np.bincount(cell, minlength=n_authors * n_parts).reshape(n_authors, n_parts)
    home: NDArray[np.int64] = np.argmax(counts + rng.random(counts.shape), axis=1)
    return home


def _listed(shares: Sequence[float]) -> str:
    return ", ".join(f"{share:g}" for share in shares)
