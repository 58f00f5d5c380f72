"""One JSON object a line."""

import json
from collections.abc import Iterator
from pathlib import Path

from samehand.corpus.document import Document
from samehand.corpus.readers.bad_records import BadRecord, OnBad, keep_usable
from samehand.corpus.readers.table_columns import Columns, checked_document
from samehand.io.text_lines import lines


def read_jsonl(path: Path, columns: Columns, on_bad: OnBad | None) -> Iterator[Document]:
    """Documents of a JSONL file. Its first object must have the named columns."""
    checked = False

    def parse(line: bytes) -> Document:
        nonlocal checked
        record = parse_object(line)
        if not checked:
            columns.check(path, record)
            checked = True
        return checked_document(
            record.get(columns.author), record.get(columns.topic), record.get(columns.text)
        )

    return keep_usable(json_lines(path), parse, on_bad)


def json_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """The lines that are not blank, each with where it stands."""
    for number, line in lines(path):
        if not line.isspace():
            yield f"{path}, line {number}", line


def parse_object(line: bytes) -> dict[str, object]:
    """The JSON object on a line, or `BadRecord`."""
    try:
        value = json.loads(line.decode())
    except UnicodeDecodeError:
        raise BadRecord("the line is not valid UTF-8; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        what = f"{error.msg.removesuffix(' at')} at column {error.colno}"
        raise BadRecord(f"the line is not valid JSON ({what}); mend the line") from None
    except (ValueError, RecursionError):  # a number too long or brackets too deep for Python
        raise BadRecord("the line is JSON beyond what can be read; mend the line") from None
    if not isinstance(value, dict):
        raise BadRecord("the line is not a JSON object; write one {...} a line")
    return value
