"""How kernels are compiled: once for each size of a network, in some seconds, and kept on disk."""

import sys
from collections.abc import Callable
from functools import cache
from threading import Timer
from typing import Any

import numba
from numba.core import event

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
    with event.install_listener("numba:compile", _Waiting()):
        try:
            kernel = numba.njit(arguments, nogil=True, cache=True, **FAST)(function)
        except RuntimeError:  # there is no folder to keep it in
            kernel = numba.njit(arguments, nogil=True, **FAST)(function)
    return kernel


class _Waiting(event.Listener):  # type: ignore[misc]
    """Tells why one waits, if it takes long to compile; reading from disk is no compiling."""

    def __init__(self) -> None:
        self._timers: list[Timer] = []

    def on_start(self, event: Any) -> None:
        timer = Timer(_PATIENCE, _say_why)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def on_end(self, event: Any) -> None:
        self._timers.pop().cancel()


@cache
def _say_why() -> None:
    print(
        "samehand: compiling the network for this processor; this is done once, and takes some "
        "seconds.",
        file=sys.stderr,
        flush=True,
    )
