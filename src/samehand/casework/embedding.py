"""A corpus of any size to a Parquet file of LEVs."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from samehand import __version__
from samehand.corpus.document import Document
from samehand.corpus.readers import Columns, read_corpus, sources
from samehand.errors import InputError
from samehand.io.atomic import refuse_inputs
from samehand.verifier import Floats, Verifier

_CHARACTERS_AT_ONCE, _DOCUMENTS_AT_ONCE = 1 << 20, 2_048
"""Texts that are embedded together: enough of them to find others of the same length."""
_ROWS_AT_ONCE = 16_384

Row = tuple[str, Document]
"""A document with its id."""


class Embedded(NamedTuple):
    """What was done."""

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
    progress: Callable[[int], None] = lambda done: None,
) -> Embedded:
    """Embed all documents of a corpus into a Parquet file, which appears when it is complete.

    Its columns are `id` (source and number in order of reading), `author`, `topic` (null where the
    corpus does not say), `n_tokens` (those that were read) and `lev` (null without tokens). What
    `read_corpus` refuses, it refuses; a place that cannot be written raises `InputError`.
    """
    documents = _documents(corpus, columns or Columns(), format, on_bad)
    done = empty = 0
    with _Output(levs, corpus, verifier) as output:
        for rows, lengths, vectors in _embedded(verifier, documents):
            output.write(rows, lengths, vectors)
            done, empty = done + len(rows), empty + lengths.count(0)
            progress(done)
    return Embedded(done, empty)


def _documents(
    corpus: Path, columns: Columns, format: str | None, on_bad: Callable[[str], None] | None
) -> Iterator[Row]:
    for name, source in sources(corpus, format):
        for number, document in enumerate(read_corpus(source, columns, format, on_bad), start=1):
            yield f"{name}/{number}", document


def _embedded(
    verifier: Verifier, documents: Iterable[Row]
) -> Iterator[tuple[list[Row], list[int], Floats]]:
    """Chunks of documents, the tokens read of each, and their LEVs."""
    waiting: deque[list[Row]] = deque()

    def texts() -> Iterator[list[str]]:
        for chunk in _chunks(documents):
            waiting.append(chunk)
            yield [document.text for _, document in chunk]

    for lengths, vectors in verifier.embed_all(texts()):
        yield waiting.popleft(), lengths, vectors


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


class _Output:
    """A Parquet file beside its final place, and moved there at the end."""

    def __init__(self, path: Path, corpus: Path, verifier: Verifier) -> None:
        if path.is_dir():
            raise InputError(f"{path}: a folder is in this place; choose another")
        refuse_inputs(path, [corpus])
        if path.exists() and (
            path.suffix != ".parquet" or corpus.resolve() in path.resolve().parents
        ):
            raise InputError(f"{path}: something else is in this place; choose another")
        self._path = path
        self._unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
        self._waiting: list[pa.Table] = []
        description = {"samehand": __version__, "model": verifier.description.get("name", "")}
        description["model_sha256"] = verifier.description.get("sha256", "")
        self._schema = pa.schema(
            [
                pa.field("id", pa.string(), nullable=False),
                pa.field("author", pa.string()),
                pa.field("topic", pa.string()),
                pa.field("n_tokens", pa.int32(), nullable=False),
                pa.field("lev", pa.list_(pa.float32(), verifier.lev_width)),
            ],
            {name: str(value) for name, value in description.items()},
        )

    def __enter__(self) -> "_Output":
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = pq.ParquetWriter(self._unfinished, self._schema)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(
                f"{self._path}: cannot be written ({reason}); choose another place"
            ) from None
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._flush()
            self._writer.close()
            if kind is None:
                self._unfinished.replace(self._path)
        finally:
            self._unfinished.unlink(missing_ok=True)

    def write(self, rows: list[Row], lengths: list[int], levs: Floats) -> None:
        """Some rows more; they reach the disk with others."""
        size = levs.shape[1]
        there = np.array(lengths) > 0
        values = pa.array(np.nan_to_num(levs, copy=False).ravel())
        columns: list[Any] = [
            [name for name, _ in rows],
            [_written(document.author) or None for _, document in rows],
            [_written(document.topic) or None for _, document in rows],
            lengths,
            pa.FixedSizeListArray.from_arrays(values, size, mask=pa.array(~there)),
        ]
        self._waiting.append(pa.table(columns, schema=self._schema))
        if sum(map(len, self._waiting)) >= _ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting))
            self._waiting = []


def _written(name: str) -> str:
    """Without lone surrogates, which no file takes."""
    return name.encode("utf-8", "replace").decode("utf-8")
