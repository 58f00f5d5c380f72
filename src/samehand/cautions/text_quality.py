"""Signs that nobody wrote a text as it stands: no running English, or an order that no one chose.

Prose that a language model wrote shows none of them.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from samehand.cautions.caution import Caution
from samehand.text.homoglyphs import disguises
from samehand.text.language import ENGLISH, UNKNOWN, foreign_share
from samehand.text.overlap import distinct_share, patterned_share
from samehand.text.symbols import symbol_share
from samehand.text.word_order import word_order

LEAST_DISTINCT = 0.4
"""A text where fewer of the runs of three words are new repeats itself too much."""
MOST_FOREIGN = 0.3
"""Share of a text that may be in another language, or in words nobody knows, without a word."""
FEW_DISGUISES, MOST_DISGUISED = 3, 0.02
"""Places inside words that are said, and the share of words that makes a text no evidence."""
MOST_NUMBERS, MOST_SYMBOLS = 0.33, 0.06
"""Share of the words that are numbers, and of the characters that are no letters and no
punctuation, that one in 500 natural texts exceeds."""
LEAST_ORDERED = 40
"""Words below which their order tells nothing."""


class Limit(NamedTuple):
    """A threshold that falls with the length of a text, for longer texts vary less."""

    far: float
    """Its limit as texts grow longer."""
    near: float
    """A term divided by the root of the token count."""

    def at(self, n_tokens: int) -> float:
        return self.far + self.near / math.sqrt(n_tokens)


ODD_ORDER, NO_ORDER = Limit(-0.23, 5.7), Limit(-0.2, 7.0)
"""Evidence against the order of the words that is said, and that makes a text no evidence.

Of training text, 0.2 % and less than 0.1 % exceed them (recipes/order/thresholds.py).
"""


def most_patterned(n_words: int) -> float:
    """Share of a text in patterns it repeats that one in 200 natural texts exceeds."""
    return 0.44 + 0.0955 * math.log(min(max(n_words, 100), 1_000) / 100)


def unnatural(name: str, content: str, words: Sequence[str], language: str) -> Iterator[Caution]:
    """Cautions about a text, given its words in lower case; `name` begins a sentence."""
    disguised = disguises(content)
    if disguised >= FEW_DISGUISES:
        yield Caution(
            f"{name} mixes alphabets or hides invisible characters in {disguised:,} places inside "
            f"words: it was disguised or badly converted; clean it first.",
            disguised > MOST_DISGUISED * len(words),
        )
    yield from _of_language(name, words, language)
    yield from _of_repetition(name, words)
    yield from _of_symbols(name, content, words)
    if language == ENGLISH and len(words) >= LEAST_ORDERED:
        yield from _of_order(name, content)


def _of_language(name: str, words: Sequence[str], language: str) -> Iterator[Caution]:
    if language == UNKNOWN:
        yield Caution(f"{name} does not read like English, and the model knows no other.", True)
    elif language != ENGLISH:
        yield Caution(
            f"{name} is not English (it looks like {language}), and the model knows "
            f"no other language.",
            True,
        )
    elif (share := foreign_share(words, word_order().common)) >= MOST_FOREIGN:
        yield Caution(
            f"{name} is only partly English: about {share:.0%} of it holds few common English "
            f"words (another language, names, program output?); better take that out."
        )


def _of_repetition(name: str, words: Sequence[str]) -> Iterator[Caution]:
    if distinct_share(words) < LEAST_DISTINCT:
        yield Caution(f"{name} repeats the same words over and over: it shows no style.", True)
    elif (share := patterned_share(words)) > most_patterned(len(words)):
        yield Caution(
            f"{name} says much by the same few patterns ({share:.0%} of its words), as forms, logs "
            f"and texts from templates do: they may not be the author's own."
        )


def _of_symbols(name: str, content: str, words: Sequence[str]) -> Iterator[Caution]:
    numbers = sum(word[0].isdigit() for word in words) / max(1, len(words))
    if max(numbers / MOST_NUMBERS, symbol_share(content) / MOST_SYMBOLS) > 1:
        yield Caution(
            f"{name} is full of numbers or symbols, as tables, logs and programs are: take out "
            f"what is not running text."
        )


def _of_order(name: str, content: str) -> Iterator[Caution]:
    evidence, n_tokens = word_order().score(content)
    if evidence > NO_ORDER.at(n_tokens):
        yield Caution(
            f"{name} does not read like sentences: its words stand as if they were scrambled or "
            f"put together by a program, which is no evidence of style.",
            True,
        )
    elif evidence > ODD_ORDER.at(n_tokens):
        yield Caution(
            f"{name} hardly reads like running text: in many places its words do not follow from "
            f"each other, as in lists, or in text that a program put together."
        )
