"""The words and characters the network knows, and the masking of those it does not (the paper's topic masking)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

PAD, UNK = 0, 1
SPECIAL = ("<PAD>", "<UNK>")
CHARACTERS_PER_TOKEN = 15
"""T_c: the character encoder reads this many characters of a token."""

Masking = Literal["rare", "shape", "full"]
"""What the network sees of a word outside the vocabulary, beyond `<UNK>`: its characters (`rare`, the paper's
choice), only their kind (`shape`: Xxx-00), or nothing (`full`)."""
MASKINGS = get_args(Masking)


@dataclass(frozen=True)
class Vocabulary:
    """Words and characters by number; the first two of each are `<PAD>` and `<UNK>`."""

    words: tuple[str, ...]
    characters: tuple[str, ...]

    @classmethod
    def count(
        cls, types: Sequence[str], counts: NDArray[np.int64], n_words: int = 5_000, n_characters: int = 300
    ) -> "Vocabulary":
        """The most frequent words and characters of a corpus given its types and how often each occurs.

        Ties go to the lower code points, so that one corpus always gives one vocabulary.
        """
        seen: dict[str, int] = {}
        for name, count in zip(types, counts.tolist(), strict=True):
            for character in name[:CHARACTERS_PER_TOKEN]:
                seen[character] = seen.get(character, 0) + count
        words = _most_frequent(dict(zip(types, counts.tolist(), strict=True)), n_words)
        return cls((*SPECIAL, *words), (*SPECIAL, *_most_frequent(seen, n_characters)))

    @cached_property
    def _word_number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _character_number(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters)}

    def word_ids(self, types: Sequence[str]) -> NDArray[np.int32]:
        """The number of each type's word; `<UNK>` for a rare one."""
        number = self._word_number
        return np.fromiter((number.get(name, UNK) for name in types), np.int32, len(types))

    def character_ids(self, types: Sequence[str]) -> NDArray[np.int16]:
        """The numbers of each type's first characters, padded: (types, CHARACTERS_PER_TOKEN)."""
        number = self._character_number
        ids = np.zeros((len(types), CHARACTERS_PER_TOKEN), np.int16)
        for row, name in enumerate(types):
            shown = [number.get(character, UNK) for character in name[:CHARACTERS_PER_TOKEN]]
            ids[row, : len(shown)] = shown
        return ids

    def mask(
        self, word_ids: NDArray[np.int32], character_ids: NDArray[np.int16], masking: Masking
    ) -> NDArray[np.int16]:
        """What is left of the characters once rare types are masked."""
        if masking == "rare":
            return character_ids
        rare = word_ids == UNK
        masked = character_ids.copy()
        masked[rare] = self._shape_of[character_ids[rare]] if masking == "shape" else PAD
        return masked

    @cached_property
    def _shape_of(self) -> NDArray[np.int16]:
        """Each character's stand-in: one letter for all of its kind, marks as they are."""
        stand_in = {"upper": "X", "lower": "x", "digit": "0"}
        number = self._character_number
        shape = np.arange(len(self.characters), dtype=np.int16)
        for i, character in enumerate(self.characters[len(SPECIAL) :], len(SPECIAL)):
            kind = (
                "digit" if character.isdigit()
                else "upper" if character.isupper()
                else "lower" if character.isalpha()
                else None
            )  # fmt: skip
            if kind:
                shape[i] = number.get(stand_in[kind], UNK)
        return shape


def _most_frequent(counts: dict[str, int], n: int) -> list[str]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [name for name, count in ranked[:n] if count > 0]
