"""Slices of Parquet and JSON Lines files, which many processes read at once, each from its start.

Documents have the ids that they have when the files are read as a whole.
"""

import codecs
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.document import Document
from samehand.corpus.readers import Columns, read_corpus, sources
from samehand.corpus.readers.corpora import detect
from samehand.corpus.readers.parquet import n_rows, parquet_rows
from samehand.errors import InputError
from samehand.index.corpora import entry_of
from samehand.index.table import Entry
from samehand.io.jsonl import json_lines, parse_object
from samehand.io.opening import is_pipe
from samehand.io.records import keep_usable
from samehand.io.text_lines import MOST_BYTES, first_bytes

ROWS = 2_048
"""Documents of a slice: enough to find others of the same length, few to do again if it is lost."""
_GZIP = b"\x1f\x8b"

Raw = dict[str, object] | bytes
"""A record as it is in the file."""


class Slice(NamedTuple):
    """Documents of a file that follow each other."""

    source: str
    """The name of the corpus."""
    path: str
    format: str
    first: int
    """How many documents stand before it."""
    documents: int
    line: int = 0
    """Lines before it, of JSON Lines."""
    offset: int = 0
    """Bytes before it, of JSON Lines."""


def slices(
    corpora: Sequence[Path], columns: Columns, format: str | None = None, rows: int = ROWS
) -> list[Slice]:
    """The slices of corpora, which are Parquet or JSON Lines; anything else raises `InputError`.

    A file that is packed is one slice.
    """
    found: list[Slice] = []
    met: dict[str, Path] = {}
    for corpus in corpora:
        for name, source in sources(corpus, format):
            if met.setdefault(name, source) is not source and columns.id is None:
                raise InputError(
                    f"{source}: another corpus is called {name!r}, too ({met[name]}), so that "
                    "their documents would have the same ids; rename one."
                )
            next(read_corpus(source, columns, format, lambda fault: None), None)  # may raise
            found += _of_file(name, source.resolve(), format or detect(source), rows)
    return found


def read_slice(part: Slice, columns: Columns, on_bad: Callable[[str], None]) -> Iterator[Entry]:
    """The documents of a slice; the faults of those that cannot be used go to `on_bad`."""

    records = islice(_records(part, columns), part.documents)
    for number, record in enumerate(records, start=part.first + 1):
        for document in keep_usable([record], partial(_document, columns), on_bad):
            yield entry_of(document, part.source, number)


def _document(columns: Columns, raw: Raw) -> Document:
    return columns.document(parse_object(raw) if isinstance(raw, bytes) else raw)


def _of_file(name: str, path: Path, format: str, rows: int) -> Iterator[Slice]:
    if format == "parquet":
        n = n_rows(path)
        for first in range(0, n, rows):
            yield Slice(name, str(path), format, first, min(rows, n - first))
    elif format == "jsonl" and not is_pipe(path):
        if first_bytes(path, 2) == _GZIP:
            yield Slice(name, str(path), format, 0, sum(1 for _ in json_lines(path)))
        else:
            yield from _of_lines(name, path, rows)
    else:
        raise InputError(
            f"{path}: Ray's workers read Parquet and JSON Lines; write the corpus as one of them, "
            "or leave out --ray."
        )


def _of_lines(name: str, path: Path, rows: int) -> Iterator[Slice]:
    """Slices of a file of lines, of which blank ones do not count."""
    first = count = line = offset = at = 0
    with path.open("rb") as file:
        for number, content in enumerate(file):
            if not content.isspace():
                if count == rows:
                    yield Slice(name, str(path), "jsonl", first, count, line, offset)
                    first, count, line, offset = first + count, 0, number, at
                count += 1
            at += len(content)
    yield Slice(name, str(path), "jsonl", first, count, line, offset)


def _records(part: Slice, columns: Columns) -> Iterator[tuple[str, Raw]]:
    """Records of a file from the first one of a slice on, each with where it stands."""
    path = Path(part.path)
    if part.format == "parquet":
        yield from parquet_rows(path, columns, part.first)
    elif first_bytes(path, 2) == _GZIP:
        yield from json_lines(path)
    else:
        with path.open("rb") as file:
            file.seek(part.offset)
            for number, line in enumerate(iter(lambda: file.readline(MOST_BYTES), b""), 1):
                if not line.isspace():
                    plain = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                    yield f"{path}, line {part.line + number}", plain
