"""Text on disk: plain or gzip; UTF-8, with or without a byte order mark."""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samehand.errors import InputError
from samehand.io.opening import READ_ERRORS, is_gzip, open_bytes, read_fault
from samehand.io.records import BadRecord

MOST_BYTES = 1 << 25
"""A longer line, or a longer text in a file of its own, is refused: no writer made it."""
_LOOKED_AT = 1 << 16  # bytes at the start that show whether a file is text


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader]:
    """The (unzipped) bytes of a file; whatever goes wrong while reading becomes a `BadRecord`."""
    try:
        with open_bytes(path) as file:
            yield file
    except READ_ERRORS as error:
        raise BadRecord(read_fault(error)) from None


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines (from 1), each with its line end and the first without a byte order mark.

    Only `\\n` ends a line. A missing, empty, binary or badly zipped file raises `InputError`, as
    does a line of more than `MOST_BYTES`.
    """
    try:
        with _opened(path) as file:
            start = file.peek(_LOOKED_AT)
            if not start:
                raise BadRecord("the file is empty; remove it or write it again")
            if is_gzip(start):
                raise BadRecord("the file is packed twice; unpack it once")
            if b"\0" in start:
                raise BadRecord("the file is binary or UTF-16, not UTF-8 text; save it as UTF-8")
            for number, line in enumerate(iter(lambda: file.readline(MOST_BYTES + 1), b""), 1):
                if len(line) > MOST_BYTES:
                    raise BadRecord(
                        f"line {number} is longer than {MOST_BYTES >> 20} MB; end it with a line "
                        "feed, or leave it out"
                    )
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
    except BadRecord as fault:
        raise InputError(f"{path}: {fault}") from None


def read_text(path: Path) -> str:
    """The whole of a text file, with `\\n` at line ends. A fault is a `BadRecord`."""
    if path.exists() and not path.is_file():  # opening a pipe would wait for somebody to write
        raise BadRecord("this is no file but a pipe or a device; put the text into a file")
    with _opened(path) as file:
        content = file.read(MOST_BYTES + 1).removeprefix(codecs.BOM_UTF8)
    if len(content) > MOST_BYTES:
        raise BadRecord(f"the text is longer than {MOST_BYTES >> 20} MB; divide it or leave it out")
    if b"\0" in content:
        raise BadRecord("the file is binary or UTF-16, not UTF-8 text; save it as UTF-8")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadRecord(f"line {line} is not valid UTF-8; save the file as UTF-8") from None
    return text.replace("\r\n", "\n")


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes on disk as they are, to tell formats apart."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    except OSError as error:
        raise InputError(f"{path}: {read_fault(error)}") from None


def bare_stem(path: Path) -> str:
    """The file name without `.gz` and without the ending before it: `blogs.csv.gz` is `blogs`."""
    return Path(path.name.removesuffix(".gz")).stem


def bare_suffix(path: Path) -> str:
    """The ending that tells the format, in lower case: `blogs.CSV.gz` is `.csv`."""
    return Path(path.name.lower().removesuffix(".gz")).suffix
