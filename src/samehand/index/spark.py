"""An index from Spark: documents become rows of vectors there, and rows are added here.

    from samehand.index.spark import SCHEMA, rows_of

    posts.select("id", "author", "text").mapInArrow(rows_of(), SCHEMA).write.parquet("rows")

Then `add_rows(index, "rows")`. Nothing here needs Spark, but whoever calls it may be Spark.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from samehand.errors import InputError, needs
from samehand.index.collection import Index
from samehand.index.present import Added
from samehand.index.table import Entry, embedded_rows, is_comparable, schema_for
from samehand.verifier import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = (
    "id string, author string, topic string, source string, tokens int, digest binary, "
    "vector array<smallint>, model_sha256 string"
)
"""The columns of the rows, as Spark names their types."""
_MODEL = "model_sha256"
_TEXTS_AT_ONCE = 512

RowsOf = Callable[[Iterator["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]


def rows_of(model: str | None = None, device: str = "cpu") -> RowsOf:
    """For `DataFrame.mapInArrow`: batches of documents to batches of rows, without their texts.

    Documents have the columns `id` and `text`, and may have `author`, `topic` and `source`; those
    with too few words to be compared are left out. `model`: its folder, as all machines see it;
    None for the packaged one.
    """

    def rows(batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        verifier = _verifier(model, device)
        for batch in batches:
            for start in range(0, len(batch), _TEXTS_AT_ONCE):
                yield _rows(verifier, batch.slice(start, _TEXTS_AT_ONCE))

    return rows


def add_rows(index: Index, rows: Path | str) -> Added:
    """Add rows that were written as Parquet, a file or a folder, to an index of the same model.

    What is there already is left out. Rows hold no texts, so an index that keeps texts takes none.
    """
    try:
        dataset = needs("scale", "pyarrow.dataset").dataset(str(rows), format="parquet")
    except OSError as error:
        raise InputError(f"{rows}: no Parquet can be read there ({error}); check it.") from None
    if index.keeps_text or set(dataset.schema.names) != {*index.schema.names, _MODEL}:
        raise InputError(
            f"{rows}: these are no rows for this index; make them by samehand.index.spark.rows_of, "
            "and the index without --keep-text."
        )
    return index.add_rows(_of_model(batch, index, rows) for batch in dataset.to_batches())


def _of_model(batch: "pa.RecordBatch", index: Index, where: Path | str) -> "pa.RecordBatch":
    """The batch in the columns of the index."""
    import pyarrow as pa

    if set(batch[_MODEL].to_pylist()) - {index.facts.model_sha256}:
        raise InputError(
            f"{where}: these rows were made with another model than the index; make them again "
            f"with {index.facts.model}."
        )
    arrays = [batch[field.name].cast(field.type) for field in index.schema]
    return pa.RecordBatch.from_arrays(arrays, schema=index.schema)


@lru_cache(maxsize=1)
def _verifier(model: str | None, device: str) -> Verifier:
    """One for each process, however many parts of the data it has."""
    return Verifier.load(model, device=device)


def _rows(verifier: Verifier, documents: "pa.RecordBatch") -> "pa.RecordBatch":
    import pyarrow as pa

    found = embedded_rows(verifier, schema_for(verifier), _entries(documents))
    columns = {name: found[name] for name in found.schema.names}
    columns["digest"] = found["digest"].cast(pa.binary())  # Spark has no types of a fixed size
    columns["vector"] = found["vector"].cast(pa.list_(pa.int16()))
    columns[_MODEL] = pa.array([verifier.facts.sha256] * len(found), pa.string())
    return pa.RecordBatch.from_pydict(columns)


def _entries(documents: "pa.RecordBatch") -> Iterator[Entry]:
    """Documents with an id and enough of a text."""
    for row in documents.to_pylist():
        if row.get("id") is None or row.get("text") is None:
            raise InputError(
                "A row has no id or no text; give mapInArrow the columns id and text, and leave "
                "out rows without them."
            )
        about = (row.get(name) or None for name in ("author", "topic", "source"))
        entry = Entry(str(row["id"]), row["text"], *about)
        if is_comparable(entry.text):
            yield entry
