"""The token types met so far, and what each network of a model knows of them."""

import gc
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from samehand.network.documents import Types
from samehand.network.weights import Member
from samehand.text.ngrams import MEASURES
from samehand.text.tokenise import Tokeniser, Tokens
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, PAD, SPECIAL, UNK

_MOST_TYPES = 150_000
"""Types remembered; past that it starts afresh, which costs little and bounds the memory."""
_CHARACTERS_A_TOKEN = 12
"""Of a long text this much is tokenised at first: twice what prose has."""


class TextsRead(NamedTuple):
    """Texts as tokens."""

    documents: list[Tokens]
    types: list[Types]
    """What each network knows of the types; these are numbered behind the special ones."""
    told: torch.Tensor | None
    """(texts, measures) of their wording, for networks that ask for it"""
    ends: list[int]
    """How many characters of each text are read: all of most texts."""

    def lengths(self) -> list[int]:
        """Tokens of each text that are read."""
        return [len(document.types) for document in self.documents]

    def at(self, chosen: list[int]) -> "TextsRead":
        """Some of the texts, in that order."""
        return TextsRead(
            [self.documents[i] for i in chosen],
            self.types,
            None if self.told is None else self.told[chosen],
            [self.ends[i] for i in chosen],
        )

    def tokens(self, chosen: Sequence[int]) -> NDArray[np.int64]:
        """The types of some texts one after another, as networks number them."""
        types = np.concatenate([self.documents[i].types for i in chosen])
        return types.astype(np.int64) + len(SPECIAL)


class Lexicon:
    """Reads texts, up to `most_tokens` of each. Threads may share it."""

    def __init__(self, members: Sequence[Member], most_tokens: int) -> None:
        self._members = members
        self._wording = next((member.wording for member in members), None)
        self._most_tokens = most_tokens
        self._lock = Lock()
        self._forget()

    def read(self, texts: Sequence[str]) -> TextsRead:
        """The tokens of each text that are read, and for each network the types they number."""
        with self._lock:
            if len(self._tokeniser.types) > _MOST_TYPES:
                self._forget()
                gc.collect()  # the tokeniser is part of a cycle, and large
            documents = [self._tokens(text) for text in texts]
            types = self._types()
            ends = [
                len(text) if len(tokens.ends) < self._most_tokens else int(tokens.ends[-1])
                for text, tokens in zip(texts, documents, strict=True)
            ]
            return TextsRead(documents, types, self._told(documents), ends)

    def _tokens(self, text: str) -> Tokens:
        """Tokenises no more of a long text than its beginning, up to some white space."""
        most, size = self._most_tokens, self._most_tokens * _CHARACTERS_A_TOKEN
        while True:
            end = len(text)
            if size < end:
                end = max(text.rfind(blank, 0, size) for blank in " \n") + 1
            tokens = self._tokeniser(text[:end])
            if end == len(text) or len(tokens.types) >= most:
                return Tokens(*(field[:most] for field in tokens))
            size *= 4

    def _told(self, documents: Sequence[Tokens]) -> torch.Tensor | None:
        if self._wording is None:
            return None
        read = [self._wording.covariates(self._symbols[document.types]) for document in documents]
        return torch.tensor(np.array(read), dtype=torch.float32).view(-1, MEASURES)

    def _forget(self) -> None:
        self._tokeniser = Tokeniser()
        self._symbols = np.zeros(0, np.int64)
        words = torch.tensor([PAD, UNK], dtype=torch.int32)
        characters = torch.zeros(len(SPECIAL), CHARACTERS_PER_TOKEN, dtype=torch.int16)
        self._met = [Types(words, characters) for _ in self._members]

    def _types(self) -> list[Types]:
        """What each network knows of each type met so far."""
        new = self._tokeniser.types[len(self._met[0].words) - len(SPECIAL) :]
        if new:
            if self._wording is not None:
                self._symbols = np.concatenate([self._symbols, self._wording.classes(new)])
            for place, (network, vocabulary, _) in enumerate(self._members):
                words, spelt = vocabulary.word_ids(new), vocabulary.character_ids(new)
                shown = vocabulary.mask(words, spelt, network.config.masking)
                met = self._met[place]
                self._met[place] = Types(
                    torch.cat([met.words, torch.from_numpy(words)]),
                    torch.cat([met.characters, torch.from_numpy(shown)]),
                )
        return list(self._met)
