"""The text of a PDF file."""

import io
import logging
import re
import time
from collections.abc import Iterable
from typing import Any

from samehand.reading.faults import Unreadable, needs_extra

_DAMAGED = "the PDF is cut short or damaged; copy it again"
_TAIL_BYTES = 4096  # where the mark of its end must be, after which some programs add a little
MOST_SECONDS = 60.0
"""Books take less; a small file can be made to take hours."""
_MOST_CHARACTERS = 32 << 20
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010][ \t]*\n[ \t]*(?=[^\W\d_A-Z])")


def pdf_text(content: bytes) -> str:
    """The text of all pages, with words that were hyphenated at a line's end joined again."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import DependencyError
    except ImportError:
        raise needs_extra("PDF") from None
    if b"%%EOF" not in content.rstrip(b"\0\r\n ")[-_TAIL_BYTES:]:
        raise Unreadable(_DAMAGED)  # what is left may be readable, but is not the whole text
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it would tell users of odd fonts
    try:
        reader = PdfReader(io.BytesIO(content))
        locked = reader.is_encrypted and not reader.decrypt("")
        text = "" if locked else _text(reader.pages)
    except DependencyError:
        locked = True
    except Unreadable:
        raise
    except Exception:  # what a stranger's file makes the parser raise has no end
        raise Unreadable(_DAMAGED) from None
    if locked:
        raise Unreadable("the PDF is locked with a password; save it without one")
    if not text.strip():
        raise Unreadable(
            "the PDF holds no text, only pictures of it; run it through text recognition (OCR)"
        )
    return _HYPHENATED.sub("", text)


def _text(pages: Iterable[Any]) -> str:
    """Of all pages, without halves of characters, which odd fonts hold."""
    found: list[str] = []
    end, size = time.monotonic() + MOST_SECONDS, 0
    for page in pages:
        found.append(page.extract_text())
        size += len(found[-1])
        if size > _MOST_CHARACTERS or time.monotonic() > end:
            raise Unreadable("the PDF takes too long to read; save the pages that matter as text")
    return "\n".join(found).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
