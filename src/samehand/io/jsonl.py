"""JSON lines: one object a line, plain or gzip, whatever the file is called."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from samehand.errors import InputError
from samehand.io.records import BadRecord
from samehand.io.text_lines import lines


def locate(path: Path, stem: str, *others: str) -> Path:
    """The file meant by `path`: itself, or in a folder `stem`.jsonl(.gz) or one of the others."""
    if path.is_dir():
        for name in (f"{stem}.jsonl", f"{stem}.jsonl.gz", *others):
            if (path / name).is_file():
                return path / name
        raise InputError(f"{path}: this folder holds no {stem}.jsonl; give the file itself.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    return path


def json_lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """The lines that are not blank, each with where it stands; a file needs one at least."""
    found_any = False
    for number, line in lines(path):
        if not line.isspace():
            found_any = True
            yield f"{path}, line {number}", line
    if not found_any:
        raise InputError(f"{path}: the file holds blank lines alone; give one JSON object a line")


def parse_object(line: bytes) -> dict[str, Any]:
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
