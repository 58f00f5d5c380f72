"""The text of a Word file (.docx)."""

import io
import zipfile

from samehand.reading.faults import NotText, Unreadable
from samehand.reading.paragraphs import joined
from samehand.reading.word_body import paragraphs_of

MOST_UNPACKED = 256 << 20
"""A body that unpacks to more bytes is refused."""
_BODY = "word/document.xml"
_DAMAGED = "the Word file is cut short or damaged; copy it again"


def docx_text(content: bytes) -> str:
    """Paragraphs and tables in their order, as Word shows them.

    That is with tracked insertions, without tracked deletions, hidden text, text boxes, headers,
    footers and notes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            _check(packed)
            with packed.open(_BODY) as body:
                return joined(paragraphs_of(body))
    except (Unreadable, MemoryError):
        raise
    except Exception:  # what a stranger's file makes the parsers raise has no end
        raise Unreadable(_DAMAGED) from None


def _check(packed: zipfile.ZipFile) -> None:
    if _BODY not in packed.namelist():
        raise NotText("a zip archive or an office file other than .docx; save it as .docx")
    if packed.getinfo(_BODY).file_size > MOST_UNPACKED:
        raise Unreadable(
            f"it unpacks to more than {MOST_UNPACKED >> 20} MiB; save the text alone as .txt"
        )
