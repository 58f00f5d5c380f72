"""Texts by the armful, for work that is cheaper on many at once."""

from collections.abc import Iterable, Iterator


def batches(texts: Iterable[str], characters: int) -> Iterator[list[str]]:
    """Lists of texts in order, each of them just as long as it takes to reach `characters`."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
