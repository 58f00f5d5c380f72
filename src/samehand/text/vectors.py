"""Initial word vectors from a fastText or GloVe text file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.files import open_bytes
from samehand.text.vocabulary import PAD, SPECIAL

SMALL = 0.05
"""Words the file lacks start within ± this."""


class InitialVectors(NamedTuple):
    """One row a word of the vocabulary, and the share of words the file knew."""

    values: NDArray[np.float32]
    found: float


def read_vectors(path: Path, words: Sequence[str], seed: int = 0) -> InitialVectors:
    """Vectors for `words` (a vocabulary's, specials first) from a text file, plain or gzip.

    A word is looked up as it is, then in lower case; what is not found gets small random values.
    """
    wanted = {word: word.lower() for word in words[len(SPECIAL) :]}
    names = {*wanted, *wanted.values()}
    vectors = dict(_rows(path, names))
    if not vectors:
        raise InputError(f"{path}: holds a vector for none of the {len(wanted)} words of the vocabulary.")
    size = len(next(iter(vectors.values())))
    values = np.random.default_rng(seed).uniform(-SMALL, SMALL, (len(words), size)).astype(np.float32)
    values[PAD] = 0
    found = 0
    for row, (word, lower) in enumerate(wanted.items(), len(SPECIAL)):
        vector = vectors.get(word, vectors.get(lower))
        if vector is not None:
            values[row] = vector
            found += 1
    return InitialVectors(values, found / len(wanted))


def _rows(path: Path, names: set[str]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    size = None
    with open_bytes(path) as lines:
        for number, raw in enumerate(lines, 1):
            name, _, numbers = raw.rstrip().partition(b" ")
            word = name.decode("utf-8", "replace")
            if word not in names or (number == 1 and b" " not in numbers):  # fastText's header: how many, how long
                continue
            try:
                vector = np.array(numbers.split(), np.float32)
            except ValueError:
                raise InputError(f"{path}, line {number}: expected a word and its numbers.") from None
            size = size or len(vector)
            if len(vector) != size:
                raise InputError(
                    f"{path}, line {number}: {len(vector)} numbers where the lines before have {size}."
                )
            yield word, vector
