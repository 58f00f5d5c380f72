"""Which half of the authors a trial is of: choices are made on the one, and reported on the other.

Trials name no authors. They are found by their texts in the collections that the trials were drawn
from, folders with a table of documents for each genre.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.readers import Trial, read_corpus, sources

Ints = NDArray[np.int64]

CHOSEN, REPORTED, NEITHER = 0, 1, -1
"""The half that choices are made on, the other, and trials with a side in each."""
_BEGINNING = 200
"""Characters by which a text is found again."""


def half_of(genre: str, author: str) -> int:
    """The half that an author belongs to."""
    return hashlib.blake2b(f"{genre}/{author}".encode(), digest_size=1).digest()[0] & 1


def halves(trials: Sequence[Trial], genre: str, folders: Sequence[Path]) -> Ints:
    """The half of each trial; neither, too, where an author of it is not found."""
    halves_of_texts: dict[str, int] = {}
    for path in (dict(sources(folder)).get(genre) for folder in folders):
        for document in read_corpus(path) if path else ():
            half = half_of(genre, document.author)
            halves_of_texts.setdefault(document.text[:_BEGINNING], half)
    found = np.full(len(trials), NEITHER)
    for number, trial in enumerate(trials):
        sides = {
            halves_of_texts.get(text[:_BEGINNING]) for text in (trial.questioned, *trial.known)
        }
        if len(sides) == 1 and None not in sides:
            (found[number],) = sides
    return found
