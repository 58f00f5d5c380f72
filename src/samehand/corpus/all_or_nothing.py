"""A folder that is there when it is whole, and not before."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samehand.errors import InputError


def check_place(folder: Path, mark: str, replace: bool) -> None:
    """Raise unless `folder` can be made, or may be replaced: what has no file `mark` may not."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: a file is in this place; choose another")
    if not any(folder.iterdir()):
        return
    if not (folder / mark).is_file():
        raise InputError(f"{folder}: holds other things, which stay; choose another place")
    if not replace:
        raise InputError(f"{folder}: exists already; choose another place, or pass --force")


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
