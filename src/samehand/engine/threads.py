"""Work shared among the cores, by PyTorch's own threads where they can be had.

After each of its operations PyTorch's threads spin for some milliseconds, ready for the next, as
long as a text takes here. Threads of our own would have to share the cores with them, and get two
thirds of the speed. So where PyTorch's threads are those of GNU's OpenMP, they are asked; elsewhere
there is a pool.
"""

import ctypes
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import torch

_Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_forked = False


def in_parallel(job: Callable[[slice], object], parts: Sequence[slice]) -> None:
    """Do the job for all parts, on as many threads as PyTorch uses, the calling one among them.

    It should leave Python's lock alone most of the time, as compiled kernels do.
    """
    left, failed = deque(parts), list[BaseException]()

    def work(_: object = None) -> None:
        try:
            while True:
                try:
                    part = left.popleft()
                except IndexError:
                    return
                job(part)
        except BaseException as error:  # it would get lost in other threads
            failed.append(error)

    threads, team = min(torch.get_num_threads(), len(parts)), _team()
    if threads <= 1:
        work()
    elif team is not None:
        team(_Task(work), None, threads, 0)
    else:
        helping = [_pool().submit(work) for _ in range(threads - 1)]
        work()
        for one in helping:
            if not one.cancel():  # one that has not begun has nothing left to do
                one.result()
    if failed:
        raise failed[0]


@cache
def _team() -> Any:
    """What has a function called by a team of OpenMP's threads; none where there is no such team.

    A process that was forked has none of its parent's threads, which OpenMP does not notice.
    """
    if _forked or not hasattr(os, "RTLD_NOLOAD"):
        return None
    try:
        library = ctypes.CDLL("libgomp.so.1", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        ask = library.GOMP_parallel
    except (AttributeError, OSError):
        return None
    ask.argtypes = [_Task, ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint]
    ask.restype = None
    return ask


@cache
def _pool() -> ThreadPoolExecutor:
    """Its threads start when they are needed, and stay."""
    return ThreadPoolExecutor(os.cpu_count(), "samehand")


def _after_fork() -> None:
    global _forked
    _forked = True
    torch.set_num_threads(1)  # its own threads are not there either, and it would wait for them
    _team.cache_clear()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
