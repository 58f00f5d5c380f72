"""Do the words of a text stand in an order that somebody wrote?

A small convolution over words and marks, learnt by recipes/order from English of twelve genres and
from texts made of their words: scrambled, or chained so that only two or three words in a row fit.
It reads the 6,000 commonest words, the endings of others, and whether a word came up shortly
before, for people stay with a subject. Capitals it does not read: they tell of when and where
people wrote.
"""

import re
from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import regex
from numpy.typing import NDArray

from samehand.text.words import has_plain_letters

DATA = Path(__file__).with_name("word_order.npz")
MOST_TOKENS = 2_000
"""Tokens that are looked at, from the start."""
_ENOUGH = 16 * MOST_TOKENS
"""Characters in which most texts have as many."""
N_ENDINGS = 250
"""Words that are not common go by their last three letters, in so many groups."""
DILATIONS = (1, 3, 8)
"""Of each layer: five, five and three tokens, that many apart."""
NEAR, FAR = 60, 300
"""Tokens back within which a word counts as said shortly before."""

_TOKENS_AT_ONCE = 16
"""In a matrix product. Beyond 2¹⁸ multiplications, four times as many, BLAS calls on threads of its
own, which keep their cores busy for a while after it: the networks, next in line, took twice as
long."""

Floats = NDArray[np.float32]

_TOKEN = regex.compile(
    r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*|[.!?,;:()\"“”]|--|[–—]"
)
_TOKEN_OF_PLAIN_LETTERS = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*|[.!?,;:()\"“”]|--|[–—]")
_PLAIN = {"“": '"', "”": '"', "–": "--", "—": "--", "!": "."}
MARKS = (".", "?", ",", ";", ":", "(", ")", '"', "--")


class Tokens(NamedTuple):
    """Words and marks of a text."""

    plain: list[str]
    """In lower case; every number is 0, `don’t` is `don't`."""
    flags: Floats
    """(tokens, 2): came up within `NEAR`, within `FAR` tokens before."""


def read(text: str) -> Tokens:
    """The first `MOST_TOKENS` words and marks of a text."""
    lowered = _lowered(text[:_ENOUGH])  # as many, and one more that may be cut
    if len(lowered) <= MOST_TOKENS and len(text) > _ENOUGH:
        lowered = _lowered(text)
    plain = [_PLAIN.get(one, one) for one in lowered[:MOST_TOKENS]]
    last: dict[str, int] = {}
    since = []
    for place, token in enumerate(plain):
        since.append(place - last.get(token, -FAR - 1))
        last[token] = place
    flags = np.array(since, np.int64)[:, None] <= np.array([NEAR, FAR])
    plain = ["0" if token[0].isdigit() else token for token in plain]
    return Tokens(plain, flags.astype(np.float32))


def _lowered(text: str) -> list[str]:
    """Words and marks of a text, with straight apostrophes."""
    if has_plain_letters(text):
        return _TOKEN_OF_PLAIN_LETTERS.findall(text.lower().replace("’", "'"))
    return [one.lower().replace("’", "'") for one in _TOKEN.findall(text)]


def numbers(tokens: list[str], number: dict[str, int]) -> NDArray[np.int64]:
    """The number of each common word, or else of its ending; 0 stands for no word."""
    first_ending = len(number) + 1
    return np.array(
        [
            number.get(token) or first_ending + crc32(token[-3:].encode()) % N_ENDINGS
            for token in tokens
        ],
        np.int64,
    )


class WordOrder:
    """The learnt tables, and what they say of a text."""

    def __init__(self, path: Path = DATA) -> None:
        with np.load(path) as arrays:
            tables = {name: arrays[name] for name in arrays.files}
        listed = tables["listed"].tobytes().decode().split("\n")
        self._number = {word: place for place, word in enumerate(listed, 1)}
        self._words = _plain(tables, "words.weight")
        self._layers = [
            (
                np.ascontiguousarray(_plain(tables, f"layers.{layer}.weight").transpose(2, 1, 0)),
                tables[f"layers.{layer}.bias"],
                dilation,
            )
            for layer, dilation in enumerate(DILATIONS)
        ]
        self._out, self._bias = tables["out.weight"][0], float(tables["out.bias"][0])

    @property
    def common(self) -> Container[str]:
        """The common words of English, in lower case."""
        return self._number

    def score(self, text: str) -> tuple[float, int]:
        """Mean evidence against the order of the words, below 0 in most prose; number of tokens."""
        tokens = read(text)
        if not tokens.plain:
            return 0.0, 0
        x = np.concatenate([self._words[numbers(tokens.plain, self._number)], tokens.flags], 1)
        seen = []
        for weight, bias, dilation in self._layers:
            x = np.maximum(_convolved(x, weight, dilation) + bias, 0)
            seen.append(x)
        evidence = np.concatenate([layer.mean(0) for layer in seen]) @ self._out
        return float(evidence) + self._bias, len(x)


@cache
def word_order() -> WordOrder:
    """The package's own `WordOrder`, read when first asked for."""
    return WordOrder()


def _plain(tables: dict[str, NDArray[np.float32]], name: str) -> Floats:
    return tables[name].astype(np.float32) * tables[f"{name}.scale"]


def _convolved(x: Floats, weight: Floats, dilation: int) -> Floats:
    """(tokens, in) by (width, in, out) to (tokens, out), with nothing beyond either end."""
    width, n_in, n_out = weight.shape
    blocks = -(-len(x) // _TOKENS_AT_ONCE)
    rows, edge = blocks * _TOKENS_AT_ONCE, dilation * (width // 2)
    padded = np.zeros((rows + 2 * edge, n_in), np.float32)
    padded[edge : edge + len(x)] = x
    total = np.zeros((blocks, _TOKENS_AT_ONCE, n_out), np.float32)
    for place, matrix in enumerate(weight):
        start = place * dilation
        total += padded[start : start + rows].reshape(blocks, _TOKENS_AT_ONCE, n_in) @ matrix
    return total.reshape(rows, n_out)[: len(x)]
