"""Letters that look like others, and characters that are not seen: a copy hides behind them."""

import regex

_GREEK = "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
_LOOKALIKES = str.maketrans(
    "аесіјорѕԁһԛԝхуАВЕЅІЈКМНОРСТХУ" + _GREEK,
    "aecijopsdhqwxyABESIJKMHOPCTXYoABEZHIKMNOPTYX",
)
# Soft hyphen, zero-width spaces and joiners, marks of direction, word joiners, byte order mark.
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_UNSEEN = regex.compile(f"[{_INVISIBLE}]")
_OTHERS = rf"[\p{{Cyrillic}}{_GREEK}]"
_WIDE = "\uff21-\uff3a\uff41-\uff5a"
_SUSPECT = regex.compile(rf"{_OTHERS}|[{_INVISIBLE}{_WIDE}]")
"""Matches in every disguise. Texts without a match, most of them, need no closer look."""
_DISGUISED = regex.compile(
    rf"\p{{Latin}}[{_INVISIBLE}]+\p{{Latin}}|\p{{Latin}}{_OTHERS}|{_OTHERS}\p{{Latin}}|[{_WIDE}]+"
)
_FULL_WIDTH = {0xFF01 + n: chr(0x21 + n) for n in range(94)}
_LIKE_LATIN: dict[int, str | int | None] = {**_LOOKALIKES, **_FULL_WIDTH}


def undisguised(text: str) -> str:
    """The text as it looks to a reader, as far as Latin letters go."""
    if text.isascii():
        return text
    seen: str = _UNSEEN.sub("", text)
    return seen.translate(_LIKE_LATIN)


def disguises(text: str) -> int:
    """How many places in words mix alphabets, are wide, or hold a character that is not seen."""
    if text.isascii() or not _SUSPECT.search(text):
        return 0
    return len(_DISGUISED.findall(text))
