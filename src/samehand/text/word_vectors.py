"""Initial word vectors from a fastText or GloVe text file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.io.opening import READ_ERRORS, open_bytes, read_fault
from samehand.text.layout import plain_name
from samehand.text.vocabulary import PAD, SPECIAL

Vector = NDArray[np.float32]

SMALL = 0.25
"""Words the file lacks start within ± this."""


class InitialVectors(NamedTuple):
    """One row a word of the vocabulary, and the share of words the file knew."""

    values: Vector
    found: float


def read_vectors(path: Path, words: Sequence[str], seed: int = 0) -> InitialVectors:
    """Vectors for `words` (a vocabulary's, specials first) from a text file, plain or gzip.

    A word is looked up as it is, then in lower case; a mark whatever the space around it. What is
    not found gets small random values.
    """
    wanted = {word: plain_name(word) for word in words[len(SPECIAL) :]}
    try:
        names = {form for name in wanted.values() for form in (name, name.lower())}
        vectors = dict(_rows(path, names))
    except READ_ERRORS as error:
        raise InputError(f"{path}: {read_fault(error)}") from None
    if not vectors:
        raise InputError(
            f"{path}: it has a vector for none of the {len(wanted)} words of the vocabulary; "
            "give a text file with a word and its numbers a line"
        )
    size = len(next(iter(vectors.values())))
    rng = np.random.default_rng(seed)
    values = rng.uniform(-SMALL, SMALL, (len(words), size)).astype(np.float32)
    values[PAD] = 0
    found = 0
    for row, name in enumerate(wanted.values(), len(SPECIAL)):
        vector = vectors.get(name, vectors.get(name.lower()))
        if vector is not None:
            values[row] = vector
            found += 1
    return InitialVectors(values, found / len(wanted))


def _rows(path: Path, names: set[str]) -> Iterator[tuple[str, Vector]]:
    """The words of the file that are among `names`, each with its vector."""
    size = 0
    with open_bytes(path) as lines:
        for number, line in enumerate(lines, 1):
            name, _, rest = line.rstrip().partition(b" ")
            word = name.decode("utf-8", "replace")
            if word not in names:
                continue
            numbers = rest.split()
            if number == 1 and len(numbers) == 1:  # fastText's header: how many, of what length
                continue
            if size and len(numbers) > size:  # GloVe has names of several words, such as ". . ."
                continue
            vector = _vector(numbers, size, f"{path}, line {number}")
            size = len(vector)
            yield word, vector


def _vector(numbers: list[bytes], size: int, where: str) -> Vector:
    try:
        vector = np.array(numbers, np.float32)
    except ValueError:
        vector = np.zeros(0, np.float32)
    if not len(vector) or not np.isfinite(vector).all():
        raise InputError(f"{where}: expected a word and its numbers; mend the line or remove it")
    if size and len(vector) != size:
        raise InputError(
            f"{where}: {len(vector)} numbers where the lines before have {size}; "
            "mend the line or remove it"
        )
    return vector
