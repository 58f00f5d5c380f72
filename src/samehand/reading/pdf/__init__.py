"""The text of a PDF file.

A PDF holds no paragraphs, only characters at places on pages. From the lines they make
(`extracting`), those at the edges of pages that are no text are left out (`edges`), and paragraphs
are made of the others (`unwrapping`), whose words may be broken at line ends (`hyphens`).
"""

import re
import unicodedata
from importlib.util import find_spec

from samehand.errors import missing
from samehand.reading.faults import Unreadable
from samehand.reading.pdf.edges import without_edges
from samehand.reading.pdf.extracting import DAMAGED, LOCKED, TOO_MUCH, Page, pages_of
from samehand.reading.pdf.unwrapping import unwrapped

_TAIL_BYTES = 4096  # where the mark of its end must be, after which some programs add a little
_MOST_UNKNOWN = 0.1
_FAULTS = {
    DAMAGED: "the PDF is cut short or damaged; copy it again",
    LOCKED: "the PDF is locked with a password; save it without one",
    TOO_MUCH: "the PDF takes too long to read; save the pages that matter as text",
}
_LIGATURE = re.compile("[\ufb00-\ufb06]")


def pdf_text(content: bytes) -> str:
    """The text of all pages in paragraphs, without running heads, footers and page numbers."""
    if find_spec("pypdfium2") is None:
        raise Unreadable(f"PDF files are read by {missing('docs', 'pypdfium2')}")
    if b"%%EOF" not in content.rstrip(b"\0\r\n ")[-_TAIL_BYTES:]:
        raise Unreadable(_FAULTS[DAMAGED])  # what is left may be readable, but not the whole text
    pages = pages_of(content)
    if isinstance(pages, str):
        raise Unreadable(_FAULTS[pages])
    _check(pages)
    return _readable(unwrapped(without_edges(pages)))


def _check(pages: list[Page]) -> None:
    """Refuses what holds no text, or only numbers of shapes in fonts that do not name them."""
    text = "".join(line.text for page in pages for line in page.lines)
    if not text.strip():
        raise Unreadable(
            "the PDF holds no text, only pictures of it; run it through text recognition (OCR)"
        )
    unknown = sum(not one.isprintable() or one == "\ufffd" for one in text)
    if unknown > _MOST_UNKNOWN * len(text):
        raise Unreadable(
            "the PDF does not say which letters its fonts show; "
            "run it through text recognition (OCR)"
        )


def _readable(text: str) -> str:
    """Without ligatures, and without the halves of characters that odd fonts hold."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), whole)
