"""The texts of an epoch: stored documents joined or cropped, so that the network meets every length."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.training.config import LengthConfig

Ints = NDArray[np.integer[Any]]


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


def whole_texts(starts: Ints, lengths: Ints, author: Ints, topic: Ints, source: Ints, cap: int) -> Texts:
    """Each document by itself, from its start up to `cap` tokens."""
    cut = np.minimum(lengths, cap)
    return Texts(starts, cut, np.arange(len(starts) + 1), cut, author, topic, source)


def draw_texts(
    starts: Ints, lengths: Ints, author: Ints, topic: Ints, source: Ints, cap: int, config: LengthConfig, rng: np.random.Generator
) -> Texts:
    """Texts of one epoch from stored documents, each used at most once."""
    target = np.full(len(starts), cap)
    group = np.arange(len(starts))
    if config.vary:
        low, high = np.log(config.shortest), np.log(min(config.longest, cap))
        target = np.exp(rng.uniform(low, high, len(starts))).astype(np.int64)
        group = np.unique(np.stack([author, topic]), axis=1, return_inverse=True)[1].ravel()
    order = np.lexsort((rng.random(len(starts)), group))
    head = _join(group[order], lengths[order], target[order])  # (documents,) whether a text begins here
    first = np.flatnonzero(head)
    text = np.cumsum(head) - 1  # (documents,)
    before = np.cumsum(lengths[order]) - lengths[order]
    before -= before[first][text]  # tokens of the text before this document
    whole = np.bincount(text, lengths[order]).astype(np.int64)

    wanted = np.minimum(whole, target[order][first])
    late = rng.random(len(first)) >= config.from_start
    skipped = np.where(late, rng.integers(0, whole - wanted + 1), 0)
    begin = np.clip(skipped[text] - before, 0, lengths[order])
    end = np.clip((skipped + wanted)[text] - before, 0, lengths[order])
    used = end > begin
    used[first] |= wanted == 0  # an empty text keeps one empty run
    runs_before = np.concatenate([[0], np.cumsum(used)])
    return Texts(
        (starts[order] + begin)[used], (end - begin)[used], runs_before[np.append(first, len(order))],
        wanted, author[order][first], topic[order][first], source[order][first],
    )  # fmt: skip


def _join(group: Ints, lengths: Ints, target: Ints) -> NDArray[np.bool_]:
    """Where a new text begins, taking documents in order until the first one's target is reached."""
    head = np.ones(len(group), np.bool_)
    current, so_far, wanted = -1, 0, 0
    for i, (g, n, t) in enumerate(zip(group.tolist(), lengths.tolist(), target.tolist(), strict=True)):
        if g == current and so_far < wanted:
            head[i] = False
            so_far += n
        else:
            current, so_far, wanted = g, n, t
    return head
