"""How kernels are compiled: once for each size of a network, in some seconds, and kept on disk."""

import sys
from collections.abc import Callable
from functools import cache
from threading import Timer
from typing import Any

import numba

FAST: dict[str, Any] = {"fastmath": {"contract", "reassoc", "nsz"}, "error_model": "numpy"}
"""Sums may be reordered, but what is not a number stays so."""

_PATIENCE = 1.0
"""Seconds after which somebody who waits is told why."""


def compiled_kernel(
    function: Callable[..., None], arguments: tuple[Any, ...]
) -> Callable[..., None]:
    """The machine code of a function for such arguments: from disk, or compiled now.

    It leaves Python's lock alone, so that several threads may run it.
    """
    kernel: Callable[..., None]
    waiting = Timer(_PATIENCE, _say_why)
    waiting.daemon = True
    waiting.start()
    try:
        kernel = numba.njit(arguments, nogil=True, cache=True, **FAST)(function)
    except RuntimeError:  # there is no folder to keep it in
        kernel = numba.njit(arguments, nogil=True, **FAST)(function)
    finally:
        waiting.cancel()
    return kernel


@cache
def _say_why() -> None:
    print(
        "samehand: compiling the network for this processor; this is done once, and takes some "
        "seconds.",
        file=sys.stderr,
        flush=True,
    )
