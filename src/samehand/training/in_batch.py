"""In-batch contrast: every text of a batch is compared with all others of its source.

A pair teaches one comparison; n pairs from one source teach 2n · (2n − 2) more at no further cost
to the encoder: each text by another author is a negative. What makes them worth learning is which
texts are together: the two texts of a pair differ in topic wherever their author has several, and
beside them stand texts by others on the same topic. So a topic in common speaks against one author,
if anything, and the network is left with style.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from samehand.training.config import InBatchConfig
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]
Longs = NDArray[np.int64]

_TRIES = 8
"""Draws of a second text before one on the same topic is taken."""


def draw_in_batch_pairs(
    texts: Texts, config: InBatchConfig, batch_pairs: int, even_sources: float,
    rng: np.random.Generator,
) -> tuple[Longs, Longs, Ints]:  # fmt: skip
    """Pairs of texts by one author, as (first, second, block), batch after batch.

    A batch is made of blocks of one source each. An epoch draws as many texts as there are.
    """
    first, second = _same_author_pairs(texts, config.same_topic, rng)
    in_batch = config.sources_per_batch
    size = max(1, batch_pairs // in_batch)
    group = _topic_groups(texts.topic[first], config.pairs_per_topic, rng)
    blocks = _blocks(texts.source[first], group, size, rng)
    n_blocks = in_batch * max(1, len(texts) // (2 * size * in_batch)) if blocks else 0
    chosen = _even(blocks, n_blocks, even_sources, rng)
    return first[chosen], second[chosen], np.repeat(np.arange(n_blocks) % in_batch, size)


def _same_author_pairs(
    texts: Texts, same_topic: float, rng: np.random.Generator
) -> tuple[Longs, Longs]:
    """Each text with another of its author, on another topic if there is one.

    Of the pairs within one topic so many are kept as make up the share wanted.
    """
    order = np.lexsort((rng.random(len(texts)), texts.author))
    _, start, count = np.unique(texts.author[order], return_index=True, return_counts=True)
    start, count = np.repeat(start, count), np.repeat(count, count)
    able = np.flatnonzero(count > 1)
    start, count = start[able], count[able]
    first, second = order[able], order[able]
    for _ in range(_TRIES):
        again = texts.topic[first] == texts.topic[second]
        step = rng.integers(1, np.maximum(count, 2))
        other = order[start + (able - start + step) % count]
        second = np.where(again, other, second)
    within = texts.topic[first] == texts.topic[second]
    wanted = same_topic / (1 - same_topic) * (~within).sum() / max(1, within.sum())
    kept = ~within | (rng.random(len(first)) < wanted)
    return first[kept], second[kept]


def _topic_groups(topic: Ints, most: int, rng: np.random.Generator) -> Ints:
    """A random number for each text, the same for groups of up to so many who share a topic."""
    order = np.lexsort((rng.random(len(topic)), topic))
    _, start, count = np.unique(topic[order], return_index=True, return_counts=True)
    place = np.arange(len(topic)) - np.repeat(start, count)
    begins = place % most == 0
    group = np.empty(len(topic), np.int64)
    group[order] = np.cumsum(begins) - 1
    return rng.permutation(int(begins.sum()))[group]


def _blocks(source: Ints, group: Ints, size: int, rng: np.random.Generator) -> list[Ints]:
    """For each source its blocks (blocks, size) of pairs, groups side by side."""
    found = []
    for number in np.unique(source):
        inside = np.flatnonzero(source == number)
        inside = inside[np.argsort(group[inside], kind="stable")]
        whole = max(1, len(inside) // size) * size
        found.append(rng.permutation(np.resize(inside, whole).reshape(-1, size)))
    return found


def _even(blocks: list[Ints], n: int, evenness: float, rng: np.random.Generator) -> Ints:
    """The pairs of n blocks, sources in a mixture between by size and all alike."""
    if not blocks:
        return np.zeros(0, np.int64)
    weights = np.array([len(of_source) for of_source in blocks]) ** (1 - evenness)
    source = rng.choice(len(blocks), n, p=weights / weights.sum())
    taken = np.zeros(len(blocks), np.int64)
    chosen = []
    for number in source.tolist():
        of_source = blocks[number]
        chosen.append(of_source[taken[number] % len(of_source)])
        taken[number] += 1
    return np.concatenate(chosen)


class InBatchContrastiveLoss(nn.Module):
    """Which text of the batch is by the same author? Cross-entropy over distances of LEVs.

    The scale from distances to logits is learned with the encoder and of no use afterwards.
    """

    def __init__(self) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(-2.5))  # distances start at about 10

    def forward(self, levs: Tensor, author: Tensor, topic: Tensor, block: Tensor) -> Tensor:
        """The mean loss; text i and text i + n are a pair. All labels are (2n,)."""
        with torch.autocast(levs.device.type, enabled=False):
            levs = levs.float()
            norms = levs.square().sum(1)
            d = (norms[:, None] + norms - 2 * levs @ levs.T).clamp(min=0)  # (2n, 2n)
            partner = torch.arange(len(levs), device=levs.device).roll(len(levs) // 2)
            # What is no negative: texts of other blocks, other texts of the author, and where the
            # pair shares its topic, whatever is not on it.
            within = topic == topic[partner]
            out = (block[:, None] != block) | (author[:, None] == author)
            out |= within[:, None] & (topic[:, None] != topic)
            out = out.scatter(1, partner[:, None], False)
            logits = -self.log_scale.exp() * d
            return F.cross_entropy(logits.masked_fill(out, -torch.inf), partner)
