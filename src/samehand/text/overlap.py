"""Passages that two texts have in common, word for word: quotation, boilerplate or copying."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

RUN = 5
"""Words in a row from which on a run counts.

So few that a copy shows with every eighth word changed; so many that nine in ten pairs of texts
have less than a hundredth of their words in such runs.
"""

_REPEAT = 20  # words in a row that are a passage, where they come again
_PATTERNS = (
    (0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4),
    (0, 1, 3, 5), (0, 2, 3, 5), (0, 1, 4, 5), (0, 2, 4, 5),
)  # fmt: skip


class Shared(NamedTuple):
    """The overlap of one text with another."""

    longest: int
    """Words in the longest run; 0 where there is none of at least `RUN` words."""
    share: float
    """Share of the text's words that lie in such runs."""


def shared(text: Sequence[str], other: Sequence[str]) -> Shared:
    """The runs of words of `text` that are also in `other`."""
    runs = _runs(other)
    # True where a run begins that the other text has too; such places in a row are one longer run.
    begins = np.fromiter(map(runs.__contains__, _in_order(text)), np.bool_)
    if not begins.any():
        return Shared(0, 0.0)
    edges = np.flatnonzero(np.diff(begins, prepend=False, append=False))
    longest = int((edges[1::2] - edges[::2]).max()) + RUN - 1
    covered = np.zeros(len(text), np.bool_)
    for place in range(RUN):
        covered[place : place + len(begins)] |= begins
    return Shared(longest, float(covered.mean()))


def distinct_share(text: Sequence[str]) -> float:
    """Share of the runs of three words that are new in their text: near 1 in any prose."""
    runs = list(zip(text, text[1:], text[2:], strict=False))
    return len(set(runs)) / len(runs) if runs else 1.0


def patterned_share(text: Sequence[str]) -> float:
    """Share of the words that lie in a pattern which the text uses again: `for every _ and our _`.

    A pattern is four words out of up to six in a row; the words between may differ. Passages that
    come again word for word, such as signatures, are no patterns.
    """
    number: dict[str, int] = {}
    numbers = np.fromiter((number.setdefault(word, len(number)) for word in text), np.int64)
    rest = _without_repeats(numbers)
    covered = np.zeros(len(rest), np.bool_)
    for pattern in _PATTERNS:
        n = len(rest) - pattern[-1]
        if n < 2:
            continue
        runs = np.zeros(n, np.uint64)  # a number for each, or beyond 65,535 words a hash
        for at in pattern:
            runs = runs * np.uint64(len(number)) + rest[at : at + n].astype(np.uint64)
        again = np.flatnonzero(_come_again(runs))
        for at in pattern:
            covered[again + at] = True
    return float(covered.sum()) / max(1, len(text))


def _without_repeats(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Words by number, less every passage that comes again."""
    n = len(numbers) - _REPEAT + 1
    if n < 2:
        return numbers
    runs = np.zeros(n, np.uint64)  # a hash of each: overflow does no harm
    for at in range(_REPEAT):
        runs = runs * np.uint64(1_000_003) + numbers[at : at + n].astype(np.uint64)
    inside = np.convolve(_come_again(runs), np.ones(_REPEAT)) > 0
    return numbers[~inside]


def _come_again(runs: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of the numbers are there more than once."""
    order = np.argsort(runs)
    alike = np.diff(runs[order]) == 0
    again = np.zeros(len(runs), np.bool_)
    again[order[1:]] = alike
    again[order[:-1]] |= alike
    return again


def _in_order(text: Sequence[str]) -> "zip[tuple[str, ...]]":
    return zip(*(text[start:] for start in range(RUN)), strict=False)


def _runs(text: Sequence[str]) -> set[tuple[str, ...]]:
    return set(_in_order(text))
