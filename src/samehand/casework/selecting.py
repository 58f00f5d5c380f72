"""Which of the texts and pairs that a case brings are used."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from samehand.assessment import LabelledPair
from samehand.casework.case_record import PairsOfCase, TextsOfCase
from samehand.cautions.texts import LEAST_WORDS
from samehand.corpus.duplicates import content_digest
from samehand.errors import InputError
from samehand.text.words import words

MOST = 1_000
"""Texts, and pairs, that are used: more say nothing new about so few numbers."""
SHORTEST = 100
"""Words of a text by others: a shorter one hardly shows what its kind is like."""

Item = TypeVar("Item")


class Selected(NamedTuple):
    """Chosen texts and pairs, with counts."""

    texts: list[str]
    """Each by somebody else."""
    pairs: list[LabelledPair]
    of_texts: TextsOfCase
    of_pairs: PairsOfCase


def select(texts: Iterable[str], pairs: Iterable[LabelledPair]) -> Selected:
    """Choose different texts and pairs that are long enough, at random where there are too many.

    The choice is the same each time. Memory does not grow with what is not chosen, but for a digest
    of each.
    """
    if isinstance(texts, str):
        raise InputError("This is one text where a list of texts is needed; put it in a list.")
    left_pairs: Counter[str] = Counter()
    chosen_pairs, left_pairs["too_many"] = _some(_usable_pairs(pairs, left_pairs))
    in_pairs = {content_digest(text) for pair in chosen_pairs for text in _texts_of(pair)}
    left_texts: Counter[str] = Counter()
    chosen, left_texts["too_many"] = _some(_usable_texts(texts, in_pairs, left_texts))
    n_same = sum(pair.same for pair in chosen_pairs)
    median = int(np.median([len(words(text)) for text in chosen])) if chosen else 0
    return Selected(
        chosen,
        chosen_pairs,
        TextsOfCase(used=len(chosen), median_words=median, **left_texts),
        PairsOfCase(same=n_same, different=len(chosen_pairs) - n_same, **left_pairs),
    )


def _usable_pairs(pairs: Iterable[LabelledPair], left_out: Counter[str]) -> Iterator[LabelledPair]:
    met: set[object] = set()
    for pair in pairs:
        questioned, *known = (content_digest(text) for text in _texts_of(pair))
        both = (
            frozenset([questioned, *known]) if len(known) == 1 else (questioned, frozenset(known))
        )
        if not known:
            raise InputError("A labelled pair has no known text; give at least one.")
        if any(len(words(text)) < LEAST_WORDS for text in _texts_of(pair)):
            left_out["too_short"] += 1
        elif questioned in known:
            raise InputError("A labelled pair compares a text with itself; remove it.")
        elif both in met:
            left_out["repeats"] += 1
        else:
            met.add(both)
            yield pair


def _usable_texts(
    texts: Iterable[str], in_pairs: set[bytes], left_out: Counter[str]
) -> Iterator[str]:
    met: set[bytes] = set()
    for text in texts:
        digest = content_digest(text)
        if len(words(text)) < SHORTEST:
            left_out["too_short"] += 1
        elif digest in met:
            left_out["repeats"] += 1
        else:
            met.add(digest)
            if digest in in_pairs:
                left_out["in_pairs"] += 1
            else:
                yield text


def _some(items: Iterable[Item]) -> tuple[list[Item], int]:
    """A random choice of at most `MOST`, the same each time, and how many were not chosen."""
    rng = random.Random(0)
    chosen: list[Item] = []
    found = 0
    for found, item in enumerate(items, start=1):
        if len(chosen) < MOST:
            chosen.append(item)
        elif (place := rng.randrange(found)) < MOST:
            chosen[place] = item
    return chosen, found - len(chosen)


def _texts_of(pair: LabelledPair) -> list[str]:
    return [pair.questioned, *pair.known]
