"""Which format a path holds, what sources it is made of, and the documents in it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from samehand.corpus.document import Document
from samehand.corpus.readers.delimited import read_delimited
from samehand.corpus.readers.folders import read_folders, text_files
from samehand.corpus.readers.json_documents import read_jsonl
from samehand.corpus.readers.pan13 import is_pan13, read_pan13
from samehand.corpus.readers.pan20 import find_pan20, read_pan20
from samehand.corpus.readers.parquet import read_parquet
from samehand.corpus.readers.table_columns import Columns
from samehand.errors import InputError
from samehand.io.opening import is_pipe
from samehand.io.records import OnBad
from samehand.io.text_lines import bare_stem, bare_suffix, first_bytes

_TABLES = {"csv": read_delimited, "jsonl": read_jsonl, "parquet": read_parquet}
_FOLDERS = {"pan20": read_pan20, "pan13": read_pan13, "folders": read_folders}
_TABLE_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_STREAMED = ("csv", "jsonl")
"""Formats readable from a pipe: it shows its start only once, so that nothing in it can decide."""
_DEFAULT_COLUMNS = Columns()

FORMATS = (*_FOLDERS, *_TABLES)
"""The names by which a format may be forced; `csv` covers TSV."""


def read_corpus(
    path: Path,
    columns: Columns = _DEFAULT_COLUMNS,
    format: str | None = None,
    on_bad: OnBad | None = None,
) -> Iterator[Document]:
    """The documents of a corpus, streamed: memory does not grow with it.

    The format is told from what is on disk unless `format` names one of `FORMATS`. `columns` is for
    tables only. Whatever cannot be read raises `InputError`; given `on_bad`, the faults of single
    records are reported to it, one sentence each, and the records are left out. A file or folder
    without one usable document is an error in any case.
    """
    for _, source in sources(path, format):
        kind = format or detect(source)
        if kind in _TABLES:
            documents = _TABLES[kind](source, columns, on_bad)
        else:
            documents = _FOLDERS[kind](source, on_bad)
        count = 0
        for count, document in enumerate(documents, start=1):  # noqa: B007
            yield document
        if not count:
            raise InputError(f"{source}: there is no usable document in it; remove it or fill it")


def sources(path: Path, format: str | None = None) -> list[tuple[str, Path]]:
    """The (name, path) of each part of a corpus that is a source of its own.

    A folder of tables has one source a file, named by the file's stem; anything else is one source.
    Each path can be given to `read_corpus` with the same `format`.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"there is no format {format!r}; choose one of {', '.join(FORMATS)}")
    if not path.exists():
        raise InputError(f"{path}: the path does not exist; check it")
    if is_pipe(path) and (format or _kind_of_table(path)) not in _STREAMED:
        raise InputError(
            f"{path}: a pipe is read as CSV or JSONL; name which with --format, or give a file"
        )
    if format in ("pan13", "folders") and not path.is_dir():
        raise InputError(f"{path}: this is no folder, as the format {format} has to be; check it")
    if path.is_dir() and (format or detect(path)) in _TABLES:
        return _table_sources(path, format)
    name = path.resolve().name if path.is_dir() else bare_stem(path)
    return [(name, path)]


def _table_sources(folder: Path, format: str | None) -> list[tuple[str, Path]]:
    tables = [file for file in _tables_in(folder) if format in (None, _kind_of_table(file))]
    if not tables:
        raise InputError(f"{folder}: there is no {format} file in it; check the path")
    stems = Counter(bare_stem(file) for file in tables)
    return [(stem if stems[stem := bare_stem(file)] == 1 else file.name, file) for file in tables]


def detect(path: Path) -> str:
    """The one of `FORMATS` on disk; for a folder of tables, that of the first of them."""
    if is_pipe(path):
        return _TABLE_SUFFIXES[bare_suffix(path)]
    if path.is_file():
        return "pan20" if find_pan20(path) else _detect_table(path)
    if find_pan20(path):
        return "pan20"
    if is_pan13(path):
        return "pan13"
    if tables := _tables_in(path):
        return _detect_table(tables[0])
    if next(text_files(path), None):
        return "folders"
    raise InputError(
        f"{path}: no corpus is recognised in this folder; give one with pairs.jsonl and "
        "truth.jsonl, with PAN problems, with author/topic/text.txt, or with CSV, JSONL or Parquet"
    )


def holds_tables(path: Path) -> bool:
    """Whether a path is a table, or a folder of tables or of `author/text.txt`."""
    if path.is_file():
        return bool(_kind_of_table(path))
    return path.is_dir() and bool(_tables_in(path) or next(text_files(path), None))


def _tables_in(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if _kind_of_table(file) and file.is_file() and not file.name.startswith(".")
    )


def _kind_of_table(file: Path) -> str | None:
    return _TABLE_SUFFIXES.get(bare_suffix(file))


def _detect_table(file: Path) -> str:
    start = first_bytes(file, 64)
    if start.startswith(b"PAR1"):
        return "parquet"
    if kind := _kind_of_table(file):
        return kind
    if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return "jsonl"
    raise InputError(
        f"{file}: no corpus is recognised in this file; give CSV, JSONL or Parquet, "
        f"or name its format with --format ({', '.join(FORMATS)})"
    )
