"""Accounts that may be one person's: pairs with their evidence, joined to groups for review.

Pairs are joined from the strongest on. Two groups become one only if the mean evidence of all pairs
across them is as strong, and none of it speaks against: of three accounts, two that seem to be by
different people are not joined through the third. Each pair's probability follows from its
likelihood ratio (LR) and the stated prior, and what is expected of a group is the mean of those of
its pairs.
"""

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.scoring.abstention import LEAST

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

SECOND_ACCOUNTS = 0.1
"""The share of accounts whose author has another one in the collection, unless stated."""


class Pairs(NamedTuple):
    """Pairs of accounts, by their numbers."""

    one: Longs
    """(pairs,) the lower number of each"""
    other: Longs
    """(pairs,)"""

    @classmethod
    def of(cls, one: Longs, other: Longs) -> "Pairs":
        """Each pair once, in ascending order; an account is no pair with itself."""
        ends = np.stack([np.minimum(one, other), np.maximum(one, other)], 1)
        distinct = np.unique(ends[ends[:, 0] < ends[:, 1]], axis=0).astype(np.int64)
        return cls(distinct[:, 0], distinct[:, 1])

    def at(self, chosen: slice | Longs | NDArray[np.bool_]) -> "Pairs":
        """Some of them."""
        return Pairs(self.one[chosen], self.other[chosen])


class PairScores(NamedTuple):
    """Natural-log LRs of pairs; all (pairs,)."""

    log_lr: Floats
    """Held to the model's bounds."""
    free: Floats
    """Before that: no evidence beyond the bounds, but an order among pairs that reach them."""


Score = Callable[[Pairs], PairScores]
"""By which pairs of accounts are compared."""


class Link(NamedTuple):
    """A pair of accounts of a group."""

    one: int
    other: int
    log_lr: float
    probability: float
    """Of one author, at the stated prior."""
    free: float
    """The natural-log LR before bounds: an order among those that reach them."""

    @property
    def log10_lr(self) -> float:
        return self.log_lr / math.log(10)


class Group(NamedTuple):
    """Accounts that may be one person's."""

    accounts: tuple[int, ...]
    links: tuple[Link, ...]
    """All pairs of its accounts, in the order of their evidence."""
    refused: tuple[Link, ...]
    """Pairs that would have joined others to it, but for evidence of the other pairs across."""

    @property
    def expected_precision(self) -> float:
        """The share of its pairs that are expected to be by one author."""
        return sum(link.probability for link in self.links) / len(self.links)

    @property
    def rank(self) -> tuple[float, float, tuple[int, ...]]:
        """Lower of a likelier group, and of those alike, of more evidence before bounds."""
        free = sum(link.free for link in self.links) / len(self.links)
        return -round(self.expected_precision, 9), -free, self.accounts


class PairPrior(NamedTuple):
    """How likely it is that two accounts are by one author, before their texts are compared."""

    second_accounts: float
    """The share of accounts whose author has another one in the collection."""
    accounts: int

    @property
    def log_odds(self) -> float:
        """For any two of the accounts."""
        share = self.second_accounts / max(self.accounts - 1, 1)
        return math.log(share) - math.log1p(-min(share, 1 - 1e-9))

    def probability(self, log_lr: Floats) -> Floats:
        """Of one author, by natural-log LRs."""
        probability: Floats = 1.0 / (1.0 + np.exp(-(log_lr + self.log_odds)))
        return probability


def pair_prior(second_accounts: float, accounts: int) -> PairPrior:
    """The prior of a pair; a share that is none raises `InputError`."""
    if not 0.0 < second_accounts <= 1.0:
        raise InputError(
            f"The share of accounts whose author has another one is {second_accounts}; give a "
            "number above 0 and up to 1."
        )
    return PairPrior(second_accounts, accounts)


def groups(
    pairs: Pairs, scores: PairScores, score: Score, prior: PairPrior, least: float
) -> list[Group]:
    """Groups of accounts joined by pairs of at least a natural-log LR; the likeliest group first.

    `score` compares what is not among the pairs where two groups might be joined.
    """
    joining = _Joining(pairs, scores, score, least)
    strongest = np.argsort(-scores.free, kind="stable")
    for place in strongest[scores.log_lr[strongest] >= least].tolist():
        joining.take(int(pairs.one[place]), int(pairs.other[place]))
    found = [
        Group(tuple(members), tuple(joining.links(members, prior)), refused)
        for members, refused in joining.joined(prior)
    ]
    return sorted(found, key=lambda group: group.rank)


class _Joining:
    """Groups as they grow."""

    def __init__(self, pairs: Pairs, scores: PairScores, score: Score, least: float) -> None:
        ends = zip(pairs.one.tolist(), pairs.other.tolist(), strict=True)
        values = zip(scores.log_lr.tolist(), scores.free.tolist(), strict=True)
        self._known = dict(zip(ends, values, strict=True))
        self._score, self._least = score, least
        self._of: dict[int, list[int]] = {}
        self._refused: list[tuple[int, int]] = []

    def take(self, one: int, other: int) -> None:
        """Join the groups of two accounts, unless other pairs across speak against it."""
        left, right = self._of.get(one, [one]), self._of.get(other, [other])
        if left is right:
            return
        across = [log_lr for log_lr, _ in self._compared(left, right)]
        if min(across) <= -LEAST or sum(across) / len(across) < self._least:
            self._refused.append((one, other))
            return
        whole = sorted(left + right)
        self._of |= dict.fromkeys(whole, whole)

    def joined(self, prior: PairPrior) -> Iterator[tuple[list[int], tuple[Link, ...]]]:
        """The accounts of each group, and the pairs by which others would have come to it."""
        for members in {id(members): members for members in self._of.values()}.values():
            inside = set(members)
            refused = [pair for pair in self._refused if not inside.isdisjoint(pair)]
            yield members, tuple(self._link(pair, prior) for pair in refused)

    def links(self, members: list[int], prior: PairPrior) -> list[Link]:
        """All pairs of a group, the strongest first."""
        pairs = [(one, other) for one in members for other in members if one < other]
        pairs.sort(key=lambda pair: -self._known[pair][1])
        return [self._link(pair, prior) for pair in pairs]

    def _link(self, pair: tuple[int, int], prior: PairPrior) -> Link:
        log_lr, free = self._known[pair]
        return Link(*pair, log_lr, float(prior.probability(np.array(log_lr))), free)

    def _compared(self, left: list[int], right: list[int]) -> list[tuple[float, float]]:
        """Scores of all pairs across two groups."""
        across = [(min(pair), max(pair)) for pair in product(left, right)]
        new = [pair for pair in across if pair not in self._known]
        if new:
            ends = np.array(new, np.int64)
            found = self._score(Pairs(ends[:, 0], ends[:, 1]))
            values = zip(found.log_lr.tolist(), found.free.tolist(), strict=True)
            self._known |= dict(zip(new, values, strict=True))
        return [self._known[pair] for pair in across]
