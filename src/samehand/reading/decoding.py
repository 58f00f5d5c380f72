"""Bytes → text: UTF-8, UTF-16 with its mark, or else Windows-1252, which is then said.

The readers of corpora accept UTF-8 alone: there a wrong guess would go unseen in a million records,
here one person looks at one text.
"""

import codecs

from samehand.reading.faults import NotText, Unreadable

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1b")
_LOOKED_AT = 1 << 16


def decode(content: bytes) -> tuple[str, str | None]:
    """The text with `\\n` at line ends, and a caution where its encoding had to be guessed."""
    caution = None
    if content.startswith(_UTF16) and not content.startswith(codecs.BOM_UTF32_LE):
        text = _decoded(content, "utf-16")
    elif is_binary(content):
        raise NotText("binary data, not text; save it as UTF-8, .docx or .pdf")
    else:
        try:
            text = content.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError:
            text = _decoded(content, "cp1252")
            caution = "not valid UTF-8, so it was read as Windows-1252"
    return text.replace("\r\n", "\n").replace("\r", "\n"), caution


def _decoded(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise Unreadable(
            "neither UTF-8 nor another encoding of text that is known; save it as UTF-8"
        ) from None


def is_binary(content: bytes) -> bool:
    """A zero byte, or control characters that no text has in more than one place in a hundred."""
    start = content[:_LOOKED_AT]
    return b"\0" in content or sum(start.count(code) for code in _BINARY) > len(start) / 100
