"""One process at a time in a folder. The lock needs no file, and ends with its process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samehand.errors import InputError

try:
    import fcntl
except ImportError:  # Windows, where files that are open cannot be replaced
    fcntl = None  # type: ignore[assignment]


class InUseError(InputError):
    """Another process is at work in a folder."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep a folder that exists from all other processes; `InUseError` where one has it already.

    The system takes the lock from a process that ends, however it ends.
    """
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUseError(
                f"{folder}: another samehand is at work in it; wait for its end, or choose another "
                "folder."
            ) from None
        yield
    finally:
        os.close(opened)
