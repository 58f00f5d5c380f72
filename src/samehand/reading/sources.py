"""The bytes of a file or of standard input, up to a limit."""

import sys
from pathlib import Path

from samehand.files import READ_ERRORS, open_bytes, read_fault
from samehand.reading.faults import Unreadable

STDIN = "-"
MOST_BYTES = 32 << 20
"""Larger files are refused: no model reads as much, and what claims to be text is often not."""


def content_of(path: Path) -> bytes:
    """All bytes, unpacked if they are gzip."""
    if str(path) == STDIN:
        content = sys.stdin.buffer.read(MOST_BYTES + 1)
    else:
        if path.is_dir():
            raise Unreadable("this is a folder; name the files in it")
        try:
            with open_bytes(path) as file:
                content = file.read(MOST_BYTES + 1)
        except READ_ERRORS as error:
            raise Unreadable(read_fault(error)) from None
    if len(content) > MOST_BYTES:
        raise Unreadable(f"larger than {MOST_BYTES >> 20} MiB; give the part that matters")
    return content
