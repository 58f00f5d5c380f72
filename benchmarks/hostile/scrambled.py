"""A text whose parts are all there, in another order."""

import re
from random import Random

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_LETTERS = re.compile(r"[^\W\d_]+")


def words_anyhow(text: str, rng: Random) -> str:
    words = text.split()
    rng.shuffle(words)
    return " ".join(words)


def words_in_windows(text: str, rng: Random, width: int = 5) -> str:
    """Words in random order within every `width` of them."""
    words = text.split()
    windows = (words[at : at + width] for at in range(0, len(words), width))
    return " ".join(word for window in windows for word in rng.sample(window, len(window)))


def words_without_marks(text: str, rng: Random) -> str:
    """As `words_anyhow`, in lower case and without punctuation."""
    return words_anyhow(" ".join(re.findall(r"[\w'’]+", text.lower())), rng)


def sentences(text: str, rng: Random) -> str:
    """Each sentence as it was: arguably still a sample of style."""
    found = _SENTENCE_END.split(text)
    rng.shuffle(found)
    return " ".join(found)


def letters(text: str, rng: Random) -> str:
    """Letters in random order within each word."""
    return _LETTERS.sub(lambda word: _shuffled(word[0], rng), text)


def inner_letters(text: str, rng: Random) -> str:
    """Inner letters of each word in random order."""

    def scramble(found: re.Match[str]) -> str:
        word = found[0]
        return word if len(word) < 4 else word[0] + _shuffled(word[1:-1], rng) + word[-1]

    return _LETTERS.sub(scramble, text)


def _shuffled(word: str, rng: Random) -> str:
    return "".join(rng.sample(word, len(word)))
