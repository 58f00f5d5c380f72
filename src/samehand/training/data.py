"""Batches as indices: which runs of stored tokens make the texts of which pairs.

The tokens themselves stay on the device.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import lightning
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from samehand.corpus.pairs import Pairs, sample_epoch
from samehand.corpus.split import kept_authors, used_authors
from samehand.corpus.store import Store
from samehand.corpus.trial_sampling import subset_names
from samehand.errors import InputError
from samehand.training.config import PairConfig, TrainingConfig
from samehand.training.in_batch import draw_in_batch_pairs
from samehand.training.texts import Stored, Texts, draw_texts, whole_texts

Ints = NDArray[np.integer[Any]]


class Batch(NamedTuple):
    """Pairs of texts: first texts, then second ones."""

    run_starts: Tensor
    run_lengths: Tensor
    lengths: Tensor
    """(2 · pairs,) tokens in each text"""
    same: Tensor
    """(pairs,)"""
    labels: Tensor
    """(3, texts) author, topic and block of each text, where all are compared; else (3, 0)"""


class Step(NamedTuple):
    """The data of one step: pairs for the encoder, and of other authors for the scoring."""

    encoder: Batch
    scoring: Batch | None


class PairedTexts(NamedTuple):
    """Texts, and pairs of them."""

    texts: Texts
    pairs: Pairs
    block: Ints | None = None
    """(pairs,) the block of its batch, of one source, in which each is, where all are compared"""

    def batch(self, chosen: slice | Ints) -> Batch:
        """Some of the pairs."""
        pairs = self.pairs
        texts = np.concatenate([pairs.first[chosen], pairs.second[chosen]])
        starts, lengths = self.texts.runs(texts)
        arrays = (
            starts.astype(np.int64),
            lengths.astype(np.int64),
            self.texts.lengths[texts].astype(np.int64),
        )
        labels = np.zeros((3, 0), np.int64)
        if self.block is not None:
            block = np.tile(self.block[chosen], 2)
            labels = np.stack([self.texts.author[texts], self.texts.topic[texts], block])
        return Batch(
            *map(torch.from_numpy, (*arrays, pairs.same_author[chosen], labels.astype(np.int64)))
        )


class Epoch(Dataset[Step]):
    """The steps of one epoch. With several processes each takes its share of every batch."""

    def __init__(
        self,
        encoder: PairedTexts,
        scoring: PairedTexts | None,
        config: TrainingConfig,
        rank: int = 0,
        world: int = 1,
    ) -> None:
        self._encoder, self._scoring = encoder, scoring
        self._sizes = config.batch_pairs, config.scoring.batch_pairs
        self._rank, self._world = rank, world

    def __len__(self) -> int:
        return max(1, len(self._encoder.pairs) // self._sizes[0])

    def __getitem__(self, number: int) -> Step:
        if number >= len(self):
            raise IndexError(number)
        size, scoring_size = self._sizes
        inside = slice(number * size + self._rank, (number + 1) * size, self._world)
        encoder = self._encoder.batch(inside)
        if self._scoring is None:
            return Step(encoder, None)
        around = number * scoring_size + np.arange(self._rank, scoring_size, self._world)
        return Step(encoder, self._scoring.batch(around % len(self._scoring.pairs)))


class PairData(lightning.LightningDataModule):
    """New texts and new pairs every epoch from the training part of a store."""

    def __init__(self, store: Store, config: TrainingConfig) -> None:
        super().__init__()
        self.store = store
        self._config = config
        self._stored = Stored.of(store)
        self._cap = config.network.windowing.span(config.network.most_units)
        training = store.documents("train")
        used = training[~np.isin(self._stored.source[training], self._left_out())]
        some = used_authors(store.author_names, config.authors_used)
        used = used[some[self._stored.author[used]]]
        kept = np.zeros(len(used), np.bool_)
        if config.scoring.authors:
            of_author = kept_authors(store.author_names, config.scoring.authors)
            kept = of_author[self._stored.author[used]]
        self._for_encoder, self._for_scoring = used[~kept], used[kept]

    def _left_out(self) -> list[int]:
        """The numbers of the sources that training does without."""
        known = self.store.about["sources"]
        for name in self._config.leave_out:
            if name not in known:
                raise InputError(
                    f"leave_out: {self.store.folder} has no source {name}; it has "
                    f"{', '.join(known)}."
                )
        return [known.index(name) for name in self._config.leave_out]

    def train_dataloader(self) -> DataLoader[Step]:
        """The loader of the trainer's current epoch."""
        trainer = self.trainer
        epoch = trainer.current_epoch if trainer else 0
        rank, world = (trainer.global_rank, trainer.world_size) if trainer else (0, 1)
        return DataLoader(
            self.epoch(epoch, rank, world), batch_size=None, shuffle=False, num_workers=0
        )

    def epoch(self, epoch: int, rank: int = 0, world: int = 1) -> Epoch:
        """The steps of any epoch: the same for the same seed."""
        config = self._config
        draw = self._draw_in_batch if config.in_batch else self._draw
        encoder = draw(self._for_encoder, config.pairs, config.seed, epoch, 0)
        if not len(encoder.pairs):
            kinds = (
                "two texts by one author" if config.in_batch else ", ".join(config.pairs.subsets)
            )
            raise InputError(
                f"{self.store.folder}: its training part gives no pair of the kinds asked for "
                f"({kinds}); add text, or ask for other kinds."
            )
        sizes = config.batch_pairs, config.scoring.batch_pairs, len(encoder.pairs)
        fewest = min(size for size in sizes if size)
        if fewest < world:
            raise InputError(
                f"{fewest} pairs cannot be shared by {world} devices: raise batch_pairs and "
                "scoring.batch_pairs, or use fewer devices."
            )
        return Epoch(encoder, self.scoring_pairs(epoch), config, rank, world)

    def scoring_pairs(self, epoch: int) -> PairedTexts | None:
        """Pairs of the authors kept from the encoder, where BFS and UAL learn from such."""
        config, seed = self._config.scoring, self._config.seed
        if not (config.authors and config.batch_pairs):
            return None
        found = self._draw(self._for_scoring, config.pairs, seed, epoch, 1)
        if not 0 < found.pairs.same_author.sum() < len(found.pairs):
            raise InputError(
                f"{self.store.folder}: the authors kept for BFS and UAL give no pairs of both "
                "kinds: add text, or change scoring.authors or scoring.pairs."
            )
        return found

    def _draw(
        self, documents: Ints, config: PairConfig, seed: int, epoch: int, stream: int
    ) -> PairedTexts:
        rng = np.random.default_rng([seed, epoch, stream])
        kept = _thinned(documents, self._stored, config.even_sources, rng)
        texts = draw_texts(self._stored.at(kept), self._cap, self._config.lengths, rng)
        return PairedTexts(texts, sample_pairs(texts, config, seed, epoch))

    def _draw_in_batch(
        self, documents: Ints, config: PairConfig, seed: int, epoch: int, stream: int
    ) -> PairedTexts:
        assert self._config.in_batch
        rng = np.random.default_rng([seed, epoch, stream])
        texts = draw_texts(self._stored.at(documents), self._cap, self._config.lengths, rng)
        first, second, block = draw_in_batch_pairs(
            texts, self._config.in_batch, self._config.batch_pairs, config.even_sources, rng
        )
        same_topic = texts.topic[first] == texts.topic[second]
        pairs = Pairs(first, second, np.ones(len(first), np.bool_), same_topic)
        return PairedTexts(texts, pairs, block)

    def whole(self, documents: Ints) -> Texts:
        """Stored documents as they are, up to the cap on units."""
        return whole_texts(self._stored.at(documents), self._cap)


def sample_pairs(texts: Texts, config: PairConfig, seed: int, epoch: int) -> Pairs:
    """Pairs of texts by the paper's procedure, of the kinds wanted."""
    groups = texts.source if config.within_source else None
    pairs = sample_epoch(texts.author, texts.topic, config.deltas, seed, epoch, groups)
    return pairs.where(np.isin(subset_names(pairs.same_author, pairs.same_topic), config.subsets))


def _thinned(documents: Ints, stored: Stored, evenness: float, rng: np.random.Generator) -> Ints:
    """Leave out documents of sources with more text than the median source.

    The more so, the more even they shall be.
    """
    if not evenness or not len(documents):
        return documents
    source = stored.source[documents]
    sizes = np.bincount(source, stored.lengths[documents])
    middle = np.median(sizes[sizes > 0])
    share = np.minimum(1, (middle / np.maximum(sizes, 1)) ** evenness)
    return documents[rng.random(len(documents)) < share[source]]


def in_chunks(items: Ints, size: int) -> Iterator[Ints]:
    """Runs of at most `size` items."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
