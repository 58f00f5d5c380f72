"""Work shared among the cores by a pool of threads."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

Job = Callable[[], object]

_FEWEST = 4
"""Threads a pool may have, however few cores there are: one that asks for more gets them."""

_pools: dict[int, ThreadPoolExecutor] = {}
"""By process: one that was forked has none of its parent's threads."""


def cores() -> int:
    """The cores that this process may use; as many as OMP_NUM_THREADS says, where that is set."""
    stated = os.environ.get("OMP_NUM_THREADS", "")
    if stated.isdecimal() and int(stated) > 0:
        return int(stated)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_parallel(jobs: Iterable[Job], threads: int) -> None:
    """Do all jobs, on so many threads, the calling one among them.

    They should leave Python's lock alone most of the time, as compiled kernels do. Where the pool
    is busy with other callers' jobs, the calling thread does more of them itself.
    """
    left = deque(jobs)

    def work() -> None:
        while True:
            try:
                job = left.popleft()
            except IndexError:
                return
            job()

    helping = [_pool().submit(work) for _ in range(min(threads, len(left)) - 1)]
    try:
        work()
    finally:
        left.clear()  # where a job has failed the others need not begin
        for one in helping:
            if not one.cancel():  # one that has not begun has nothing left to do
                one.result()


def _pool() -> ThreadPoolExecutor:
    """The pool of this process. Its threads start when they are needed, and stay."""
    process = os.getpid()
    found = _pools.get(process)
    if found is None:  # without a lock, which a process could be forked with
        most = max(_FEWEST, os.cpu_count() or 1)
        found = _pools.setdefault(process, ThreadPoolExecutor(most, "samehand"))
    return found
