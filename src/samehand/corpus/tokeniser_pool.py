"""Many texts to arrays of token types, on all cores, in bounded memory."""

import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.text.batching import batches
from samehand.text.tokenise import Ints, Tokeniser

_BATCH_CHARACTERS = 1 << 20
_IN_FLIGHT = 3  # batches waiting for each worker: enough to keep it busy, few enough for memory


class TokenisedTexts(NamedTuple):
    """Some texts, one after another: how many tokens each has, and the types of them all."""

    lengths: Ints
    types: Ints


class TokeniserPool:
    """Turns texts into arrays of type numbers, in `workers` processes (all cores if None).

    `types` lists the types met so far by number, in order of first sight: the numbers do not depend
    on how many workers there are. Use it as a context manager, which ends the workers.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.types: list[str] = []
        self._n_workers = workers or _cores()
        self._number: dict[str, int] = {}
        self._numbers_of: dict[int, NDArray[np.int32]] = {}  # process → its type numbers in ours
        self._here = _Worker()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "TokeniserPool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the workers; what they learnt stays."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def __call__(self, texts: Iterable[str]) -> Iterator[TokenisedTexts]:
        """The texts' types, in order, some at a time."""
        waiting = batches(texts, _BATCH_CHARACTERS)
        head = list(islice(waiting, 2))
        alone = self._n_workers == 1 or (self._pool is None and len(head) < 2)
        work = self._in_turn if alone else self._in_parallel
        for told in work(chain(head, waiting)):
            yield TokenisedTexts(told.lengths, self._merge(told)[told.types])

    def _in_turn(self, waiting: Iterator[list[str]]) -> Iterator["_Told"]:
        return map(self._here.encode, waiting)

    def _in_parallel(self, waiting: Iterator[list[str]]) -> Iterator["_Told"]:
        pool = self._pool = self._pool or ProcessPoolExecutor(
            self._n_workers, mp_context=get_context("spawn"), initializer=_begin
        )
        try:
            at_work: deque[Future[_Told]] = deque(
                pool.submit(_encode, batch)
                for batch in islice(waiting, self._n_workers * _IN_FLIGHT)
            )
            while at_work:
                yield at_work.popleft().result()
                at_work.extend(pool.submit(_encode, batch) for batch in islice(waiting, 1))
        except BrokenProcessPool:
            raise InputError(
                "a worker process was killed, perhaps for want of memory; try fewer with --workers"
            ) from None

    def _merge(self, told: "_Told") -> NDArray[np.int32]:
        """The worker's numbers in ours, after learning the types it met for the first time."""
        number = self._number
        new = [number.setdefault(name, len(number)) for name in told.new_types]
        self.types.extend(islice(number, len(self.types), None))
        known = self._numbers_of.get(told.worker, np.zeros(0, np.int32))
        known = self._numbers_of[told.worker] = np.append(known, np.array(new, np.int32))
        return known


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS and Windows have no such call
        return os.cpu_count() or 1


class _Told(NamedTuple):
    """A batch tokenised by a worker, in its own type numbers."""

    worker: int
    new_types: list[str]
    lengths: Ints
    types: Ints


class _Worker:
    """A tokeniser that tells of every type once."""

    def __init__(self) -> None:
        self._tokeniser = Tokeniser()
        self._told = 0

    def encode(self, texts: list[str]) -> _Told:
        documents = [tokens.types for tokens in self._tokeniser.each(texts)]
        new = self._tokeniser.types[self._told :]
        self._told += len(new)
        lengths = np.fromiter(map(len, documents), np.int32, len(documents))
        return _Told(os.getpid(), new, lengths, np.concatenate(documents))


_worker: _Worker  # in each process of the pool


def _begin() -> None:
    global _worker
    _worker = _Worker()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends us
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    if parent := parent_process():
        parent.join()  # returns when it was killed
        os._exit(1)


def _encode(texts: list[str]) -> _Told:
    return _worker.encode(texts)
