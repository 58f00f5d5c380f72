"""Words as people count them, where tokens are too fine: for lengths, languages and copies."""

import regex

from samehand.text.disguise import undisguised

# Scripts without spaces between words count by the character.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
    r"|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’ʼ][\p{L}\p{N}\p{M}]+)*"
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without the marks around them; `don’t` is `don't`.

    Letters that only look Latin are taken for Latin ones, and invisible characters are left out.
    """
    plain = undisguised(text).lower().replace("’", "'").replace("ʼ", "'")
    found: list[str] = _WORD.findall(plain)
    return found
