"""A log that is only ever added to, and shows where it was altered.

Each line is a JSON object that has its number and the SHA-256 of the line before. Whoever can write
the file can write all of it anew: so the digest of the last line is worth keeping elsewhere.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from samehand.errors import InputError
from samehand.io.jsonl import parse_object
from samehand.io.opening import is_pipe
from samehand.io.records import BadRecord
from samehand.io.text_lines import MOST_BYTES, lines

_NOTHING = "0" * 64
"""Stands for the digest before the first line."""


class Last(NamedTuple):
    """Where a log ends."""

    number: int = 0
    digest: str = _NOTHING


def check_end(path: Path) -> None:
    """Raise unless a log can be added to there, or begun: before any long work."""
    with _opened(path, os.O_RDWR) as file:
        if file is not None:
            _last(path, file)


def append(path: Path, record: Mapping[str, object]) -> str:
    """Add a line, on the disk when this returns; its SHA-256. No two programs do it at once."""
    with _opened(path, os.O_RDWR | os.O_CREAT) as file:
        assert file is not None
        before = _last(path, file)
        chained = {"number": before.number + 1, "previous": before.digest, **record}
        line = json.dumps(chained).encode()
        file.seek(0, os.SEEK_END)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
    return _digest(line)


def check(path: Path, digest: str | None = None) -> Last:
    """The end of a log in which every line follows from the one before; else `InputError`.

    With a `digest` there must be a line that has it.
    """
    if is_pipe(path):
        raise InputError(f"{path}: a pipe is no log; give a file.")
    last, is_there = Last(), digest is None
    for number, line in lines(path):
        last = _following(path, number, line, last.digest)
        is_there |= last.digest == digest
    if not is_there:
        raise InputError(f"{path}: no line has the SHA-256 {digest}: lines were altered or lost.")
    return last


def _following(path: Path, number: int, line: bytes, before: str) -> Last:
    if _parsed(path, line, f"line {number}") != (number, before):
        raise InputError(
            f"{path}, line {number}: does not follow from the line before; one of the two was "
            "altered, or lines are missing."
        )
    return Last(number, _digest(line.rstrip(b"\n")))


def _last(path: Path, file: BinaryIO) -> Last:
    size = file.seek(0, os.SEEK_END)
    if not size:
        return Last()
    file.seek(max(0, size - MOST_BYTES))
    line = file.read().removesuffix(b"\n").rpartition(b"\n")[2] + b"\n"
    file.seek(size - 1)
    if file.read() != b"\n":
        raise InputError(f"{path}: its last line is cut short; go on in a new file.")
    number, _ = _parsed(path, line, "the last line")
    return Last(number, _digest(line.rstrip(b"\n")))


def _parsed(path: Path, line: bytes, where: str) -> tuple[int, str]:
    """The number of a line, and what it says is the digest of the one before."""
    with suppress(BadRecord):
        match parse_object(line):
            case {"number": int(number), "previous": str(previous)} if line.endswith(b"\n"):
                return number, previous
    raise InputError(f"{path}: {where} is no line of a log; go on in a new file.")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[BinaryIO | None]:
    """A regular file that nobody else has opened so; none where there is none to be opened."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(f"{path}: a link, a folder, a pipe or a device; name a regular file.")
    if not path.exists() and not flags & os.O_CREAT:
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK)):
            raise InputError(f"{path}: cannot be written there; name a file in a folder of yours.")
        yield None
        return
    try:
        opened = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be written ({reason}); choose another file.") from None
    with os.fdopen(opened, "r+b") as file:
        with suppress(ImportError):  # Windows has no such locks
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield file
