"""Data of a case's own kind of text: texts by others, and pairs whose truth is known.

A model keeps their vectors and digests in case.safetensors, none of their words. So a text of the
case that turns out to be among them can be left out.
"""

from collections.abc import Mapping, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors
from samehand.errors import InputError
from samehand.scoring.distance import Trials

Bools = NDArray[np.bool_]
Longs = NDArray[np.int64]
Tensors = Mapping[str, NDArray[Any]]

DIGEST = 16
"""Bytes of a text's digest."""


class CaseData(NamedTuple):
    """Texts of a case's kind, and which of them are known to be by one author or by two."""

    vectors: TextVectors
    """All texts."""
    digests: NDArray[np.uint8]
    """(texts, 16) of their contents"""
    others: Longs
    """(some,) places of the texts by other people, each by somebody else"""
    pairs: Trials
    """Pairs whose truth is known, over these texts"""
    same: Bools
    """(pairs,) whether one author wrote both sides"""

    @classmethod
    def of(cls, tensors: Tensors) -> "CaseData":
        """The case in tensors as `tensors()` names them; anything else raises `InputError`."""
        try:
            sizes = tuple(int(size) for size in tensors["sizes"])
            style, digests = tensors["style"], tensors["digests"]
            n = len(style)
            tokens = tensors["tokens"]
            case = cls(
                TextVectors(style.astype(np.float32), tokens.astype(np.int64), sizes),
                digests,
                tensors["others"].astype(np.int64),
                Trials(tensors["questioned"].astype(np.int64), tensors["known"].astype(np.int64)),
                tensors["same"].astype(np.bool_),
            )
            places = np.concatenate([case.others, case.pairs.questioned, case.pairs.known.ravel()])
            fits = (
                style.shape == (n, sum(sizes))
                and digests.shape == (n, DIGEST)
                and digests.dtype == np.uint8
                and tokens.shape == (n,)
                and case.pairs.known.ndim == 2
                and len(case.pairs.questioned) == len(case.pairs.known) == len(case.same)
                and bool((places >= -1).all() and (places < n).all())
                and bool((case.pairs.known[:, :1] >= 0).all())
            )
        except (KeyError, ValueError, IndexError, AttributeError):
            fits = False
        if not fits:
            raise InputError(
                "case.safetensors holds no case, or a damaged one; adapt the model again."
            )
        return case

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it by names, for case.safetensors."""
        vectors = self.vectors
        return {
            "style": vectors.style,
            "tokens": vectors.tokens,
            "sizes": np.array(vectors.sizes, np.int64),
            "digests": self.digests,
            "others": self.others,
            "questioned": self.pairs.questioned,
            "known": self.pairs.known,
            "same": self.same.astype(np.uint8),
        }

    @property
    def says_something(self) -> bool:
        """Whether there are two texts by others, or a pair, at least."""
        return len(self.others) > 1 or len(self.same) > 0

    @property
    def used(self) -> Longs:
        """The places of all texts that are by others, or in a pair."""
        places = np.concatenate([self.others, self.pairs.questioned, self.pairs.known.ravel()])
        return np.unique(places[places >= 0])

    def each_digest(self) -> list[bytes]:
        """The digest of each text."""
        return [row.tobytes() for row in self.digests]

    def holds(self, digests: Set[bytes]) -> Bools:
        """Which texts (texts,) have one of these digests."""
        return np.array([each in digests for each in self.each_digest()], np.bool_)

    def without(self, texts: Bools) -> "CaseData":
        """A case as if it had not brought some texts, nor the pairs that they are in."""
        gone = np.append(texts, False)  # −1 stands for no text
        kept = ~(gone[self.pairs.questioned] | gone[self.pairs.known].any(1))
        return self._replace(
            others=self.others[~texts[self.others]],
            pairs=self.pairs.at(kept),
            same=self.same[kept],
        )
