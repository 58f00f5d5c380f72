"""JSON lines as people hand them in: plain or gzip, whatever the file is called."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from samehand.errors import InputError
from samehand.io.opening import open_bytes


def locate(path: Path, stem: str) -> Path:
    """The file meant by `path`: itself, or `stem`.jsonl(.gz) in it if it is a folder."""
    if path.is_dir():
        for name in (f"{stem}.jsonl", f"{stem}.jsonl.gz"):
            if (path / name).is_file():
                return path / name
        raise InputError(f"{path}: this folder holds no {stem}.jsonl; give the file itself.")
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    return path


def objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number, object) for each line; blank lines, a BOM and CRLF do no harm.

    Raises InputError with the file and the line where the text is not UTF-8, a line is not one JSON
    object, the compressed data is damaged, or the file holds no line at all.
    """
    line_number = 0
    found_any = False
    try:
        with open_bytes(path) as lines:
            for line_number, line in enumerate(lines, start=1):
                if line_number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if not line.strip():
                    continue
                found_any = True
                yield line_number, _parse(line, path, line_number)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path}, line {line_number + 1}: the gzip data is damaged or cut short; "
            "compress or copy the file again."
        ) from error
    if not found_any:
        raise InputError(f"{path}, line 1: the file is empty; give one JSON object per line.")


def _parse(line: bytes, path: Path, line_number: int) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8"))
        if isinstance(record, dict):
            return record
        wrong = 'not a JSON object such as {"id": …}'
    except UnicodeDecodeError:
        wrong = "not UTF-8 text; give JSON lines, plain or gzip-compressed"
    except json.JSONDecodeError as error:
        wrong = (
            f"not valid JSON at column {error.colno} ({error.msg}); "
            "each line must be one complete JSON object"
        )
    except (ValueError, RecursionError):  # numbers of thousands of digits, deep nesting
        wrong = "JSON that cannot be read; is the file damaged?"
    raise InputError(f"{path}, line {line_number}: {wrong}.")
