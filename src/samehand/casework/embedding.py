"""A corpus of any size to a file of vectors of style, with how many tokens they are made of."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

import numpy as np

from samehand import __version__
from samehand.corpus.document import Document
from samehand.corpus.readers import Columns, n_documents, read_corpus, sources
from samehand.engine.vectors import TextVectors
from samehand.errors import InputError, needs
from samehand.io.atomic import refuse_inputs, whole_file
from samehand.io.progress import Progress, unwatched
from samehand.verifier import Verifier

_CHARACTERS_AT_ONCE, _DOCUMENTS_AT_ONCE = 1 << 20, 2_048
"""Texts that are embedded together: enough of them to find others of the same length."""
_ROWS_AT_ONCE = 16_384
_STEP = "embedding documents"

JSON_LINES = ".jsonl"

Row = tuple[str, Document]
"""A document with its id."""


class Embedded(NamedTuple):
    """Counts of documents that were embedded, and of those that were not."""

    documents: int
    without_words: int
    """Documents without a token, which have no LEV."""


def embed(
    verifier: Verifier,
    corpus: Path,
    levs: Path,
    columns: Columns | None = None,
    format: str | None = None,
    on_bad: Callable[[str], None] | None = None,
    progress: Progress = unwatched,
) -> Embedded:
    """Embed all documents of a corpus into a file, which appears when it is complete.

    That is JSON Lines where the name ends in .jsonl, and Parquet otherwise. Its columns are `id`
    (source and number in order of reading), `author`, `topic` (null where the corpus does not say),
    the covariate `n_tokens` (those that were read), and the vector of style `lev` (null without
    tokens). What `read_corpus` refuses, it refuses; a place that cannot be written raises
    `InputError`.
    """
    if levs.suffix != JSON_LINES:
        needs("tables", "pyarrow")
    _check_place(levs, corpus)
    columns = columns or Columns()
    documents = _documents(corpus, columns, format, on_bad)
    done = empty = 0
    progress("counting documents")
    total = n_documents(corpus, columns, format)
    progress(_STEP, 0, total)
    with _writer(levs, verifier) as output:
        for rows, vectors in _embedded(verifier, documents):
            output.write(rows, vectors)
            done, empty = done + len(rows), empty + int(np.count_nonzero(vectors.tokens == 0))
            progress(_STEP, done, total)
    return Embedded(done, empty)


def _documents(
    corpus: Path, columns: Columns, format: str | None, on_bad: Callable[[str], None] | None
) -> Iterator[Row]:
    for name, source in sources(corpus, format):
        for number, document in enumerate(read_corpus(source, columns, format, on_bad), start=1):
            yield f"{name}/{number}", document


def _embedded(
    verifier: Verifier, documents: Iterable[Row]
) -> Iterator[tuple[list[Row], TextVectors]]:
    """Chunks of documents and their vectors."""
    waiting: deque[list[Row]] = deque()

    def texts() -> Iterator[list[str]]:
        for chunk in _chunks(documents):
            waiting.append(chunk)
            yield [document.text for _, document in chunk]

    for vectors in verifier.embed_all(texts()):
        yield waiting.popleft(), vectors


def _chunks(documents: Iterable[Row]) -> Iterator[list[Row]]:
    chunk: list[Row] = []
    characters = 0
    for row in documents:
        chunk.append(row)
        characters += len(row[1].text)
        if characters >= _CHARACTERS_AT_ONCE or len(chunk) >= _DOCUMENTS_AT_ONCE:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def _check_place(path: Path, corpus: Path) -> None:
    """Raise where something else stands in the place of the vectors, or no folder can be made."""
    refuse_inputs(path, [corpus])
    if path.is_file() and (path.suffix != ".parquet" or corpus.resolve() in path.resolve().parents):
        raise InputError(f"{path}: something else is in this place; choose another.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be written ({reason}); choose another place.") from None


class _Rows(Protocol):
    """Rows on their way to a file."""

    def write(self, rows: list[Row], vectors: TextVectors) -> None:
        """Take some rows more."""


@contextmanager
def _writer(path: Path, verifier: Verifier) -> Iterator[_Rows]:
    """The rows of a file, which appears when it is complete."""
    with whole_file(path) as file:
        if path.suffix == JSON_LINES:
            yield _JsonRows(file)
        else:
            with _parquet(file, verifier) as rows:
                yield rows


class _JsonRows:
    """Rows of JSON Lines."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, rows: list[Row], vectors: TextVectors) -> None:
        for (name, document), n_tokens, lev in zip(
            rows, vectors.tokens.tolist(), vectors.style.tolist(), strict=True
        ):
            row = {
                "id": name,
                "author": document.author or None,
                "topic": document.topic or None,
                "n_tokens": n_tokens,
                "lev": lev if n_tokens else None,
            }
            self._file.write(json.dumps(row).encode() + b"\n")


@contextmanager
def _parquet(file: BinaryIO, verifier: Verifier) -> Iterator["_ParquetRows"]:
    import pyarrow.parquet as pq

    schema = _schema(verifier)
    with pq.ParquetWriter(file, schema) as tables:
        rows = _ParquetRows(tables, schema)
        yield rows
        rows.flush()


def _schema(verifier: Verifier) -> Any:
    import pyarrow as pa

    facts = verifier.facts
    about = {"samehand": __version__, "model": facts.name, "model_sha256": facts.sha256}
    size = sum(verifier.embedder.sizes)
    fields = [
        pa.field("id", pa.string(), nullable=False),
        pa.field("author", pa.string()),
        pa.field("topic", pa.string()),
        pa.field("n_tokens", pa.int32(), nullable=False),
        pa.field("lev", pa.list_(pa.float32(), size)),
    ]
    return pa.schema(fields, about)


class _ParquetRows:
    """Rows of a Parquet file; they reach the disk with others."""

    def __init__(self, file: Any, schema: Any) -> None:
        self._file, self._schema = file, schema
        self._waiting: list[Any] = []

    def write(self, rows: list[Row], vectors: TextVectors) -> None:
        import pyarrow as pa

        values = pa.array(np.nan_to_num(vectors.style).ravel())
        missing = pa.array(vectors.tokens == 0)
        size = vectors.style.shape[1]
        columns: list[Any] = [
            [name for name, _ in rows],
            [_written(document.author) or None for _, document in rows],
            [_written(document.topic) or None for _, document in rows],
            vectors.tokens.astype(np.int32),
            pa.FixedSizeListArray.from_arrays(values, size, mask=missing),
        ]
        self._waiting.append(pa.table(columns, schema=self._schema))
        if sum(map(len, self._waiting)) >= _ROWS_AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write all rows that wait."""
        import pyarrow as pa

        if self._waiting:
            self._file.write_table(pa.concat_tables(self._waiting))
            self._waiting = []


def _written(name: str) -> str:
    """Without lone surrogates, which no Parquet file takes."""
    return name.encode("utf-8", "replace").decode("utf-8")
