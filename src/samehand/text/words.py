"""Words as people count them, where tokens are too fine: for lengths, languages and copies."""

import re

import regex

from samehand.text.homoglyphs import undisguised

# Scripts without spaces between words count by the character.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*"
)
_WORD_OF_PLAIN_LETTERS = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_MORE = re.compile(r"[^\x00-\x7f‘’“”–—…]")


def has_plain_letters(text: str) -> bool:
    """Whether all of a text is ASCII but for quotes, dashes and dots, as most English is.

    The standard library's expressions do for these, and are twice as fast.
    """
    return text.isascii() or not _MORE.search(text)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without the marks around them; `don’t` is `don't`.

    Letters that only look Latin are taken for Latin ones, and invisible characters are left out.
    """
    if has_plain_letters(text):
        return _WORD_OF_PLAIN_LETTERS.findall(text.lower().replace("’", "'"))
    plain = undisguised(text).lower().replace("’", "'").replace("ʼ", "'")
    found: list[str] = _WORD.findall(plain)
    return found
