"""Rows that Spark makes of documents are those that an index makes itself."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samehand.errors import InputError
from samehand.index import Added, Entry, Index
from samehand.index.spark import SCHEMA, add_rows, rows_of
from samehand.verifier import Verifier
from tests.index.documents import documents
from tests.index.test_ray import rows
from tests.models import save_genres_model


def batches(entries: list[Entry]) -> Iterator[pa.RecordBatch]:
    """Documents as Spark hands them over: some at a time, some of the columns."""
    table = pa.Table.from_pylist(
        [
            {"id": entry.id, "author": entry.author, "topic": entry.topic, "text": entry.text}
            for entry in entries
        ]
    )
    yield from table.to_batches(max_chunksize=7)


def write(place: Path, found: Iterator[pa.RecordBatch]) -> Path:
    pq.write_table(pa.Table.from_batches(found), place)
    return place


def test_rows_are_those_of_the_index(
    tmp_path: Path, genres_model: Path, by_genres: Verifier
) -> None:
    entries = documents()
    short = Entry("short", "Too short.", "writer 1", "essays")
    embed = rows_of(str(genres_model))
    parquet = write(tmp_path / "rows.parquet", embed(batches([*entries, short])))
    names = [column.split()[0] for column in SCHEMA.split(", ")]
    assert pq.read_schema(parquet).names == names
    index = Index.at(tmp_path / "index", by_genres)
    assert add_rows(index, parquet) == Added(len(entries), 0, 0)
    assert rows(index) == rows(Index.build(tmp_path / "plain", entries, by_genres))
    assert index.authors == 12
    assert add_rows(index, parquet) == Added(0, len(entries), 0)


def test_rows_of_another_model_and_other_tables_are_refused(
    tmp_path: Path, genres_model: Path
) -> None:
    other = Verifier.load(save_genres_model(tmp_path / "other", bounds=(-1.0, 1.0)))
    index = Index.at(tmp_path / "index", other)
    parquet = write(tmp_path / "rows.parquet", rows_of(str(genres_model))(batches(documents())))
    with pytest.raises(InputError, match="another model"):
        add_rows(index, parquet)
    pq.write_table(pa.table({"id": ["a"]}), tmp_path / "odd.parquet")
    with pytest.raises(InputError, match="no rows for this index"):
        add_rows(index, tmp_path / "odd.parquet")
    with pytest.raises(InputError, match="no Parquet can be read"):
        add_rows(index, tmp_path / "nowhere.parquet")
    with pytest.raises(InputError, match="no id or no text"):
        list(rows_of(str(genres_model))(iter([pa.record_batch({"id": ["a"]})])))


@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java")
def test_spark_makes_them(tmp_path: Path, genres_model: Path, by_genres: Verifier) -> None:
    """Takes some seconds: it starts Spark."""
    sql = pytest.importorskip("pyspark.sql")
    entries = documents()
    spark = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = spark.getOrCreate()
    try:
        posts = session.createDataFrame(
            [(entry.id, entry.author, entry.topic, entry.text) for entry in entries],
            "id string, author string, topic string, text string",
        ).repartition(3)
        made = posts.mapInArrow(rows_of(str(genres_model)), SCHEMA)
        made.write.parquet(str(tmp_path / "rows"))
    finally:
        session.stop()
    index = Index.at(tmp_path / "index", by_genres)
    assert add_rows(index, tmp_path / "rows") == Added(len(entries), 0, 0)
    found = rows(index)
    expected = rows(Index.build(tmp_path / "plain", entries, by_genres))
    assert found == expected
