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


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder that exists; where another process holds it, `InputError`."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{folder}: another samehand is at work in it; wait for its end, or choose another "
                "folder."
            ) from None
        yield
    finally:
        os.close(opened)
