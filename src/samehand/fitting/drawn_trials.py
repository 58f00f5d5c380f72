"""Trials drawn from a store, for evidence to be fitted to.

Same-author trials cross topics, as far as a source allows; of the different-author trials half
share one, and the others take topics as they come, for cases do either. Texts have every length:
half of the documents stay whole, the others are joined within author and topic, or cropped. With
several known texts the trials of 1, 2, 4 and 8 are of the same authors and the same questioned
texts. Authors who wrote in two sources give trials whose sides are of different kinds.
"""

from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.scoring.distance import Trials
from samehand.training.config import LengthConfig
from samehand.training.texts import Stored, Texts, draw_texts, whole_texts

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

KNOWN = (1, 2, 4, 8)
"""Numbers of known texts."""
PAIRS, AUTHORS = 200, 60
"""Of each source at most so many trials of either kind with one known text, and so many authors
whose texts are known together."""
WITHIN = 0.5
"""Share of the different-author trials that share a topic, where there are as many."""
FEW = 40
"""Authors of several topics, below which a source counts as one of single topics."""
SHARED = 10
"""Authors that two sources share, from which on trials have a side in each."""
_LENGTHS = LengthConfig(vary=True, shortest=80, longest=5_464)
_TRIES = 8


class DrawnTrials(NamedTuple):
    """Trials over texts, and what is true of them; all (trials,)."""

    trials: Trials
    same: Bools
    genres: Ints
    """(trials, 2) the sources of the questioned and of the known texts"""

    @property
    def mixed(self) -> Bools:
        """Whether the two sides are of different sources."""
        mixed: Bools = self.genres[:, 0] != self.genres[:, 1]
        return mixed

    def at(self, chosen: Bools) -> "DrawnTrials":
        """Some of them."""
        return DrawnTrials(self.trials.at(chosen), self.same[chosen], self.genres[chosen])


class _Trial(NamedTuple):
    questioned: int
    known: Ints
    same: bool


def varied_texts(stored: Stored, cap: int, rng: np.random.Generator) -> Texts:
    """Half of the documents whole, half joined or cropped; no document is in two texts."""
    whole = rng.random(len(stored.starts)) < 0.5
    one = whole_texts(stored.at(np.flatnonzero(whole)), cap)
    other = draw_texts(stored.at(np.flatnonzero(~whole)), cap, _LENGTHS, rng)
    first_run = np.append(one.first_run, one.first_run[-1] + other.first_run[1:])
    columns = zip(Texts._fields, one, other, strict=True)
    joined = {name: np.concatenate([first, second]) for name, first, second in columns}
    return Texts(**joined | {"first_run": first_run})


def draw_trials(texts: Texts, rng: np.random.Generator) -> DrawnTrials:
    """Trials of every source with authors of several texts, and of sources that share authors."""
    used = rng.permutation(np.flatnonzero(texts.lengths > 0))
    by_source = _grouped(used, texts.source)
    drawn: list[_Trial] = []
    for inside in by_source.values():
        drawn += _Source(texts, inside, rng).trials()
    for one, other in permutations(by_source.values(), 2):
        drawn += _across(texts, one, other, rng)
    trials = Trials.of([t.questioned for t in drawn], [t.known.tolist() for t in drawn])
    return DrawnTrials(
        trials,
        np.array([trial.same for trial in drawn], np.bool_),
        np.stack([texts.source[trials.questioned], texts.source[trials.known[:, 0]]], 1),
    )


def _across(texts: Texts, one: Ints, other: Ints, rng: np.random.Generator) -> Iterator[_Trial]:
    """Trials with a questioned text of one source and a known text of another."""
    written, also = (_grouped(inside, texts.author) for inside in (one, other))
    shared = sorted(written.keys() & also.keys())
    if len(shared) < SHARED:
        return
    for author in [author for _ in range(3) for author in rng.permutation(shared)][:PAIRS]:
        known = rng.choice(also[author], 1)
        yield _Trial(int(rng.choice(written[author])), known, same=True)
        questioned = int(rng.choice(one))
        if texts.author[questioned] != author:
            yield _Trial(questioned, known, same=False)


class _Source:
    """The texts of one source, in random order, by author and by topic."""

    def __init__(self, texts: Texts, inside: Ints, rng: np.random.Generator) -> None:
        self._author, self._topic, self._inside, self._rng = texts.author, texts.topic, inside, rng
        self._by_topic = _grouped(inside, texts.topic)
        groups = _grouped(inside, texts.author).values()
        self._authors = [own for own in groups if len(own) > 1]
        crossing = [own for own in self._authors if np.ptp(texts.topic[own])]
        self._pairing = crossing if len(crossing) >= FEW else self._authors
        """Authors of trials with one known text: those of several topics, if there are enough."""

    def trials(self) -> list[_Trial]:
        """With one known text, and with several."""
        if len(self._authors) < 2:
            return []
        order = [i for _ in range(3) for i in self._rng.permutation(len(self._pairing))]
        by_one = [self._by_one(self._pairing[i]) for i in order[:PAIRS]]
        same = [_Trial(questioned, known, same=True) for questioned, known in by_one]
        return [*same, *self._by_two(), *self._of_several()]

    def _by_one(self, own: Ints, n: int = 1) -> tuple[int, Ints]:
        """A text, and others by its author: of other topics, as far as there are any."""
        mine, *others = self._rng.permutation(own)
        rest = np.array(others)
        crossing = np.argsort(self._topic[rest] == self._topic[mine], kind="stable")
        return int(mine), rest[crossing][:n]

    def _by_two(self) -> list[_Trial]:
        """Trials by two authors: half of them within a topic, if there are so many."""
        pool = [int(text) for _ in range(3) for text in self._rng.permutation(self._inside)]
        within = list(islice(self._of_two(pool, within=True), round(WITHIN * PAIRS)))
        rest = self._of_two(pool[::-1], within=False)
        return [*within, *islice(rest, PAIRS - len(within))]

    def _of_two(self, pool: list[int], *, within: bool) -> Iterator[_Trial]:
        for known in pool:
            others = self._by_topic[int(self._topic[known])] if within else self._inside
            other = self._by_another(others, self._author[known])
            if other is not None:
                yield _Trial(other, np.array([known]), same=False)

    def _of_several(self) -> Iterator[_Trial]:
        """Trials by one author or by two, repeated with each number of known texts."""
        several = [own for own in self._authors if len(own) > KNOWN[1]]
        for place in self._rng.permutation(len(several))[:AUTHORS]:
            mine, known = self._by_one(several[place], KNOWN[-1])
            within = self._rng.random() < WITHIN
            pools = [self._by_topic[int(self._topic[text])] for text in known] if within else []
            author = self._author[mine]
            found = (self._by_another(pool, author) for pool in [*pools, self._inside])
            other = next((text for text in found if text is not None), None)
            for n in (n for n in KNOWN if n <= len(known)):
                yield _Trial(mine, known[:n], same=True)
                if other is not None:
                    yield _Trial(other, known[:n], same=False)

    def _by_another(self, pool: Ints, author: int) -> int | None:
        """A text of the pool that is by somebody else, if a few draws find one."""
        for found in pool[self._rng.integers(len(pool), size=_TRIES)]:
            if self._author[found] != author:
                return int(found)
        return None


def _grouped(places: Ints, label: Ints) -> dict[int, Ints]:
    """Places by their label, in the order in which they come."""
    order = places[np.argsort(label[places], kind="stable")]
    numbers, starts = np.unique(label[order], return_index=True)
    ends = np.append(starts[1:], len(order))
    return {
        int(number): order[start:end]
        for number, start, end in zip(numbers, starts, ends, strict=False)
    }
