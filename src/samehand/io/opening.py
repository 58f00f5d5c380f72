"""Opening what users give us: plain or gzip, told by the first bytes, whatever the name says."""

import gzip
import io
import zlib
from pathlib import Path

READ_ERRORS = (OSError, EOFError, zlib.error)
"""Errors that opening or reading a file may raise."""

_GZIP = b"\x1f\x8b"
_BUFFER_BYTES = 1 << 18


class _Unpacked(gzip.GzipFile):
    """Unpacks a gzip file, which is closed with it."""

    def __init__(self, packed: io.BufferedReader) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed

    def close(self) -> None:
        super().close()
        self._packed.close()


def open_bytes(path: Path) -> io.BufferedReader:
    """The file's bytes, unpacked if it is gzip. It is opened once, so that it may be a pipe."""
    file = path.open("rb")
    try:
        if not is_gzip(file.peek(2)):
            return file
        return io.BufferedReader(_Unpacked(file), _BUFFER_BYTES)
    except BaseException:
        file.close()
        raise


def is_pipe(path: Path) -> bool:
    """Whether there is something that can be read from its start to its end, and only once."""
    return path.exists() and not path.is_file() and not path.is_dir()


def is_gzip(start: bytes) -> bool:
    """Whether a file that starts so is gzip."""
    return start.startswith(_GZIP)


def unpacked(content: bytes, most: int) -> bytes:
    """The bytes as they are or, if they are gzip, at most so many of those packed in them."""
    if not is_gzip(content):
        return content
    with gzip.open(io.BytesIO(content), "rb") as file:
        return file.read(most)


def read_fault(error: BaseException) -> str:
    """Name fault and remedy where reading raised one of `READ_ERRORS`."""
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return "the gzip data is cut short or damaged; copy the file again"
    if isinstance(error, FileNotFoundError):
        return "the file does not exist; check the path"
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return f"the file cannot be read ({reason}); check the path"
