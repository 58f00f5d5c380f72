"""Folders and files that are there when they are whole, not before, and at nobody's expense.

What is not finished has a random name beside its place, and is made anew: a link that somebody put
there is not followed. Where a file is to be, only a regular file may be replaced.
"""

import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from samehand.errors import InputError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_place(
    folder: Path,
    mark: str,
    replace: bool,
    is_ours: Callable[[str], bool] = lambda name: True,
    inputs: Iterable[Path] = (),
) -> None:
    """Raise unless `folder` can be made, or may be replaced: what has no file `mark` may not.

    Nor what holds something else, by its name, or anything that is read.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: a file is in this place; choose another")
    refuse_inputs(folder, inputs)
    if not any(folder.iterdir()):
        return
    if not (folder / mark).is_file():
        raise InputError(f"{folder}: holds other things, which stay; choose another place")
    if not replace:
        raise InputError(f"{folder}: exists already; choose another place, or pass --force")
    others = sorted(path.name for path in folder.iterdir() if not is_ours(path.name))
    if others:
        raise InputError(
            f"{folder}: {others[0]} is in it, too, and would be lost; choose another place"
        )


def refuse_inputs(output: Path, inputs: Iterable[Path]) -> None:
    """Raise where `output`, a file or a folder to be replaced, is or holds one of the inputs."""
    place = output.resolve()
    for path in inputs:
        read = path.resolve()
        same = output.exists() and path.exists() and output.samefile(path)
        if same or place == read or place in read.parents:
            raise InputError(f"{output}: {path} is read, and would be lost; choose another place")


def check_file(output: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise unless a file can be written there, and is none of the inputs: before any long work."""
    folder = output.parent
    if output.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(
            f"{output}: cannot be written there; name a file in a folder that exists and is yours."
        )
    refuse_inputs(output, inputs)
    _refuse_other_than_file(output)


def _refuse_other_than_file(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(
            f"{path}: this is a link, a folder, a pipe or a device, which stays as it is; name a "
            "regular file or a new one"
        )


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file that appears in its place when it is whole; what stood there goes only then.

    The folder it is in must exist. A process that is killed leaves a hidden file behind.
    """
    _refuse_other_than_file(path)
    unfinished = _beside(path, "unfinished")
    try:
        with open(unfinished, "xb") as file:
            yield file
        unfinished.replace(path)
    except OSError as error:
        if _is_of(error, path, unfinished) or is_full(error):
            raise _unwritable(path, error) from None
        raise
    finally:
        unfinished.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a text file that appears when it is whole; what stood there goes only then."""
    with whole_file(path) as file:
        file.write(text.encode("utf-8", "surrogateescape"))


@contextmanager
def all_or_nothing(folder: Path) -> Iterator[Path]:
    """A hidden folder beside the wanted one: moved to its place at the end, removed on failure.

    What stood there goes only then. A process that is killed leaves the hidden folder behind, which
    nothing takes for the wanted one.
    """
    place = folder.resolve()
    made, old = _beside(place, "unfinished"), _beside(place, "replaced")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made.mkdir()
    except OSError as error:
        raise _unwritable(folder, error, "made") from None
    try:
        yield made
        if place.exists():
            os.rename(place, old)
        os.rename(made, place)
    except OSError as error:
        if is_full(error):
            raise _unwritable(folder, error) from None
        raise
    finally:
        if old.exists() and not place.exists():
            os.rename(old, place)
        for leftover in (made, old):
            shutil.rmtree(leftover, ignore_errors=True)


def is_full(error: OSError) -> bool:
    """Whether there is no room left to write; numpy says how much of an array it has written."""
    return error.errno in _FULL or str(error).endswith(" written")


def _beside(place: Path, state: str) -> Path:
    """A hidden name that nobody can foresee."""
    return place.with_name(f".{place.name}-{state}-{secrets.token_hex(8)}")


def _is_of(error: OSError, *paths: Path) -> bool:
    return error.filename in map(str, paths)


def _unwritable(path: Path, error: OSError, verb: str = "written") -> InputError:
    reason = "no space left on device" if is_full(error) else (error.strerror or str(error)).lower()
    return InputError(f"{path}: cannot be {verb} ({reason}); choose another place")
