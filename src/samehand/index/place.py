"""Where an index is: a folder or a place in an object store, with tables of LanceDB in it.

Tables change all or nothing, so that a process that is killed leaves what it had written last.
"""

import math
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError, needs
from samehand.io.locking import alone_in

if TYPE_CHECKING:
    import pyarrow as pa

Table = Any
"""A table of LanceDB."""

DOCUMENTS, AUTHORS = "documents", "authors"
"""The tables of an index; their files are in `documents.lance` and `authors.lance`."""
SEARCHED_IN_FULL = 20_000
"""Rows up to which no approximate index is made: all are looked at in as little time."""
_SUB_VECTORS = 32
"""Into so many parts, at most, a vector is cut whose nearest patterns stand for it."""
_ITERATIONS = 12
"""Of the training of an approximate index: what they find stands in docs/collections.md."""
_ROWS_A_FRAGMENT = 1 << 17


_OF_LANCE = re.compile(r"lance|object store|encountered corrupt|invalid input", re.IGNORECASE)
"""In a fault that is about what is stored."""


class Place:
    """A place for an index."""

    def __init__(self, place: str | Path) -> None:
        """`place`: a folder, or an address such as s3://bucket/index that LanceDB knows."""
        for name in ("LANCE_LOG", "LANCEDB_LOG"):  # before they are loaded
            os.environ.setdefault(name, "error")
        self._lancedb = needs("scale", "lancedb")
        needs("scale", "lance")
        self.name = str(place)
        self._is_remote = "://" in self.name

    def __str__(self) -> str:
        return self.name

    def address(self, table: str) -> str:
        """Where a table is, from any folder."""
        folder = self.name if self._is_remote else str(Path(self.name).resolve())
        return f"{folder}/{table}.lance"

    def has_index(self) -> bool:
        """Whether there is an index."""
        if self._is_remote:
            with self.readable():
                return DOCUMENTS in self._connect().list_tables().tables
        return (Path(self.name) / f"{DOCUMENTS}.lance").is_dir()

    def documents(self) -> Table:
        """The table of documents, as it is whenever it is asked."""
        if not self.has_index():
            raise InputError(f"{self}: there is no index here; make one (samehand index).")
        table = self._opened(DOCUMENTS)
        if table is None:
            raise InputError(f"{self}: the index is damaged; make it again (samehand index).")
        return table

    def authors(self) -> Table | None:
        """The table of authors; None before there is one."""
        return self._opened(AUTHORS)

    def made(self, table: str, schema: "pa.Schema") -> Table:
        """A new, empty table."""
        return self._connect().create_table(table, schema=schema)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a local index from all other processes that write, and make its folder."""
        if self._is_remote:
            yield
            return
        folder = Path(self.name)
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{self}: a file is in this place; choose another.")
        if folder.is_dir() and any(folder.iterdir()) and not self.has_index():
            raise InputError(f"{self}: holds other things, which stay; choose another place.")
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"{self}: cannot be made ({reason}); choose another place.") from None
        with alone_in(folder):
            yield

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Say of an index that cannot be read that it is so."""
        try:
            yield
        except (RuntimeError, OSError, ValueError) as error:
            reason = str(error).splitlines()[0].split(", /")[0].rstrip(".")[:200]
            if not _OF_LANCE.search(reason):
                raise
            raise InputError(
                f"{self}: the index cannot be read ({reason}); check the place, or make the index "
                "again (samehand index)."
            ) from None

    def _opened(self, table: str) -> Table | None:
        try:
            with self.readable():
                return self._connect().open_table(table)
        except (ValueError, FileNotFoundError):
            return None

    def _connect(self) -> Any:
        return self._lancedb.connect(self.name, read_consistency_interval=timedelta(0))


def put_in_order(table: Table) -> None:
    """Join small files, take what was deleted off the disk, and forget earlier versions."""
    table.to_lance().optimize.compact_files(
        target_rows_per_fragment=_ROWS_A_FRAGMENT, materialize_deletions_threshold=0.0
    )
    table.to_lance().cleanup_old_versions(timedelta(0), delete_unverified=True)


def index_vectors(table: Table) -> None:
    """Make or mend the approximate index of a table's vectors, where it is large enough for one."""
    rows = table.count_rows()
    if rows <= SEARCHED_IN_FULL:
        return
    wanted = round(math.sqrt(rows))
    names = [index.name for index in table.list_indices()]
    if not names or not 1 / 2 < _partitions(table, names[0]) / wanted < 2:
        from lancedb.index import IvfPq

        size = table.schema.field("vector").type.list_size
        parts = max(n for n in range(1, _SUB_VECTORS + 1) if size % n == 0)
        how = IvfPq(
            distance_type="l2",
            num_partitions=wanted,
            num_sub_vectors=parts,
            max_iterations=_ITERATIONS,
        )
        table.create_index("vector", config=how)
    elif table.index_stats(names[0]).num_unindexed_rows:
        table.to_lance().optimize.optimize_indices()


def _partitions(table: Table, index: str) -> int:
    """Into how many parts an approximate index divides the vectors."""
    return int(table.to_lance().stats.index_stats(index)["indices"][0]["num_partitions"])


def taken(table: Table, rows: NDArray[np.int64], columns: list[str]) -> "pa.Table":
    """Some columns of distinct rows, by their row ids, in that order."""
    found = table.take_row_ids(rows.tolist()).select(columns).with_row_id().to_arrow()
    there = found["_rowid"].to_numpy().astype(np.int64)
    ascending = np.argsort(there)
    return found.take(ascending[np.searchsorted(there, rows, sorter=ascending)])


def quoted(names: Sequence[str]) -> str:
    """Names as a list of SQL."""
    return ", ".join("'" + name.replace("'", "''") + "'" for name in names)
