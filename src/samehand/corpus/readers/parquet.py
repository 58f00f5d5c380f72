"""Parquet, a batch of rows at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import Columns
from samehand.errors import InputError, needs
from samehand.io.records import OnBad, keep_usable

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH_ROWS = 512


def read_parquet(path: Path, columns: Columns, on_bad: OnBad | None) -> Iterator[Document]:
    """Documents of a Parquet file. Author and topic may be strings or whole numbers."""
    return keep_usable(parquet_rows(path, columns), columns.document, on_bad)


def parquet_rows(
    path: Path, columns: Columns, first: int = 0
) -> Iterator[tuple[str, dict[str, object]]]:
    """Raw values of the columns, each row with where it stands, without those before `first`."""
    pa, pq = needs("tables", "pyarrow"), needs("tables", "pyarrow.parquet")
    try:
        with pq.ParquetFile(path) as file:
            _check_schema(path, file.schema_arrow, columns)
            yield from _rows(path, file, columns, first)
    except FileNotFoundError:
        raise InputError(f"{path}: the file does not exist; check the path") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).split("\n")[0].split(". ")[0].rstrip(".")
        raise InputError(
            f"{path}: the file cannot be read as Parquet ({reason}); write or copy it again"
        ) from None


def n_rows(path: Path) -> int:
    """How many rows a Parquet file has; 0 where it cannot be read, which reading it tells."""
    pa, pq = needs("tables", "pyarrow"), needs("tables", "pyarrow.parquet")
    try:
        return int(pq.read_metadata(path).num_rows)
    except (pa.ArrowException, OSError):
        return 0


def _check_schema(path: Path, schema: "pa.Schema", columns: Columns) -> None:
    columns.check(path, schema.names)
    for role, name in columns._asdict().items():
        if name is None or name not in schema.names:
            continue
        kind = schema.field(name).type
        if not (_is_string(kind) or (role != "text" and _is_whole_number(kind))):
            raise InputError(
                f"{path}: the column {name!r} is not a string but of type {kind}; "
                f"write it as strings or name another with --{role}-column"
            )


def _rows(
    path: Path, file: "pa.parquet.ParquetFile", columns: Columns, first: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """Raw values from a row on; row groups that end before it are not read."""
    present = [name for name in filter(None, columns) if name in file.schema_arrow.names]
    ends = np.cumsum([file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)])
    group = int(np.searchsorted(ends, first, "right"))
    number = int(ends[group - 1]) if group else 0
    groups = range(group, len(ends))
    for batch in file.iter_batches(batch_size=_BATCH_ROWS, row_groups=groups, columns=present):
        behind = batch.slice(max(first - number, 0))
        number += len(batch) - len(behind)
        for row in zip(*(_values(behind.column(name)) for name in present), strict=True):
            number += 1
            yield f"{path}, row {number}", dict(zip(present, row, strict=True))


def _values(column: "pa.Array") -> list[Any]:
    """Python values; bad bytes in a string are kept as surrogates, to be named row by row."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if not _is_string(column.type):
        return list(column.to_pylist())
    raw = column.cast(pa.large_binary()).to_pylist()
    return [None if value is None else value.decode("utf-8", "surrogateescape") for value in raw]


def _is_string(kind: "pa.DataType") -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _is_whole_number(kind: "pa.DataType") -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(types.is_integer(kind))
