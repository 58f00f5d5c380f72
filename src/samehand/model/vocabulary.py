"""The words and characters that a network knows, as JSON."""

import json
from pathlib import Path

from samehand.errors import InputError
from samehand.text.vocabulary import SPECIAL, Vocabulary

_MOST_CHARACTERS = 32_767
"""Characters are numbered in 16 bits."""


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
        raise _fault(path) from None
    letters = characters[len(SPECIAL) :]
    if (
        not all(isinstance(name, str) for name in (*words, *characters))
        or not words[: len(SPECIAL)] == characters[: len(SPECIAL)] == SPECIAL
        or any(len(letter) != 1 for letter in letters)
        or len(characters) > _MOST_CHARACTERS
    ):
        raise _fault(path)
    return Vocabulary(words, characters)


def _fault(path: Path) -> InputError:
    return InputError(
        f"{path}: not a list of words and one of characters, or damaged; copy it again."
    )
