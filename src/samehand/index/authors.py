"""The table of authors in an index: all that counts of what is known by each.

An author's known texts are the longest documents; a model is validated on so many. Their mean, how
much they scatter and how long they are is all that scoring takes of them, so a search reads nothing
else.
"""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.index.accounts import MOST_KNOWN
from samehand.index.place import AUTHORS, Place, Table, quoted, taken
from samehand.index.table import numbers_in, straight_vectors
from samehand.scoring.case_data import DIGEST
from samehand.scoring.distance import KnownSides, known_sides

if TYPE_CHECKING:
    import pyarrow as pa

Longs = NDArray[np.int64]

_AUTHORS_AT_ONCE = 4_096
_NAMES_AT_ONCE = 1_000


def authors_schema(size: int) -> "pa.Schema":
    """The columns of the table; `size`: of the vectors."""
    import pyarrow as pa

    columns = [
        pa.field("author", pa.string(), nullable=False),
        pa.field("documents", pa.int32(), nullable=False),  # all that the author has
        pa.field("known", pa.int32(), nullable=False),  # of them as known texts
        pa.field("ids", pa.string(), nullable=False),  # theirs, a JSON list
        pa.field("digests", pa.binary(), nullable=False),  # one after another
        pa.field("log_tokens", pa.float64(), nullable=False),
        pa.field("spread", pa.float64(), nullable=False),
        pa.field("fingerprint", pa.uint64(), nullable=False),  # of all documents
        pa.field("vector", pa.list_(pa.float32(), size), nullable=False),  # the mean
    ]
    return pa.schema(columns)


def sides_of(rows: "pa.Table") -> KnownSides:
    """The known sides in rows of this table, as scoring takes them."""
    mean = numbers_in(rows["vector"]).reshape(len(rows), -1).astype(np.float64)
    n = rows["known"].to_numpy().astype(np.int64)
    return KnownSides(mean, rows["log_tokens"].to_numpy(), n, rows["spread"].to_numpy())


def known_texts(ids: str, digests: bytes) -> tuple[tuple[str, ...], tuple[bytes, ...]]:
    """The ids and digests of an author's known texts, as they are in a row of this table."""
    starts = range(0, len(digests), DIGEST)
    return tuple(json.loads(ids)), tuple(digests[start : start + DIGEST] for start in starts)


def refresh_authors(place: Place, documents: Table, sizes: tuple[int, ...]) -> Table:
    """Bring the table of authors in line with that of documents, whatever has changed in it."""
    table = place.authors()
    if table is None:
        table = place.made(AUTHORS, authors_schema(sum(sizes)))
    there = _Documents.of(documents, sizes)
    changed, gone = there.compared_with(table)
    for start in range(0, len(gone), _NAMES_AT_ONCE):
        table.delete(f"author IN ({quoted(gone[start : start + _NAMES_AT_ONCE])})")
    new = len(changed) and table.count_rows() == 0
    for rows in there.rows(documents, changed, table.schema):
        if new:
            table.add(rows)
        else:
            upsert = table.merge_insert("author").when_matched_update_all()
            upsert.when_not_matched_insert_all().execute(rows)
    return table


class _Documents(NamedTuple):
    """Which documents each author has, by numbers: authors' in `names`, documents' in the table."""

    names: "pa.StringArray"
    first: Longs
    """(authors + 1,) where those of each begin"""
    row: Longs
    """(documents,) the row ids of all distinct texts, those of an author together, longest first"""
    documents: Longs
    """(authors,) how many each has, repeats too"""
    fingerprint: NDArray[np.uint64]
    """(authors,)"""
    sizes: tuple[int, ...]
    """The size of each network's vectors."""

    @classmethod
    def of(cls, table: Table, sizes: tuple[int, ...]) -> "_Documents":
        import pyarrow as pa

        found = table.to_lance().to_table(columns=["author", "tokens", "digest"], with_row_id=True)
        found = found.filter(found["author"].is_valid())
        encoded = _whole(found["author"]).dictionary_encode()
        names = encoded.dictionary if len(encoded) else pa.array([], pa.string())
        author = encoded.indices.to_numpy().astype(np.int64)
        digest = _halves(found["digest"])
        row = found["_rowid"].to_numpy().astype(np.int64)
        fingerprint = np.zeros(len(names), np.uint64)
        np.add.at(fingerprint, author, digest[:, 0])
        order = np.lexsort((digest[:, 1], digest[:, 0], -found["tokens"].to_numpy(), author))
        in_order = np.concatenate([author[:, None].astype(np.uint64), digest], 1)[order]
        repeated = (in_order[1:] == in_order[:-1]).all(1)
        distinct = order[np.append(True, ~repeated)[: len(order)]]
        counted = np.bincount(author[distinct], minlength=len(names))
        return cls(
            names,
            np.concatenate([[0], np.cumsum(counted)]),
            row[distinct],
            np.bincount(author, minlength=len(names)),
            fingerprint,
            sizes,
        )

    def compared_with(self, authors: Table) -> tuple[Longs, list[str]]:
        """Authors whose row is missing or out of date, and names that are no author's any more."""
        import pyarrow.compute as pc

        known = authors.to_lance().to_table(columns=["author", "documents", "fingerprint"])
        place = pc.index_in(self.names, value_set=_whole(known["author"]))
        found = np.asarray(place.fill_null(-1)).astype(np.int64)
        documents = np.append(known["documents"].to_numpy(), -1)  # −1 stands for no row
        fingerprint = np.append(known["fingerprint"].to_numpy(), np.uint64(0))
        same = (documents[found] == self.documents) & (fingerprint[found] == self.fingerprint)
        kept = pc.is_in(known["author"], value_set=self.names)
        return np.flatnonzero(~same), known["author"].filter(pc.invert(kept)).to_pylist()

    def rows(self, table: Table, chosen: Longs, schema: "pa.Schema") -> "Iterator[pa.Table]":
        """Rows for some authors, some thousands at a time."""
        for start in range(0, len(chosen), _AUTHORS_AT_ONCE):
            some = chosen[start : start + _AUTHORS_AT_ONCE]
            n = np.minimum(np.diff(self.first)[some], MOST_KNOWN)
            ends = np.cumsum(n)
            places = np.arange(ends[-1]) - np.repeat(ends - n, n) + np.repeat(self.first[some], n)
            found = taken(table, self.row[places], ["id", "digest", "tokens", "vector"])
            yield self._rows(some, n, found, schema)

    def _rows(self, some: Longs, n: Longs, found: "pa.Table", schema: "pa.Schema") -> "pa.Table":
        import pyarrow as pa

        straight = straight_vectors(found["vector"], self.sizes)
        log_tokens = np.log(np.maximum(found["tokens"].to_numpy(), 1).astype(np.float64))
        ends = np.cumsum(n)
        known = np.full((len(some), MOST_KNOWN), -1, np.int64)
        known[np.arange(MOST_KNOWN) < n[:, None]] = np.arange(ends[-1])
        sides = known_sides(straight, log_tokens, known)
        each = [slice(end - size, end) for size, end in zip(n, ends, strict=True)]
        ids, digests = found["id"].to_pylist(), found["digest"].to_pylist()
        mean = pa.array(sides.mean.astype(np.float32).ravel())
        columns: list[Any] = [
            self.names.take(pa.array(some)),
            self.documents[some].astype(np.int32),
            n.astype(np.int32),
            [json.dumps(ids[part]) for part in each],
            [b"".join(digests[part]) for part in each],
            sides.log_tokens,
            sides.spread,
            self.fingerprint[some],
            pa.FixedSizeListArray.from_arrays(mean, sides.mean.shape[1]),
        ]
        return pa.table(columns, schema=schema)


def _whole(column: Any) -> Any:
    """A column in one piece."""
    whole = column.combine_chunks()
    return whole.chunk(0) if hasattr(whole, "chunk") else whole


def _halves(digests: Any) -> NDArray[np.uint64]:
    """Digests as pairs of numbers (rows, 2)."""
    import pyarrow as pa

    raw = b"".join(digests.cast(pa.binary()).to_pylist())
    return np.frombuffer(raw, "<u8").astype(np.uint64).reshape(-1, 2)
