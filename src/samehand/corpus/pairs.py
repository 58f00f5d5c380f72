"""Pair re-sampling: new pairs of documents every epoch (the paper's Fig. `resample`).

The paper's two loops, taken for all authors at once. Nothing but numpy is needed, so that a
training machine can sample its own pairs.

In the paper, an author whose draw asks for a pair it cannot supply tries again in the next pass.
Authors do not influence each other in the first loop, so drawing among the kinds an author *can*
supply has the same distribution, and every pass uses up at least one document of every author: the
loop ends on any input.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

SUBSETS = ("DA_DF", "DA_SF", "SA_DF", "SA_SF")
"""The paper's subsets; the place of a pair's subset is `2 * same_author + same_topic`."""

_DOCUMENTS_PER_TURN = 8
"""A prolific author takes one turn a pass for so many documents, so that the number of passes grows
with the logarithm of the largest author. Below twice this number, it is one turn, as printed."""

_WORTHWHILE = 0.05
"""The second loop goes on while a round pairs at least this share of the documents it has."""


@dataclass(frozen=True)
class Deltas:
    """The probabilities δ1, δ2, δ3 that steer the shares of the four subsets."""

    same_author: float = 0.7
    same_topic_given_same_author: float = 0.6
    same_topic_given_different_authors: float = 0.6

    def __post_init__(self) -> None:
        for name in (
            "same_author",
            "same_topic_given_same_author",
            "same_topic_given_different_authors",
        ):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise InputError(f"{name} is {value}: give a probability between 0 and 1.")


@dataclass(frozen=True)
class Pairs:
    """Pairs of documents, as indices into the corpus, with their true labels."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    same_author: Bools
    same_topic: Bools

    def __len__(self) -> int:
        return int(self.first.size)

    def where(self, keep: Bools) -> "Pairs":
        return Pairs(
            self.first[keep], self.second[keep], self.same_author[keep], self.same_topic[keep]
        )

    def renumbered(self, number: NDArray[np.int64]) -> "Pairs":
        """These pairs, where document `i` is now `number[i]`."""
        return Pairs(number[self.first], number[self.second], self.same_author, self.same_topic)


def sample_epoch(
    authors: Ints,
    topics: Ints,
    deltas: Deltas,
    seed: int,
    epoch: int,
    groups: Ints | None = None,
) -> Pairs:
    """Pairs for one epoch, in random order, the same for the same `seed` and `epoch`.

    `authors` and `topics` hold one number a document. A document is in one pair at most; one
    without a partner, at most one a group, is left out. With `groups` (say, the source of each
    document), documents by different authors are paired within one group only: two genres are too
    easily told apart to teach anything about style.
    """
    if authors.shape != topics.shape or (groups is not None and groups.shape != authors.shape):
        raise ValueError("authors, topics and groups must hold one number for each document")
    rng = np.random.default_rng([seed, epoch])
    author, topic = _dense(authors), _dense(topics)
    group = np.zeros_like(author) if groups is None else _dense(groups)
    same, candidates = _same_author_pairs(author, _joint(author, topic), deltas, rng)
    different = _different_author_pairs(
        candidates, author, _joint(group, topic), group, deltas, rng
    )
    pairs = rng.permutation(np.concatenate([same, different]))
    flip = rng.random(len(pairs)) < 0.5
    first = np.where(flip, pairs[:, 1], pairs[:, 0])
    second = np.where(flip, pairs[:, 0], pairs[:, 1])
    return Pairs(first, second, author[first] == author[second], topic[first] == topic[second])


def _same_author_pairs(
    author: Ints, cell: Ints, deltas: Deltas, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """The first loop: same-author pairs, and the candidates for different-author pairs.

    `cell` numbers the combinations of author and topic, all cells of an author in a row.
    """
    pairs, candidates = [_NO_PAIRS], [_NO_DOCUMENTS]
    left: Ints = np.arange(author.size)
    while left.size:
        left = left[_shuffled_within(cell[left], rng)]
        by_author, by_cell = _runs(author[left]), _runs(cell[left])
        wanted = _draw_turns(by_author, by_cell, deltas, rng)
        same_topic = _choose(_neighbours(by_cell), by_author, wanted.same_topic, rng)
        free = np.ones(left.size, dtype=np.bool_)
        free[same_topic] = False
        across, alone = _deal(by_author, by_cell, free, wanted, rng)
        free[across] = False
        free[alone] = False
        pairs += [left[same_topic], left[across]]
        candidates.append(left[alone])
        left = left[free]
    return np.concatenate(pairs), np.concatenate(candidates)


def _different_author_pairs(
    pool: Ints, author: Ints, topic: Ints, group: Ints, deltas: Deltas, rng: np.random.Generator
) -> Ints:
    """The second loop: pairs by two authors of one group. `topic` tells the groups apart, too.

    When the draws stop paying, the rest is paired whatever its topics; where one author holds most
    of that rest, two of its documents may meet, and the pair counts as same-author.
    """
    pairs = [_NO_PAIRS]
    author_order = _random_order(author, rng)
    topic_order = _random_order(topic, rng)
    while pool.size > 1:
        pool = rng.permutation(pool)
        same_topic = _differing(_opposites(pool, topic, author_order), author)
        draw = rng.random(len(same_topic))
        same_topic = same_topic[draw < deltas.same_topic_given_different_authors]
        rest = _without(pool, same_topic, author.size)
        rest = rest[np.argsort(group[rest], kind="stable")]
        across = rest[_neighbours(_runs(group[rest]))]
        across = _differing(_differing(across, topic), author)
        rest = _without(rest, across, author.size)
        more_across = _differing(_opposites(rest, group, topic_order), author)
        drawn = np.concatenate([same_topic, across, _differing(more_across, topic)])
        if drawn.size < _WORTHWHILE * pool.size:
            break
        pairs.append(drawn)
        pool = _without(pool, drawn, author.size)
    pairs.append(_opposites(pool, group, author_order))
    return np.concatenate(pairs)


class _Turns(NamedTuple):
    """How many pairs within a topic, pairs across topics and candidates each author gives."""

    same_topic: Ints
    across: Ints
    alone: Ints


class _Runs(NamedTuple):
    """The stretches of equal values in a sorted array."""

    start: Ints  # (runs,)
    length: Ints  # (runs,)
    of: Ints  # (positions,) the run a position lies in
    rank: Ints  # (positions,) its place in that run


def _draw_turns(
    by_author: _Runs, by_cell: _Runs, deltas: Deltas, rng: np.random.Generator
) -> _Turns:
    """Draw what each author does in this pass, among the things it can do."""
    delta_2 = deltas.same_topic_given_same_author
    last = by_author.start + by_author.length - 1
    many_topics = by_cell.of[by_author.start] != by_cell.of[last]
    shares_topic = np.maximum.reduceat(by_cell.length[by_cell.of], by_author.start) > 1
    same_topic = deltas.same_author * delta_2 * shares_topic
    across = deltas.same_author * (1 - delta_2) * many_topics
    turns = np.maximum(1, by_author.length // _DOCUMENTS_PER_TURN)
    who = np.repeat(np.arange(turns.size), turns)
    draw = rng.random(who.size) * (same_topic + across + (1 - deltas.same_author))[who]
    is_same_topic = draw < same_topic[who]
    is_across = ~is_same_topic & (draw < (same_topic + across)[who])
    n_same = np.bincount(who[is_same_topic], minlength=turns.size)
    n_across = np.bincount(who[is_across], minlength=turns.size)
    return _Turns(n_same, n_across, turns - n_same - n_across)


def _choose(pairs: Ints, by_author: _Runs, wanted: Ints, rng: np.random.Generator) -> Ints:
    """At random, as many of each author's `pairs` as it wants (or has)."""
    owner = by_author.of[pairs[:, 0]]
    pairs = pairs[wanted[owner] > 0]
    owner = by_author.of[pairs[:, 0]]
    pairs = pairs[_shuffled_within(owner, rng)]  # `owner` is sorted: the shuffle leaves it as it is
    return pairs[_runs(owner).rank < wanted[owner]]


def _deal(
    by_author: _Runs, by_cell: _Runs, free: Bools, turns: _Turns, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Positions of pairs across topics, and of candidates.

    Each author deals its free documents out in one hand a turn, round and round in order of topic.
    Where there are two topics, one hand at least holds both, so that no pass is in vain.
    """
    hands = turns.across + turns.alone
    card = np.flatnonzero(free & (hands[by_author.of] > 0))
    owner = by_author.of[card]
    number = _runs(owner).rank % hands[owner]
    hand = (np.cumsum(hands) - hands)[owner] + number
    order = _shuffled_within(hand, rng)
    card, owner, number = card[order], owner[order], number[order]
    by_hand = _runs(hand[order])
    top = by_hand.start
    pairs_up = number[top] < turns.across[owner[top]]
    topic = by_cell.of[card]
    other = np.flatnonzero((topic != topic[top][by_hand.of]) & pairs_up[by_hand.of])
    other = other[_runs(by_hand.of[other]).start]  # the first of each hand
    across = np.stack([card[top[by_hand.of[other]]], card[other]], axis=1)
    return across, card[top[~pairs_up]]


def _opposites(documents: Ints, within: Ints, order: Ints) -> Ints:
    """Pair up within equal values of `within`; `order` differs unless one value has most of them.

    In that order, each document of the first half meets the one half a run further on.
    """
    documents = documents[np.lexsort((order[documents], within[documents]))]
    runs = _runs(within[documents])
    first = np.flatnonzero(runs.rank < (runs.length // 2)[runs.of])
    second = first + ((runs.length + 1) // 2)[runs.of[first]]
    return np.stack([documents[first], documents[second]], axis=1)


def _differing(pairs: Ints, label: Ints) -> Ints:
    differs: Bools = label[pairs[:, 0]] != label[pairs[:, 1]]
    return pairs[differs]


def _neighbours(runs: _Runs) -> Ints:
    """Positions of neighbours, two by two, within each run."""
    first = np.flatnonzero((runs.rank % 2 == 0) & (runs.rank + 1 < runs.length[runs.of]))
    return np.stack([first, first + 1], axis=1)


def _runs(values: Ints) -> _Runs:
    start = np.flatnonzero(np.diff(values, prepend=values[:1] - 1))
    length = np.diff(start, append=values.size)
    of = np.repeat(np.arange(start.size), length)
    return _Runs(start, length, of, np.arange(values.size) - start[of])


def _shuffled_within(values: Ints, rng: np.random.Generator) -> Ints:
    """Order that sorts `values`, equal ones at random. No two keys tie: alike on every machine."""
    return np.argsort(values.astype(np.int64) * values.size + rng.permutation(values.size))


def _random_order(values: Ints, rng: np.random.Generator) -> Ints:
    """Dense numbers, dealt anew."""
    return rng.permutation(values.max(initial=-1) + 1)[values]


def _without(pool: Ints, pairs: Ints, documents: int) -> Ints:
    taken = np.zeros(documents, dtype=np.bool_)
    taken[pairs] = True
    return pool[~taken[pool]]


def _dense(values: Ints) -> NDArray[np.int64]:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _joint(major: Ints, minor: Ints) -> NDArray[np.int64]:
    """Number the combinations, those of one `major` in a row."""
    return _dense(major * (minor.max(initial=0) + 1) + minor)


_NO_PAIRS: Ints = np.empty((0, 2), dtype=np.int64)
_NO_DOCUMENTS: Ints = np.empty(0, dtype=np.int64)
