"""Texts as tokens, and what each network of a model knows of the types of tokens met so far."""

import gc
import os
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import Longs
from samehand.model.folder import StoredNetwork
from samehand.text.tokenise import Tokeniser, Tokens
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, UNK

_MOST_TYPES = 150_000
"""Types remembered; past that it starts afresh, which costs little and bounds the memory."""
_CHARACTERS_A_TOKEN = 12
"""Of a long text this much is tokenised at first: twice what prose has."""


class Types(NamedTuple):
    """A network's numbers for types."""

    words: Longs
    """(types,) the numbers of their words"""
    characters: NDArray[np.int16]
    """(types, 15) the numbers of their characters, as far as they are not masked"""

    def at(self, places: Longs | slice) -> "Types":
        """Some of the types, in that order."""
        return Types(self.words[places], self.characters[places])

    def followed(self, by: "Types") -> "Types":
        """These types, and others behind them."""
        return Types(
            np.concatenate([self.words, by.words]), np.concatenate([self.characters, by.characters])
        )


class TextsRead(NamedTuple):
    """Texts as tokens, up to where a model reads them."""

    documents: list[Tokens]
    """The tokens of each text; their types are numbered as in `types`."""
    types: list[Types]
    """The types as each network knows them."""
    ends: list[int]
    """How many characters of each text are read: all of most texts."""
    names: Sequence[str] = ()
    """The types themselves, by number; none where texts were stored without them."""

    def lengths(self) -> list[int]:
        """Tokens of each text that are read."""
        return [len(document.types) for document in self.documents]

    def at(self, chosen: Sequence[int]) -> "TextsRead":
        """Some of the texts, in that order."""
        return TextsRead(
            [self.documents[i] for i in chosen],
            self.types,
            [self.ends[i] for i in chosen],
            self.names,
        )


class Lexicon:
    """Reads texts, up to `most_tokens` of each. Threads may share it, and so may forked processes.

    A process that was forked begins anew: another thread may have been at work at that time.
    """

    def __init__(self, networks: Sequence[StoredNetwork], most_tokens: int) -> None:
        self._networks, self._most_tokens = networks, most_tokens
        self._met: dict[int, _Met] = {}

    def read(self, texts: Sequence[str]) -> TextsRead:
        """The tokens of each text that are read, and what networks know of their types."""
        process = os.getpid()
        met = self._met.get(process)
        if met is None:
            met = self._met.setdefault(process, _Met(self._networks))
        return met.read(texts, self._most_tokens)

    def rare(self, spellings: Sequence[str]) -> list[Types]:
        """For each network, the types of words beyond its vocabulary that show these letters."""
        unknown = np.full(len(spellings), UNK, np.int64)
        vocabularies = (network.vocabulary for network in self._networks)
        return [Types(unknown, known.character_ids(spellings)) for known in vocabularies]


class _Met:
    """The types that a process has met so far."""

    def __init__(self, networks: Sequence[StoredNetwork]) -> None:
        self._networks = networks
        self._lock = Lock()
        self._forget()

    def read(self, texts: Sequence[str], most_tokens: int) -> TextsRead:
        with self._lock:
            if len(self._tokeniser.types) > _MOST_TYPES:
                self._forget()
                gc.collect()  # the tokeniser is part of a cycle, and large
            documents = [_first_tokens(self._tokeniser, text, most_tokens) for text in texts]
            self._meet_new_types()
            types, names = list(self._types), self._tokeniser.types
        ends = [
            len(text) if len(tokens.ends) < most_tokens else int(tokens.ends[-1])
            for text, tokens in zip(texts, documents, strict=True)
        ]
        return TextsRead(documents, types, ends, names)

    def _forget(self) -> None:
        self._tokeniser = Tokeniser()
        spellings = np.zeros((0, CHARACTERS_PER_TOKEN), np.int16)
        self._types = [Types(np.zeros(0, np.int64), spellings) for _ in self._networks]

    def _meet_new_types(self) -> None:
        new = self._tokeniser.types[len(self._types[0].words) :]
        if not new:
            return
        for place, network in enumerate(self._networks):
            known = network.vocabulary
            words, spelt = known.word_ids(new), known.character_ids(new)
            shown = known.mask(words, spelt, network.config.masking)
            found = Types(words.astype(np.int64), shown)
            self._types[place] = self._types[place].followed(found)


def _first_tokens(tokeniser: Tokeniser, text: str, most: int) -> Tokens:
    """The first tokens of a text.

    No more of a long text is tokenised than its beginning, up to some white space.
    """
    size = most * _CHARACTERS_A_TOKEN
    while True:
        end = len(text)
        if size < end:
            end = max(text.rfind(blank, 0, size) for blank in " \n") + 1
        tokens = tokeniser(text[:end])
        if end == len(text) or len(tokens.types) >= most:
            return Tokens(*(field[:most] for field in tokens))
        size *= 4
