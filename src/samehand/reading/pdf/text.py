"""From the bytes of a PDF file to its text."""

import re
import unicodedata
from importlib.util import find_spec

from samehand.errors import missing
from samehand.reading.child import read_in_child
from samehand.reading.faults import Unreadable
from samehand.reading.pdf.edges import without_edges
from samehand.reading.pdf.extracting import DAMAGED, Line, Page
from samehand.reading.pdf.unwrapping import unwrapped

_TAIL_BYTES = 4096  # where the mark of its end must be, after which some programs add a little
_MOST_UNKNOWN = 0.1
_LIGATURE = re.compile("[\ufb00-\ufb06]")


def pdf_text(content: bytes) -> str:
    """The text of all pages in paragraphs, without running heads, footers and page numbers."""
    if find_spec("pypdfium2") is None:
        raise Unreadable(f"PDF files are read by {missing('docs', 'pypdfium2')}")
    if b"%%EOF" not in content.rstrip(b"\0\r\n ")[-_TAIL_BYTES:]:
        raise Unreadable(DAMAGED)  # what is left may be readable, but not the whole text
    found = read_in_child("PDF", content)
    pages = [Page([Line(*line) for line in lines], *paper) for lines, *paper in found]
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
