"""Slices of a file hold its documents once, with the ids that they have in the whole."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.corpus.readers import Columns
from samehand.errors import InputError
from samehand.index.corpora import entries
from samehand.index.slices import read_slice, slices
from samehand.index.table import Entry

RECORDS = [
    {"author": f"a{n % 3}", "topic": "t", "text": f"text {n} é", "post": f"p{n}"} for n in range(23)
]


def in_slices(corpus: Path, columns: Columns, rows: int) -> list[Entry]:
    faults: list[str] = []
    parts = slices([corpus], columns, rows=rows)
    found = [entry for part in parts for entry in read_slice(part, columns, faults.append)]
    assert not faults
    assert sum(part.documents for part in parts) == len(found)
    assert all(part.documents <= rows or corpus.suffix == ".gz" for part in parts)
    return found


@pytest.mark.parametrize("columns", [Columns(), Columns(id="post")])
@pytest.mark.parametrize("rows", [1, 5, 23, 100])
def test_they_are_the_documents_of_the_whole(tmp_path: Path, columns: Columns, rows: int) -> None:
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS]
    lines.insert(7, " \n\n")
    plain, packed, table = (tmp_path / f"posts.{end}" for end in ("jsonl", "jsonl.gz", "parquet"))
    plain.write_text("\ufeff" + "".join(lines), "utf-8")
    packed.write_bytes(gzip.compress("".join(lines).encode()))
    pq.write_table(pa.Table.from_pylist(RECORDS), table, row_group_size=6)
    for corpus in (plain, packed, table):
        assert in_slices(corpus, columns, rows) == list(entries([corpus], columns)), corpus


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 12))
def test_rows_of_parquet_are_read_from_any_row_on(groups: list[int], rows: int) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        corpus = Path(folder) / "posts.parquet"
        schema = pa.schema([("author", pa.string()), ("text", pa.string())])
        with pq.ParquetWriter(corpus, schema) as writer:
            for group, n in enumerate(groups):
                some = [{"author": "a", "text": f"{group}.{k}"} for k in range(n)]
                writer.write_table(pa.Table.from_pylist(some, schema))
        assert in_slices(corpus, Columns(), rows) == list(entries([corpus], Columns()))


def test_bad_records_are_named_with_their_lines(tmp_path: Path) -> None:
    corpus = tmp_path / "posts.jsonl"
    good = json.dumps(RECORDS[0]) + "\n"
    corpus.write_text(good * 3 + "\n" + "{oops\n" + good)
    parts, faults = slices([corpus], Columns(), rows=2), []  # type: ignore[var-annotated]
    found = [entry.id for part in parts for entry in read_slice(part, Columns(), faults.append)]
    assert found == ["posts/1", "posts/2", "posts/3", "posts/5"]
    (fault,) = faults
    assert "posts.jsonl, line 5" in fault


def test_what_cannot_be_sliced_is_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "posts.csv"
    corpus.write_text("author,text\na,some text\n")
    with pytest.raises(InputError, match="Parquet and JSON Lines"):
        slices([corpus], Columns())
    with pytest.raises(InputError, match="does not exist"):
        slices([tmp_path / "nowhere.jsonl"], Columns())
