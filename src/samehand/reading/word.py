"""The text of a Word file (.docx)."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from samehand.reading.faults import NotText, Unreadable, needs_extra

MOST_UNPACKED = 256 << 20
"""A file that unpacks to more bytes is refused."""
_DAMAGED = "the Word file is cut short or damaged; copy it again"


def docx_text(content: bytes) -> str:
    """Paragraphs and tables in their order, a line each paragraph."""
    _check(content)
    try:
        from docx import Document
    except ImportError:
        raise needs_extra("Word") from None
    try:
        return "\n".join(_paragraphs(Document(io.BytesIO(content))))
    except Exception:  # what a stranger's file makes the parsers raise has no end
        raise Unreadable(_DAMAGED) from None


def _check(content: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            parts = packed.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
        raise Unreadable(_DAMAGED) from None
    if not any(part.filename == "word/document.xml" for part in parts):
        raise NotText("a zip archive or an office file other than .docx; save it as .docx")
    if sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise Unreadable(
            f"it unpacks to more than {MOST_UNPACKED >> 20} MiB; save the text alone as .txt"
        )


def _paragraphs(holder: Any) -> Iterator[str]:
    """Of a document or of a table's cell."""
    from docx.table import Table

    for block in holder.iter_inner_content():
        if not isinstance(block, Table):
            yield block.text
            continue
        seen = set()
        for row in block.rows:
            for cell in row.cells:
                if cell._tc not in seen:  # a merged cell turns up in every place that it covers
                    seen.add(cell._tc)
                    yield from _paragraphs(cell)
