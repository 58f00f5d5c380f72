"""The texts of an epoch: documents joined or cropped, so that the network meets every length."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.store import Store
from samehand.training.config import LengthConfig

Ints = NDArray[np.integer[Any]]

_FROM_START = 0.5
"""Share of crops that begin where the text begins, as texts do in use."""


class Stored(NamedTuple):
    """Documents in a store: where their tokens are, and whose they are. All (documents,)."""

    starts: Ints
    lengths: Ints
    author: Ints
    topic: Ints
    source: Ints

    @classmethod
    def of(cls, store: Store) -> "Stored":
        """All documents of a store."""
        ends = np.array(store.array("document_ends"))
        starts = np.concatenate([[0], ends[:-1]])
        labels = (np.array(store.array(name)) for name in ("author", "topic", "source"))
        return cls(starts, ends - starts, *labels)

    def at(self, documents: Ints) -> "Stored":
        """Some of them, in that order."""
        return Stored(*(column[documents] for column in self))


class Texts(NamedTuple):
    """Texts as runs of stored tokens, with the author, topic and source of each."""

    run_starts: Ints
    """(runs,) first token of each run in the store"""
    run_lengths: Ints
    """(runs,)"""
    first_run: Ints
    """(texts + 1,) where each text's runs begin"""
    lengths: Ints
    """(texts,) tokens in each text"""
    author: Ints
    topic: Ints
    source: Ints

    def __len__(self) -> int:
        return len(self.lengths)

    def runs(self, texts: Ints) -> tuple[Ints, Ints]:
        """Starts and lengths of the runs that make these texts, in order."""
        first, count = self.first_run[texts], self.first_run[texts + 1] - self.first_run[texts]
        ends = np.cumsum(count)
        run = np.repeat(first - (ends - count), count) + np.arange(ends[-1] if len(ends) else 0)
        return self.run_starts[run], self.run_lengths[run]


def whole_texts(stored: Stored, cap: int) -> Texts:
    """Each document by itself, from its start up to `cap` tokens."""
    cut = np.minimum(stored.lengths, cap)
    labels = stored.author, stored.topic, stored.source
    return Texts(stored.starts, cut, np.arange(len(cut) + 1), cut, *labels)


def draw_texts(stored: Stored, cap: int, config: LengthConfig, rng: np.random.Generator) -> Texts:
    """Texts of one epoch, of at most `cap` tokens. Each document is used at most once."""
    n = len(stored.starts)
    target, group = np.full(n, cap), np.arange(n)
    if config.vary:
        longest = min(config.longest, cap)
        low, high = np.log(min(config.shortest, longest)), np.log(longest)
        target = np.exp(rng.uniform(low, high, n)).round().astype(np.int64)
        labels = np.stack([stored.author, stored.topic])
        group = np.unique(labels, axis=1, return_inverse=True)[1].ravel()
    order = np.lexsort((rng.random(n), group))
    stored, target, group = stored.at(order), target[order], group[order]
    head = _join(group, stored.lengths, target)  # (documents,) whether a text begins here
    first = np.flatnonzero(head)
    text = np.cumsum(head) - 1  # (documents,)
    before = np.cumsum(stored.lengths) - stored.lengths
    before -= before[first][text]  # tokens of the text before this document
    whole = np.bincount(text, stored.lengths, len(first)).astype(np.int64)

    wanted = np.minimum(whole, target[first])
    late = rng.random(len(first)) >= _FROM_START
    skipped = np.where(late, rng.integers(0, whole - wanted + 1), 0)
    begin = np.clip(skipped[text] - before, 0, stored.lengths)
    end = np.clip((skipped + wanted)[text] - before, 0, stored.lengths)
    used = end > begin
    used[first] |= wanted == 0  # an empty text keeps one empty run
    runs_before = np.concatenate([[0], np.cumsum(used)])
    of_text = stored.at(first)
    return Texts(
        (stored.starts + begin)[used],
        (end - begin)[used],
        runs_before[np.append(first, n)],
        wanted,
        of_text.author,
        of_text.topic,
        of_text.source,
    )


def _join(group: Ints, lengths: Ints, target: Ints) -> NDArray[np.bool_]:
    """Where a new text begins: documents are taken in order until the first one's target is met."""
    head = np.ones(len(group), np.bool_)
    current, so_far, wanted = -1, 0, 0
    for i, (g, n, t) in enumerate(
        zip(group.tolist(), lengths.tolist(), target.tolist(), strict=True)
    ):
        if g == current and so_far < wanted:
            head[i] = False
            so_far += n
        else:
            current, so_far, wanted = g, n, t
    return head
