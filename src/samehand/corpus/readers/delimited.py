"""CSV and TSV with a header line. Commas, tabs or semicolons: whichever shows the named columns."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Lock

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import Columns
from samehand.errors import InputError
from samehand.io.records import BadRecord, OnBad, keep_usable
from samehand.io.text_lines import MOST_BYTES, lines

_DELIMITERS = (",", "\t", ";")
_LIMIT = Lock()


def read_delimited(path: Path, columns: Columns, on_bad: OnBad | None) -> Iterator[Document]:
    """Documents of a CSV or TSV file, row by row. Fields may hold line ends if quoted."""
    decoded = (line.decode("utf-8", "surrogateescape") for _, line in lines(path))
    header = next(decoded)
    try:
        with _long_fields():
            delimiter, names = _split_header(header, columns)
    except csv.Error as error:
        raise InputError(f"{path}, line 1: the row is {_fault(error)}") from None
    columns.check(path, names)
    width, text = len(names), names.index(columns.text)

    def parse(row: list[str] | csv.Error) -> Document:
        if isinstance(row, csv.Error):
            raise BadRecord(f"the row is {_fault(row)}")
        if len(row) != width:
            found = f"the row has {len(row)} fields where the header has {width}"
            raise BadRecord(f"{found}; mend its quotes or delimiters")
        if "\0" in row[text]:
            raise BadRecord("the text holds a NUL byte; save it as plain UTF-8")
        return columns.document(dict(zip(names, row, strict=True)))

    yield from keep_usable(_rows(path, chain([header], decoded), delimiter), parse, on_bad)


@contextmanager
def _long_fields() -> Iterator[None]:
    """Lift Python's limit on fields, which belongs to the whole process, for as long as it takes.

    A document of many megabytes is a fair field.
    """
    with _LIMIT:
        usual = csv.field_size_limit(MOST_BYTES)
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def _fault(error: csv.Error) -> str:
    if str(error).startswith("new-line character"):  # in Python's words, about opening files
        return r"broken by \r without \n, outside of quotes; save the file with \n at line ends"
    return f"not valid CSV ({error}); mend its quotes"


def _split_header(header: str, columns: Columns) -> tuple[str, list[str]]:
    """The delimiter that finds most of the wanted columns, and the column names by it."""
    wanted = set(columns.required().values())
    splits = []
    for delimiter in _DELIMITERS:
        rows = csv.reader([header], delimiter=delimiter, strict=True)
        names = [name.strip() for name in next(rows, [])]
        splits.append((len(wanted.intersection(names)), len(names), delimiter, names))
    best = max(splits, key=lambda split: split[:2])
    return best[2], best[3]


def _rows(
    path: Path, decoded: Iterator[str], delimiter: str
) -> Iterator[tuple[str, list[str] | csv.Error]]:
    """Rows after the header, or the error in place of a row, each with the line it begins on."""
    reader = csv.reader(decoded, delimiter=delimiter, strict=True)
    with _long_fields():
        next(reader)
    while True:
        where = f"{path}, line {reader.line_num + 1}"
        try:
            with _long_fields():
                row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield where, error
        else:
            if row:
                yield where, row
