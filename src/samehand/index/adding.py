"""Documents on their way into the table of an index: embedded, and written some seconds later."""

from collections import deque
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any

from samehand.engine.vectors import TextVectors
from samehand.index.place import Table
from samehand.index.present import Present
from samehand.index.table import Entry
from samehand.verifier import Verifier

_CHARACTERS_AT_ONCE, _DOCUMENTS_AT_ONCE = 1 << 20, 2_048
"""Texts that are embedded together: enough of them to find others of the same length."""
_SECONDS = 3.0
"""Seconds after a write from which the next chunk is written, with all rows that wait."""


class Adding:
    """Rows on their way into a table, and which documents it has."""

    def __init__(self, table: Table, place: str) -> None:
        """`place`: of the index, to be named."""
        self._table = table
        self.there = Present(table.to_lance().to_batches(columns=["id", "digest"]), place)
        self._waiting: list[Any] = []
        self._written = monotonic()
        self.new = 0

    @property
    def done(self) -> int:
        """Documents of which nothing is left to do, but for writing some of them."""
        return self.new + self.there.present + self.there.too_short

    def take(self, batch: Any) -> None:
        """Take embedded rows, and write all that wait when it is time."""
        self._waiting.append(batch)
        self.new += len(batch)
        if monotonic() - self._written > _SECONDS:
            self.write()

    def write(self) -> None:
        """Write all rows that wait."""
        import pyarrow as pa

        if self._waiting:
            self._table.add(pa.Table.from_batches(self._waiting))
        self._waiting, self._written = [], monotonic()


def embedded(
    verifier: Verifier, documents: Iterable[Entry]
) -> Iterator[tuple[list[Entry], TextVectors]]:
    """Chunks of documents and their vectors."""
    waiting: deque[list[Entry]] = deque()

    def texts() -> Iterator[list[str]]:
        for chunk in _chunks(documents):
            waiting.append(chunk)
            yield [entry.text for entry in chunk]

    for vectors in verifier.embed_all(texts()):
        yield waiting.popleft(), vectors


def _chunks(documents: Iterable[Entry]) -> Iterator[list[Entry]]:
    chunk: list[Entry] = []
    characters = 0
    for entry in documents:
        chunk.append(entry)
        characters += len(entry.text)
        if characters >= _CHARACTERS_AT_ONCE or len(chunk) >= _DOCUMENTS_AT_ONCE:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk
