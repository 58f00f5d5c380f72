"""Folders and files that are there when they are whole, not before, and at nobody's expense."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from samehand.errors import InputError


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


def write_whole(path: Path, text: str) -> None:
    """Write a text file that appears when it is whole; what stood there goes only then."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.write_text(text, "utf-8", "surrogateescape", "\n")
        unfinished.replace(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be written ({reason}); choose another place") from None
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def all_or_nothing(folder: Path) -> Iterator[Path]:
    """A hidden folder beside the wanted one: moved to its place at the end, removed on failure.

    What stood there goes only then. A process that is killed leaves the hidden folder behind, which
    nothing takes for the wanted one.
    """
    place = folder.resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{place.name}-unfinished-", dir=place.parent))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{folder}: cannot be made ({reason}); choose another place") from None
    old = made.with_name(made.name.replace("-unfinished-", "-replaced-"))
    try:
        yield made
        made.chmod(0o755)
        if place.exists():
            os.rename(place, old)
        os.rename(made, place)
    finally:
        if old.exists() and not place.exists():
            os.rename(old, place)
        for leftover in (made, old):
            shutil.rmtree(leftover, ignore_errors=True)
