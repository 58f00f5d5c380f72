"""Opening what users give us: plain or gzip, told apart by the first bytes, whatever the name says."""

import gzip
from pathlib import Path
from typing import IO

_GZIP = b"\x1f\x8b"


def open_bytes(path: Path) -> IO[bytes]:
    """The file's bytes, unpacked if it is gzip."""
    file = path.open("rb")
    if file.peek(2)[:2] == _GZIP:
        file.close()
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return file
