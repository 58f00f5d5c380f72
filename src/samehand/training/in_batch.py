"""Batches in which every text is compared with every other of its kind, not with one alone.

A pair teaches one comparison; a crowd of n pairs from one source teaches 2n · (2n − 2) more at no
further cost to the encoder. What makes them worth learning is who is in the crowd: the two texts of
a pair differ in topic wherever their author has several, and around them stand others who write on
the same topic. So a topic in common speaks against one author, if anything, and the network is left
with style.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from samehand.training.config import CrowdConfig
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]
Longs = NDArray[np.int64]

_TRIES = 8
"""Draws of a second text before one on the same topic is taken."""


def draw_crowds(
    texts: Texts, config: CrowdConfig, batch_pairs: int, even_sources: float,
    rng: np.random.Generator,
) -> tuple[Longs, Longs, Ints]:  # fmt: skip
    """Pairs of texts by one author, as (first, second, block), batch after batch.

    A batch is made of blocks of one source each. An epoch draws as many texts as there are.
    """
    first, second = _couples(texts, config.same_topic, rng)
    size = max(1, batch_pairs // config.blocks)
    blocks = _blocks(texts.source[first], _mates(texts.topic[first], config.mates, rng), size, rng)
    n_blocks = config.blocks * max(1, len(texts) // (2 * size * config.blocks)) if blocks else 0
    chosen = _even(blocks, n_blocks, even_sources, rng)
    return first[chosen], second[chosen], np.repeat(np.arange(n_blocks) % config.blocks, size)


def _couples(texts: Texts, same_topic: float, rng: np.random.Generator) -> tuple[Longs, Longs]:
    """Each text with another of its author, on another topic if there is one.

    Of the couples within one topic so many are kept as make up the share wanted.
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


def _mates(topic: Ints, mates: int, rng: np.random.Generator) -> Ints:
    """A random number for each text, the same for groups of up to so many who share a topic."""
    order = np.lexsort((rng.random(len(topic)), topic))
    _, start, count = np.unique(topic[order], return_index=True, return_counts=True)
    place = np.arange(len(topic)) - np.repeat(start, count)
    begins = place % mates == 0
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


class CrowdLoss(nn.Module):
    """Which of the crowd is by the same author? Cross-entropy over distances of LEVs.

    The scale from distances to logits is learned with the encoder and of no use afterwards.
    """

    def __init__(self, config: CrowdConfig) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.tensor(-2.5))  # distances start at about 10
        self.emphasis = config.emphasis

    def forward(self, levs: Tensor, author: Tensor, topic: Tensor, block: Tensor) -> Tensor:
        """The mean loss; text i and text i + n are a pair. All labels are (2n,)."""
        with torch.autocast(levs.device.type, enabled=False):
            levs = levs.float()
            norms = levs.square().sum(1)
            d = (norms[:, None] + norms - 2 * levs @ levs.T).clamp(min=0)  # (2n, 2n)
            partner = torch.arange(len(levs), device=levs.device).roll(len(levs) // 2)
            shared = topic[:, None] == topic
            # Who is no rival: texts of other sources, other texts of the author, and where the pair
            # shares its topic, whoever does not write on it.
            within = topic == topic[partner]
            out = (block[:, None] != block) | (author[:, None] == author)
            out |= within[:, None] & ~shared
            out = out.scatter(1, partner[:, None], False)
            rival = shared & (author[:, None] != author)
            logits = self.emphasis * rival - self.log_scale.exp() * d
            return F.cross_entropy(logits.masked_fill(out, -torch.inf), partner)
