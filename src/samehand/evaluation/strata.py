"""Parts of a trial set that deserve figures of their own: shared topic or not, and length."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.evaluation.answers import Truth
from samehand.io.jsonl import json_lines, locate
from samehand.io.pan_lines import parse_pair
from samehand.io.records import keep_usable

BAND_EDGES = (0, 100, 250, 500, 1000, 2500, 5000)
"""Length bands in words of the shorter text of a pair; the last one is open."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Strata:
    """Facts on trials from the pairs file, in the order of the truth.

    `topic_shared` is 1, 0, or -1 where the topics are not given; `words` is the number of words of
    the shorter text, or -1 where the trial has no pair.
    """

    topic_shared: NDArray[np.int8]
    words: NDArray[np.int64]

    @property
    def without_pair(self) -> int:
        return int(np.count_nonzero(self.words < 0))


def read_strata(path: Path, truth: Truth) -> Strata:
    """Stream a PAN pairs file; keep of each pair whether it shares its topic, and its length."""
    path = locate(path, "pairs")
    topic_shared = np.full(truth.same.size, -1, dtype=np.int8)
    words = np.full(truth.same.size, -1, dtype=np.int64)
    for pair in keep_usable(json_lines(path), parse_pair):
        index = truth.position.get(pair.id)
        if index is None:
            continue
        words[index] = min(len(text.split()) for text in pair.texts)
        if pair.topics is not None:
            topic_shared[index] = pair.topics[0] == pair.topics[1]
    if not np.any(words >= 0):
        raise InputError(f"{path}: none of its ids is in {truth.path}; are these other trials?")
    return Strata(topic_shared, words)


def subsets(same: Mask, topic_shared: NDArray[np.int8] | None = None) -> dict[str, Mask]:
    """The non-empty subsets: SA_SF, SA_DF, DA_SF, DA_DF; SA and DA where no topic is known."""
    found = {}
    for author, of_author in (("SA", same), ("DA", ~same)):
        if topic_shared is None or np.all(topic_shared < 0):
            found[author] = of_author
        else:
            found[f"{author}_SF"] = of_author & (topic_shared == 1)
            found[f"{author}_DF"] = of_author & (topic_shared == 0)
    return {name: mask for name, mask in found.items() if mask.any()}


def length_bands(words: NDArray[np.int64]) -> dict[str, Mask]:
    """The non-empty bands of length, named after their limits in words."""
    found = {}
    for low, high in zip(BAND_EDGES, (*BAND_EDGES[1:], None), strict=True):
        within = words >= low if high is None else (words >= low) & (words < high)
        found[f"{low}+" if high is None else f"{low}-{high}"] = within
    return {name: mask for name, mask in found.items() if mask.any()}
