"""The words and characters the network knows, and the masking of rare words (topic masking)."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError

PAD, UNK = 0, 1
SPECIAL = ("<PAD>", "<UNK>")
CHARACTERS_PER_TOKEN = 15
"""T_c: the character encoder reads this many characters of a token."""

_MOST_CHARACTERS = 32_767
"""Characters are numbered in 16 bits."""

SUFFIX = 3
"""Letters of a rare word's end that `suffix` masking leaves."""

Masking = Literal["rare", "suffix"]
"""The network's view of a word outside the vocabulary, beyond `<UNK>`: its characters (`rare`,
the paper's choice), or the kind of each and the last letters of longer words (`suffix`: Xxx-00,
xxxxing, which tells its part of speech and little of the topic)."""


@dataclass(frozen=True)
class Vocabulary:
    """Words and characters by number; the first two of each are `<PAD>` and `<UNK>`."""

    words: tuple[str, ...]
    characters: tuple[str, ...]

    @classmethod
    def count(
        cls,
        types: Sequence[str],
        counts: NDArray[np.int64],
        n_words: int = 5_000,
        n_characters: int = 300,
        commonness: NDArray[np.float64] | None = None,
    ) -> "Vocabulary":
        """The most frequent words and characters of a corpus: its types, and how often each occurs.

        Words go by `commonness`, where that is given, and by their counts where it is the same.
        Ties go to the lower code points, so that one corpus always gives one vocabulary.
        """
        codes, lengths = _codes(types)
        seen = np.bincount(codes, np.repeat(counts, lengths)).astype(np.int64)
        characters = {chr(code): (int(seen[code]),) for code in np.flatnonzero(seen).tolist()}
        by = counts if commonness is None else commonness
        values = zip(by.tolist(), counts.tolist(), strict=True)
        words = dict(zip(types, values, strict=True))
        return cls(
            (*SPECIAL, *_most_frequent(words, n_words)),
            (*SPECIAL, *_most_frequent(characters, n_characters)),
        )

    def first(self, n_words: int | None) -> "Vocabulary":
        """With the first words alone; the others count as rare."""
        if n_words is None:
            return self
        return Vocabulary(self.words[: len(SPECIAL) + n_words], self.characters)

    @cached_property
    def _word_number(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _character_number(self) -> NDArray[np.int16]:
        """By code point."""
        number = np.full(sys.maxunicode + 1, UNK, np.int16)
        for place, character in enumerate(self.characters[len(SPECIAL) :], len(SPECIAL)):
            number[ord(character)] = place
        return number

    def word_ids(self, types: Sequence[str]) -> NDArray[np.int32]:
        """The number of each type's word; `<UNK>` for a rare one."""
        number = self._word_number
        return np.fromiter((number.get(name, UNK) for name in types), np.int32, len(types))

    def character_ids(self, types: Sequence[str]) -> NDArray[np.int16]:
        """The numbers of each type's first characters, padded: (types, CHARACTERS_PER_TOKEN)."""
        codes, lengths = _codes(types)
        ids = np.full((len(types), CHARACTERS_PER_TOKEN), PAD, np.int16)
        ids[np.arange(CHARACTERS_PER_TOKEN) < lengths[:, None]] = self._character_number[codes]
        return ids

    def mask(
        self, word_ids: NDArray[np.int32], character_ids: NDArray[np.int16], masking: Masking
    ) -> NDArray[np.int16]:
        """Character numbers after the masking of rare types."""
        if masking == "rare":
            return character_ids
        rare = word_ids == UNK
        masked = character_ids.copy()
        masked[rare] = self._shape_of[character_ids[rare]]
        lengths = (character_ids != PAD).sum(1, keepdims=True)
        place = np.arange(CHARACTERS_PER_TOKEN)
        last = (place >= lengths - SUFFIX) & (place < lengths) & (lengths > SUFFIX + 1)
        shown = last & self._is_letter[character_ids]
        return np.where(shown, character_ids, masked)  # known words are as they were

    @cached_property
    def _is_letter(self) -> NDArray[np.bool_]:
        return np.array([len(name) == 1 and name.isalpha() for name in self.characters])

    @cached_property
    def _shape_of(self) -> NDArray[np.int16]:
        """Each character's stand-in: one letter for all of its kind, marks as they are."""
        number = {character: number for number, character in enumerate(self.characters)}
        shape = [number.get(_shape(character), UNK) for character in self.characters]
        shape[: len(SPECIAL)] = range(len(SPECIAL))
        return np.array(shape, np.int16)


def vocabulary_bytes(vocabulary: Vocabulary) -> bytes:
    """The content of a file that `read_vocabulary` reads."""
    listed = {"words": vocabulary.words, "characters": vocabulary.characters}
    return json.dumps(listed).encode()


def read_vocabulary(content: bytes, path: Path) -> Vocabulary:
    """The vocabulary in the content of a file, which is named where that is none."""
    try:
        listed = json.loads(content)
        words, characters = (tuple(listed[name]) for name in ("words", "characters"))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _not_a_vocabulary(path) from None
    letters = characters[len(SPECIAL) :]
    if (
        not all(isinstance(name, str) for name in (*words, *characters))
        or not words[: len(SPECIAL)] == characters[: len(SPECIAL)] == SPECIAL
        or any(len(letter) != 1 for letter in letters)
        or len(characters) > _MOST_CHARACTERS
    ):
        raise _not_a_vocabulary(path)
    return Vocabulary(words, characters)


def _not_a_vocabulary(path: Path) -> InputError:
    return InputError(
        f"{path}: not a list of words and one of characters, or damaged; copy it again."
    )


def _shape(character: str) -> str:
    if character.isdigit():
        return "0"
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return character


def _codes(types: Sequence[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The code points of all types that the character encoder reads, and how many of each type."""
    shown = [name[:CHARACTERS_PER_TOKEN] for name in types]
    codes = np.frombuffer("".join(shown).encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes, np.fromiter(map(len, shown), np.int64, len(shown))


def _most_frequent(counts: Mapping[str, tuple[float, ...]], n: int) -> list[str]:
    """The names with the highest values; the last of each says how often it occurs."""
    ranked = sorted(counts.items(), key=lambda item: (*(-value for value in item[1]), item[0]))
    return [name for name, values in ranked[:n] if values[-1] > 0]
