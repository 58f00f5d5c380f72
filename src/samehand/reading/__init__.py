"""Texts as people have them (txt, Markdown, HTML, Word, PDF, standard input) → plain text.

What is in a file decides how it is read; its name only tells Markdown and HTML from plain text, and
a PDF that has something before its mark from a text that speaks of one.
Whatever cannot be read raises `InputError` with one sentence.
"""

import codecs
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from samehand.errors import InputError
from samehand.reading.faults import NotText, Unreadable
from samehand.reading.paragraphs import normal_layout
from samehand.reading.sources import STDIN, content_of, unpacked_content

__all__ = ["STDIN", "NotText", "Reading", "Unreadable", "read_content", "read_text"]

_HTML_ENDINGS = (".html", ".htm", ".xhtml")
_MARKDOWN_ENDINGS = (".md", ".markdown")
_OTHERS = {
    b"\xd0\xcf\x11\xe0": "an old Word file; save it as .docx",
    b"{\\rtf": "a rich text file; save it as .docx or .txt",
    b"%!PS": "a PostScript file; convert it to PDF",
}
_PDF = b"%PDF-"
_PDF_WITHIN = 1024  # where readers of PDF look for the mark


@dataclass(frozen=True)
class Reading:
    """A text as read."""

    source: str
    """The path as given, or "standard input"."""
    text: str
    sha256: str
    """Of the file's bytes, before anything is unpacked."""
    caution: str | None = None
    """Where something about the reading is doubtful."""


def read_text(path: Path) -> Reading:
    """The text of a file, or of standard input where the path is `-`."""
    source = "standard input" if str(path) == STDIN else str(path)
    try:
        return read_content(content_of(path), source, path.name)
    except Unreadable as fault:
        raise InputError(f"{source}: {fault}.") from None


def read_content(content: bytes, source: str, name: str) -> Reading:
    """The text of a file with this name and these bytes, which may be gzip. Raises `Unreadable`."""
    text, caution = _plain_text(unpacked_content(content), name.lower().removesuffix(".gz"))
    text = normal_layout(text)
    if not text.strip():
        raise Unreadable("there is no text in it")
    digest = hashlib.sha256(content).hexdigest()
    return Reading(source, text, digest, f"{source}: {caution}." if caution else None)


def _plain_text(content: bytes, name: str) -> tuple[str, str | None]:
    if not content:
        raise Unreadable("the file is empty")
    for start, what in _OTHERS.items():
        if content.startswith(start):
            raise NotText(f"this is {what}")
    if content.startswith(b"PK\x03\x04"):
        from samehand.reading.child import read_in_child

        return read_in_child("Word file", content), None
    if _is_pdf(content, name):
        from samehand.reading.pdf.text import pdf_text

        return pdf_text(content), None
    from samehand.reading.decoding import decode

    text, caution = decode(content)
    kind = _markup(text, name)
    if kind is not None:
        from samehand.reading.child import read_in_child

        text = read_in_child(kind, text.encode())
    return text, caution


def _is_pdf(content: bytes, name: str) -> bool:
    """Some programs put a little before the mark of a PDF; a plain text may only speak of it."""
    from samehand.reading.decoding import is_binary

    start = content[:_PDF_WITHIN]
    if start.removeprefix(codecs.BOM_UTF8).lstrip().startswith(_PDF):
        return True
    return _PDF in start and (name.endswith(".pdf") or is_binary(content))


def _markup(text: str, name: str) -> Literal["web page", "Markdown file"] | None:
    start = text[:1024].lstrip().lower()
    if name.endswith(_HTML_ENDINGS) or start.startswith(("<!doctype html", "<html")):
        return "web page"
    return "Markdown file" if name.endswith(_MARKDOWN_ENDINGS) else None
