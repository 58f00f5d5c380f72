"""A class of writers in two folders: one of new texts, and one of earlier texts by the same people.

Whose text it is, the names say: of `NAME.docx`, or of the folder `NAME` that holds the texts of a
writer. Capitals do not matter.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from samehand.casework.class_of_writers import Writer
from samehand.cautions.texts import LEAST_WORDS, too_short
from samehand.errors import InputError
from samehand.io.progress import Progress, unwatched
from samehand.io.text_lines import bare_stem
from samehand.reading import Reading, read_text
from samehand.text.words import words


class FilesOfWriter(NamedTuple):
    """A new text and the earlier ones, as files."""

    name: str
    questioned: Path
    known: tuple[Path, ...]


class ClassFolders(NamedTuple):
    """Whose texts are in two folders."""

    writers: tuple[FilesOfWriter, ...]
    without_new: tuple[str, ...]
    """Those with earlier texts, but no new one."""


class WriterRead(NamedTuple):
    """The texts of a writer, and the files that they were read from."""

    writer: Writer
    readings: tuple[Reading, ...]
    """Of the new text, then the earlier ones that are compared."""


def find_class(new: Path, earlier: Path) -> ClassFolders:
    """Which files are whose. Folders in which no name is in both raise `InputError`."""
    questioned, known = _by_name(new), _by_name(earlier)
    shared = questioned.keys() & known.keys()
    if not shared:
        one, other = (next(iter(found.values()))[0] for found in (questioned, known))
        raise InputError(
            f"{new} and {earlier} have no name in common ({one} is in the one, {other} in the "
            "other); name files or folders in both by their writers."
        )
    writers = [
        FilesOfWriter(_label(new, name, file, len(files)), file, known.get(key, ("", ()))[1])
        for key, (name, files) in questioned.items()
        for file in files
    ]
    missing = (_shown(name) for key, (name, _) in known.items() if key not in questioned)
    return ClassFolders(tuple(writers), tuple(missing))


def read_class(found: ClassFolders, progress: Progress = unwatched) -> list[WriterRead]:
    """The texts of each writer. What cannot be read is said of the writer, and ends nothing."""
    read = []
    for done, files in enumerate(found.writers):
        progress("reading texts of writers", done, len(found.writers))
        try:
            known = list(map(read_text, files.known))
            read.append(texts_of_writer(files.name, read_text(files.questioned), known))
        except InputError as fault:
            read.append(WriterRead(Writer(files.name, "", (), fault=str(fault)), ()))
    return read


def texts_of_writer(name: str, questioned: Reading, known: Sequence[Reading]) -> WriterRead:
    """A writer's texts to compare; a new text that is too short raises `InputError`."""
    if (n_words := len(words(questioned.text))) < LEAST_WORDS:
        raise InputError(too_short(questioned.source, n_words))
    usable = [reading for reading in known if len(words(reading.text)) >= LEAST_WORDS]
    if not usable:
        raise InputError(
            f"There is no earlier text of {LEAST_WORDS} words or more by the name {name!r}."
        )
    doubts = [reading.caution for reading in (questioned, *usable) if reading.caution]
    writer = Writer(
        name,
        questioned.text,
        [reading.text for reading in usable],
        (*doubts, *_left_out(known, usable)),
    )
    return WriterRead(writer, (questioned, *usable))


def _left_out(known: Sequence[Reading], usable: Sequence[Reading]) -> Iterator[str]:
    for reading in known:
        if reading not in usable:
            yield f"{reading.source} has fewer than {LEAST_WORDS} words and was left out."


def _by_name(folder: Path) -> dict[str, tuple[str, tuple[Path, ...]]]:
    """The files of each writer, by a form of the name that does not tell capitals apart."""
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder; with --each, give two folders of texts.")
    found: dict[str, tuple[str, tuple[Path, ...]]] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not (files := _files(path)):
            continue
        name = path.name if path.is_dir() else bare_stem(path)
        key = unicodedata.normalize("NFKC", name).casefold()
        if key in found:
            other = found[key][1][0]
            raise InputError(
                f"{folder}: {other.relative_to(folder)} and {path.name} are of one writer by their "
                "names; rename one, or put all texts of a writer into one folder."
            )
        found[key] = name, files
    if not found:
        raise InputError(f"{folder}: there is no text in this folder; check the path.")
    return found


def _files(path: Path) -> tuple[Path, ...]:
    """A file, or all in a folder and those below it, without hidden ones."""
    if path.is_file():
        return (path,)
    below = sorted(file for file in path.rglob("*") if file.is_file())
    return tuple(
        file
        for file in below
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def _label(new: Path, name: str, file: Path, n_files: int) -> str:
    """The writer's name, with the file where there are several new texts."""
    return _shown(name if n_files == 1 else file.relative_to(new).as_posix())


def _shown(name: str) -> str:
    """On one line, and without bytes that are no characters."""
    return " ".join(name.encode("utf-8", "replace").decode("utf-8").split())
