"""The text of a Word file (.docx)."""

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from samehand.reading.faults import NotText, Unreadable, needs_extra

MOST_UNPACKED = 256 << 20
"""A file that unpacks to more bytes is refused."""
_WRAPPERS = (
    "w:ins", "w:moveTo", "w:sdt", "w:sdtContent", "w:smartTag", "w:fldSimple", "w:customXml",
    "w:dir", "w:bdo",
)  # fmt: skip
_ON = "[not(@w:val='0' or @w:val='false' or @w:val='off')]"
_LEFT_OUT = (
    f".//w:r[w:rPr/w:vanish{_ON}]",  # hidden text
    f".//w:sdt[w:sdtPr/w:showingPlcHdr{_ON}]//w:r",  # the prompt of a field that nobody filled in
)
_DAMAGED = "the Word file is cut short or damaged; copy it again"


def docx_text(content: bytes) -> str:
    """Paragraphs and tables in their order, a line each paragraph.

    It is what Word shows: with tracked insertions, without tracked deletions and hidden text.
    """
    _check(content)
    try:
        from docx import Document
    except ImportError:
        raise needs_extra("Word") from None
    try:
        document = Document(io.BytesIO(content))
        _bare(document.element.body)
        return "\n".join(_paragraphs(document))
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


def _bare(body: Any) -> None:
    """Leaves what Word shows where the paragraphs are looked for, without the wrappers around it.

    Deletions keep theirs, and so are not found.
    """
    from docx.oxml.ns import qn

    for run in body.xpath(" | ".join(_LEFT_OUT)):
        run.getparent().remove(run)
    for wrapper in list(body.iter(*map(qn, _WRAPPERS))):
        for child in list(wrapper):
            wrapper.addprevious(child)
        wrapper.getparent().remove(wrapper)


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
