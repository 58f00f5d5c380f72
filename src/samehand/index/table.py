"""The table of documents in an index: its columns, and how documents become rows.

A row has no word of its text, unless that was asked for. It has the vector of style, how many
tokens that is made of, and a digest by which the text is known again. Vectors are straightened, so
that the distance of two is that of scoring, and kept as whole numbers of 16 bits: log10 likelihood
ratios of the packaged model by them agree with those of the texts to 0.0001.
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.assessment import case_digest
from samehand.cautions.texts import LEAST_WORDS
from samehand.engine.vectors import TextVectors
from samehand.errors import InputError, needs
from samehand.scoring.case_data import DIGEST
from samehand.scoring.distance import farthest, restored, straightened
from samehand.text.words import words
from samehand.verifier import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
"""Raised when rows change in a way that older code would misread."""
_FACTS = b"samehand"
_ENOUGH = 1_000
"""Characters that mostly show whether there are words enough."""


class Entry(NamedTuple):
    """A document on its way into an index."""

    id: str
    """By which it is added, found and deleted; no two documents of an index share it."""
    text: str
    author: str | None = None
    """Whoever has none is found by nobody."""
    topic: str | None = None
    source: str | None = None
    """The corpus it came from."""


class TableFacts(NamedTuple):
    """The facts of a table, in the metadata of its schema."""

    format: int
    model: str
    """The name of the model whose vectors it holds."""
    model_sha256: str
    sizes: tuple[int, ...]
    """The size of each network's vectors."""

    @classmethod
    def of(cls, schema: "pa.Schema", place: str) -> "TableFacts":
        """The facts of an index at a place; a table that is none raises `InputError`."""
        try:
            found = cls(**json.loads((schema.metadata or {})[_FACTS]))
            known = found.format == FORMAT
        except (KeyError, TypeError, ValueError):
            known = False
        if not known:
            raise InputError(
                f"{place}: this is no index that this version of samehand can read; make it again "
                "(samehand index)."
            )
        return found._replace(sizes=tuple(found.sizes))

    def check_model(self, verifier: Verifier, place: str) -> None:
        """Raise unless this is the model that the index was made with."""
        if verifier.facts.sha256 != self.model_sha256:
            raise InputError(
                f"{place}: this index was made with another model ({self.model}, "
                f"{self.model_sha256[:12]}…); name that one (--model), or make an index with "
                f"{verifier.facts.name}."
            )


def schema_for(verifier: Verifier, *, keep_text: bool = False) -> "pa.Schema":
    """The columns of a table of this model's vectors, which no other model may read or add to."""
    pa = needs("scale", "pyarrow")
    if verifier.description.evidence != "genres":
        raise InputError(
            "A model that judges by the paper's own Bayes factor has no vectors that can be "
            "searched; use one with evidence by genres (samehand fit)."
        )
    facts = verifier.facts
    sizes = verifier.embedder.sizes
    about = TableFacts(FORMAT, facts.name, facts.sha256, sizes)
    columns = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("author", pa.string()),
        pa.field("topic", pa.string()),
        pa.field("source", pa.string()),
        pa.field("tokens", pa.int32(), nullable=False),
        pa.field("digest", pa.binary(DIGEST), nullable=False),
        pa.field("vector", pa.list_(pa.int16(), sum(sizes)), nullable=False),
    ]
    if keep_text:
        columns.append(pa.field("text", pa.string(), nullable=False))
    return pa.schema(columns, {_FACTS: json.dumps(about._asdict())})


def is_comparable(text: str) -> bool:
    """Whether a text has the words that a comparison needs; what has fewer is not indexed."""
    return (
        len(words(text[:_ENOUGH])) > LEAST_WORDS  # the last of them may be cut
        or len(words(text)) >= LEAST_WORDS
    )


def rows(schema: "pa.Schema", entries: Sequence[Entry], vectors: TextVectors) -> "pa.RecordBatch":
    """Rows of comparable documents, in the columns of `schema_for`."""
    import pyarrow as pa

    steps = np.rint(straightened(vectors) / _step(vectors.sizes)).astype(np.int16)
    columns: dict[str, Any] = {
        "id": [_written(entry.id) for entry in entries],
        "author": [_written(entry.author) for entry in entries],
        "topic": [_written(entry.topic) for entry in entries],
        "source": [_written(entry.source) for entry in entries],
        "tokens": vectors.tokens.astype(np.int32),
        "digest": [case_digest(entry.text) for entry in entries],
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(steps.ravel()), steps.shape[1]),
        "text": [_written(entry.text) for entry in entries] if "text" in schema.names else None,
    }
    arrays = [pa.array(columns[field.name], type=field.type) for field in schema]
    return pa.record_batch(arrays, schema=schema)


def embedded_rows(
    verifier: Verifier, schema: "pa.Schema", entries: Iterable[Entry]
) -> "pa.RecordBatch":
    """Rows of those documents that are comparable; for jobs that embed a batch at a time."""
    kept = [entry for entry in entries if is_comparable(entry.text)]
    return rows(schema, kept, verifier.vectors([entry.text for entry in kept]))


def straight_vectors(column: Any, sizes: tuple[int, ...]) -> NDArray[np.float64]:
    """The straightened vectors (rows, size) in a column of the table."""
    straight: NDArray[np.float64] = numbers_in(column).reshape(-1, sum(sizes)) * _step(sizes)
    return straight


def vectors_of(rows: "pa.Table | pa.RecordBatch", sizes: tuple[int, ...]) -> TextVectors:
    """The vectors in some rows, as scoring takes them."""
    straight = straight_vectors(rows["vector"], sizes)
    return restored(straight, rows["tokens"].to_numpy().astype(np.int64), sizes)


def _step(sizes: tuple[int, ...]) -> float:
    """By which numbers of straightened vectors are told apart."""
    return farthest(sizes) / np.iinfo(np.int16).max


def numbers_in(column: Any) -> Any:
    """The numbers (rows × size,) of a column of vectors."""
    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    return column.flatten().to_numpy(zero_copy_only=False)


def _written(name: str | None) -> str | None:
    """Without lone surrogates, which no table takes; none where it is empty."""
    return name.encode("utf-8", "replace").decode("utf-8") if name else None
