"""The bytes of a file or of standard input, and what is packed in them, up to a limit."""

import sys
from pathlib import Path

from samehand.io.opening import READ_ERRORS, read_fault, unpacked
from samehand.reading.faults import Unreadable

STDIN = "-"
MOST_BYTES = 32 << 20
"""Larger files are refused: no model reads as much, and what claims to be text is often not."""


def content_of(path: Path) -> bytes:
    """All bytes as they are on disk. A pipe can be given too: it is read once."""
    try:
        return _within_limit(_from_stdin() if str(path) == STDIN else _from_file(path))
    except READ_ERRORS as error:
        raise Unreadable(read_fault(error)) from None


def unpacked_content(content: bytes) -> bytes:
    """Unpack content if it is gzip, else return it unchanged."""
    try:
        return _within_limit(unpacked(content, MOST_BYTES + 1))
    except READ_ERRORS as error:
        raise Unreadable(read_fault(error)) from None


def _from_stdin() -> bytes:
    if sys.stdin is None:
        raise Unreadable("it is closed; name a file")
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def _from_file(path: Path) -> bytes:
    if path.is_dir():
        raise Unreadable("this is a folder; name the files in it")
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _within_limit(content: bytes) -> bytes:
    if len(content) > MOST_BYTES:
        raise Unreadable(f"larger than {MOST_BYTES >> 20} MiB; give the part that matters")
    return content
