"""Copies of a text, more or less disguised."""

import re
from random import Random

PASSAGE = 100
LOOKALIKES = str.maketrans("aceiopxyAEOPCTHKMB", "асеіорхуАЕОРСТНКМВ")
INVISIBLE = "\u200b"


def same(text: str, _other: str, _rng: Random) -> str:
    return text


def replaced(share: float):  # type: ignore[no-untyped-def]
    """A share of the words replaced by words of another text."""

    def change(text: str, other: str, rng: Random) -> str:
        foreign = other.split()
        return " ".join(
            rng.choice(foreign) if rng.random() < share else word for word in text.split()
        )

    change.__name__ = f"replaced_{share:.0%}"
    return change


def passage(text: str, other: str, rng: Random) -> str:
    """Another text, with a hundred words of this one inside."""
    words, around = text.split(), other.split()
    start, at = rng.randrange(max(1, len(words) - PASSAGE)), rng.randrange(len(around) + 1)
    return " ".join([*around[:at], *words[start : start + PASSAGE], *around[at:]])


def capitals(text: str, _other: str, _rng: Random) -> str:
    return text.upper()


def no_marks(text: str, _other: str, _rng: Random) -> str:
    return " ".join(re.sub(r"[^\w\s'’]", " ", text.lower()).split())


def white_space(text: str, _other: str, rng: Random) -> str:
    return "".join(rng.choice(["  ", "\n", "\t", "\u00a0"]) if c == " " else c for c in text)


def lookalikes(text: str, _other: str, _rng: Random) -> str:
    """Cyrillic letters that look like Latin ones."""
    return text.translate(LOOKALIKES)


def some_lookalikes(text: str, _other: str, rng: Random) -> str:
    """In a fifth of the places."""
    return "".join(c.translate(LOOKALIKES) if rng.random() < 0.2 else c for c in text)


def invisible(text: str, _other: str, rng: Random) -> str:
    """A zero-width space in half of the words."""
    return " ".join(
        word[:1] + INVISIBLE + word[1:] if rng.random() < 0.5 else word for word in text.split()
    )


KINDS = (
    same, replaced(0.05), replaced(0.1), replaced(0.2), passage, capitals, no_marks, white_space,
    lookalikes, some_lookalikes, invisible,
)  # fmt: skip
