"""The paragraphs in the XML of a Word file, read as a stream.

Nothing is kept but the text, and elements are counted, so that no small file takes much memory or
time: neither a cell over a million columns nor a million empty paragraphs.
"""

from collections.abc import Callable
from typing import IO
from xml.parsers import expat

from samehand.reading.faults import Unreadable
from samehand.reading.paragraphs import Paragraph

MOST_ELEMENTS = 2_000_000
"""A file with more is refused: a thousand pages of words each formatted apart have half as many."""
_MOST_CHARACTERS = 32 << 20
_AT_ONCE = 1 << 16
_LONGEST_TAG = 16 * _AT_ONCE
"""Bytes. One tag or comment may make the parser look at all of it for each part that comes."""

_SPACES = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_ALTERNATIVES = "http://schemas.openxmlformats.org/markup-compatibility/2006 AlternateContent"
_NOT_SHOWN = {
    "del", "moveFrom",  # tracked
    "drawing", "pict", "object",  # pictures and boxes
    "rt",  # glosses
    "rPrChange", "pPrChange",  # earlier formatting
}  # fmt: skip
_SHOWN_AS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_LIST_STYLES = ("ListBullet", "ListNumber")


def paragraphs_of(body: IO[bytes]) -> list[Paragraph]:
    """All paragraphs, those in tables included. Raises `ExpatError` and `ValueError`."""
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.write
    parser.StartDoctypeDeclHandler = _refuse  # Word writes none, and entities in it can be bombs
    read = 0
    while part := body.read(_AT_ONCE):
        parser.Parse(part)
        read += len(part)
        if read - parser.CurrentByteIndex > _LONGEST_TAG:
            raise ValueError("a tag or a comment that no program writes")
    parser.Parse(b"", True)
    return reader.paragraphs


def _refuse(*_: object) -> None:
    raise ValueError("a document type")


class _Reader:
    """The parser's handlers and their state."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._elements = self._characters = 0
        self._skipped = 0  # elements that are open within one that Word does not show, with it
        self._open: list[str] = []
        self._text: list[str] = []  # of the paragraph
        self._run_begins = 0  # in it
        self._is_hidden = False  # the run
        self._controls: list[bool] = []  # for each that is open, whether nobody has filled it in,
        self._prompts = 0  # and how many of them nobody has
        self._is_item = self._was_item = False  # of a list
        self._tables: list[bool] = []  # for each open table, whether there was text in it
        self._is_next_cell = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > MOST_ELEMENTS:
            raise Unreadable("the Word file takes too long to read; save the text alone as .txt")
        plain = _plain(name)
        if self._elements == 1 and plain != "document":
            raise ValueError("not a document")
        if self._skipped or plain in _NOT_SHOWN or name == _ALTERNATIVES:
            self._skipped += 1
            return
        self._open.append(plain)
        handler = _STARTS.get(plain)
        if handler:
            handler(self, attributes)
        elif plain in _SHOWN_AS and "r" in self._open[-2:-1]:  # tabs are also set, in properties
            self._text.append(_SHOWN_AS[plain])

    def end(self, name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        handler = _ENDS.get(self._open.pop())
        if handler:
            handler(self)

    def write(self, text: str) -> None:
        if self._open[-1:] == ["t"] and not self._skipped:
            self._text.append(text)
            self._characters += len(text)
            if self._characters > _MOST_CHARACTERS:
                raise Unreadable("the Word file is too long; give the part that matters")

    def begin_paragraph(self, attributes: dict[str, str]) -> None:
        self._text.clear()
        self._is_item = False

    def end_paragraph(self) -> None:
        text = "".join(self._text)
        self._text.clear()
        is_empty = not text.strip()
        if is_empty and (self._tables or self.paragraphs[-1:] == [Paragraph("")]):
            return  # an empty cell parts nothing
        is_next_item = self._is_next_cell or (self._is_item and self._was_item)
        self.paragraphs.append(Paragraph("") if is_empty else Paragraph(text, is_next_item))
        self._was_item, self._is_next_cell = self._is_item, False
        if self._tables:
            self._tables[-1] = True

    def style(self, attributes: dict[str, str]) -> None:
        self._is_item |= _value(attributes).startswith(_LIST_STYLES)

    def number(self, attributes: dict[str, str]) -> None:
        self._is_item = _value(attributes) != "0"

    def begin_run(self, attributes: dict[str, str]) -> None:
        self._run_begins, self._is_hidden = len(self._text), False

    def hide(self, attributes: dict[str, str]) -> None:
        self._is_hidden |= self._open[-3:-1] == ["r", "rPr"] and _is_on(attributes)

    def end_run(self) -> None:
        if self._is_hidden or self._prompts:
            del self._text[self._run_begins :]

    def begin_control(self, attributes: dict[str, str]) -> None:
        self._controls.append(False)

    def is_prompt(self, attributes: dict[str, str]) -> None:
        if self._controls and not self._controls[-1] and _is_on(attributes):
            self._controls[-1] = True
            self._prompts += 1

    def end_control(self) -> None:
        self._prompts -= self._controls.pop()

    def begin_table(self, attributes: dict[str, str]) -> None:
        self._tables.append(False)

    def begin_cell(self, attributes: dict[str, str]) -> None:
        self._is_next_cell |= any(self._tables[-1:])

    def end_table(self) -> None:
        had_text = self._tables.pop()
        if self._tables:
            self._tables[-1] |= had_text
        self._is_next_cell = False


_STARTS: dict[str, Callable[[_Reader, dict[str, str]], None]] = {
    "p": _Reader.begin_paragraph,
    "pStyle": _Reader.style,
    "numId": _Reader.number,
    "r": _Reader.begin_run,
    "vanish": _Reader.hide,
    "sdt": _Reader.begin_control,
    "showingPlcHdr": _Reader.is_prompt,
    "tbl": _Reader.begin_table,
    "tc": _Reader.begin_cell,
}
_ENDS: dict[str, Callable[[_Reader], None]] = {
    "p": _Reader.end_paragraph,
    "r": _Reader.end_run,
    "sdt": _Reader.end_control,
    "tbl": _Reader.end_table,
}


def _plain(name: str) -> str:
    """The name of an element of Word's, or nothing."""
    for space in _SPACES:
        if name.startswith(space):
            return name[len(space) :]
    return ""


def _value(attributes: dict[str, str]) -> str:
    return next((attributes[space + "val"] for space in _SPACES if space + "val" in attributes), "")


def _is_on(attributes: dict[str, str]) -> bool:
    return _value(attributes) not in ("0", "false", "off")
