"""Many texts to arrays of token types, on all cores, in bounded memory."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.text.tokenise import Ints, Tokeniser

_BATCH_CHARACTERS = 1 << 20
_IN_FLIGHT = 3  # batches waiting for each worker: enough to keep it busy, few enough for memory


class _Batch(NamedTuple):
    worker: int
    new_types: list[str]
    lengths: Ints
    types: Ints


class Encoder:
    """Turns texts into arrays of type numbers. `types` lists the types met so far by number."""

    def __init__(self, workers: int | None = None) -> None:
        self.types: list[str] = []
        self._workers = workers or len(os.sched_getaffinity(0))
        self._number: dict[str, int] = {}
        self._global: dict[int, NDArray[np.int32]] = {}  # worker → its type numbers in ours

    def __call__(self, texts: Iterable[str]) -> Iterator[Ints]:
        """The type numbers of each text, in order. A corpus of one batch is encoded in this process."""
        batches = _batches(texts)
        head = list(islice(batches, 2))
        if len(head) < 2 or self._workers == 1:
            encoded = map(_encode, chain(head, batches))
        else:
            encoded = self._in_parallel(chain(head, batches))
        for batch in encoded:
            known = self._merge(batch)
            ends = np.cumsum(batch.lengths)
            yield from np.split(known[batch.types], ends[:-1])

    def _in_parallel(self, batches: Iterator[list[str]]) -> Iterator[_Batch]:
        with get_context("spawn").Pool(self._workers) as pool:
            waiting = deque(pool.apply_async(_encode, (b,)) for b in islice(batches, self._workers * _IN_FLIGHT))
            while waiting:
                yield waiting.popleft().get()
                waiting.extend(pool.apply_async(_encode, (b,)) for b in islice(batches, 1))

    def _merge(self, batch: _Batch) -> NDArray[np.int32]:
        """The worker's numbers in ours, after learning the types it met for the first time."""
        number = self._number
        new = np.fromiter((number.setdefault(name, len(number)) for name in batch.new_types), np.int32)
        self.types.extend(islice(number, len(self.types), None))
        known = np.concatenate([self._global.get(batch.worker, new[:0]), new])
        self._global[batch.worker] = known
        return known


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


_tokeniser = Tokeniser()  # one a process
_told = 0  # how many of its types the parent knows


def _encode(texts: list[str]) -> _Batch:
    global _told
    documents = [_tokeniser(text).types for text in texts]
    new, _told = _tokeniser.types[_told:], len(_tokeniser.types)
    lengths = np.fromiter(map(len, documents), np.int32, len(documents))
    return _Batch(os.getpid(), new, lengths, np.concatenate(documents))
