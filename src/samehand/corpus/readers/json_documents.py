"""Documents as JSON lines."""

from collections.abc import Iterator
from pathlib import Path

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import Columns
from samehand.io.jsonl import json_lines, parse_object
from samehand.io.records import OnBad, keep_usable


def read_jsonl(path: Path, columns: Columns, on_bad: OnBad | None) -> Iterator[Document]:
    """Documents of a JSONL file. Its first object must have the named columns."""
    checked = False

    def parse(line: bytes) -> Document:
        nonlocal checked
        record = parse_object(line)
        if not checked:
            columns.check(path, record)
            checked = True
        return columns.document(record)

    return keep_usable(json_lines(path), parse, on_bad)
