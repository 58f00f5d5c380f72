"""The lines of a PDF and where they stand, found by pdfium, in a process of its own."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from ctypes import c_double
from itertools import groupby
from typing import Any, NamedTuple

from samehand.reading.faults import Unreadable

_MOST_CHARACTERS = 8 << 20
_SAME_LINE = 0.5
"""Of the size of letters: how far those of one line may be off its base."""
DAMAGED = "the PDF is cut short or damaged; copy it again"
_LOCKED = "the PDF is locked with a password; save it without one"
_TOO_LONG = "the PDF is too long to read; save the pages that matter as text"


class Line(NamedTuple):
    """A line of text; places are in points, along the line and across it."""

    text: str
    left: float
    right: float
    base: float
    size: float
    """Of most of its letters."""
    first: float
    """How wide its first word is."""


class Page(NamedTuple):
    """The lines of a page, in the order in which the file shows them, and where its paper ends."""

    lines: list[Line]
    left: float
    right: float


class _Character(NamedTuple):
    """A character with its place. `turn` is the direction of its line in quarters of a circle."""

    text: str
    left: float
    right: float
    base: float
    size: float
    turn: int


def pages_of(content: bytes) -> list[Page]:
    """All pages of a PDF. Raises `Unreadable`."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
        pages, n_characters = [], 0
        for page in document:
            text = page.get_textpage()
            n_characters += text.count_chars()
            if n_characters > _MOST_CHARACTERS:
                raise Unreadable(_TOO_LONG)
            pages.append(_page(list(_characters(text)), page.get_cropbox()))
        return pages
    except pypdfium2.PdfiumError as error:
        locked = pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY
        raise Unreadable(_LOCKED if error.err_code in locked else DAMAGED) from None


def _characters(page: Any) -> Iterator[_Character]:
    from pypdfium2 import raw

    x, y, box, matrix = c_double(), c_double(), raw.FS_RECTF(), raw.FS_MATRIX()
    for place in range(page.count_chars()):
        code = raw.FPDFText_GetUnicode(page, place)
        if raw.FPDFText_IsHyphen(page, place):
            text = "-"
        elif raw.FPDFText_HasUnicodeMapError(page, place) == 1:
            text = "\ufffd"
        else:
            text = chr(code)
        raw.FPDFText_GetCharOrigin(page, place, x, y)
        raw.FPDFText_GetLooseCharBox(page, place, box)
        raw.FPDFText_GetMatrix(page, place, matrix)
        size = raw.FPDFText_GetFontSize(page, place) * math.hypot(matrix.a, matrix.b)
        turn = round(math.atan2(matrix.b, matrix.a) / (math.pi / 2)) % 4
        ends = (box.left, box.right, y.value), (box.bottom, box.top, -x.value)
        left, right, base = ends[turn % 2]
        if turn > 1:
            left, right, base = -right, -left, -base
        yield _Character(text, left, right, base, size, turn)


def _page(characters: list[_Character], crop: tuple[float, float, float, float]) -> Page:
    """Its lines, without what stands across most of the text, such as a stamp on the margin."""
    turns = Counter(one.turn for one in characters if not one.text.isspace())
    main = max(turns, key=turns.__getitem__, default=0)
    left, bottom, right, top = crop
    paper = ((left, right), (bottom, top), (-right, -left), (-top, -bottom))[main]
    rows = _rows(one for one in characters if one.turn == main)
    return Page([_line(row) for row in rows], *paper)


def _rows(characters: Iterable[_Character]) -> Iterator[list[_Character]]:
    row: list[_Character] = []
    is_apart = False
    for one in characters:
        if one.text.isspace() or one.text == "\0":
            is_apart = True
            continue
        if row and not _goes_on(row[-1], one):
            yield row
            row = []
        elif row and is_apart:
            row.append(row[-1]._replace(text=" "))
        row.append(one)
        is_apart = False
    if row:
        yield row


def _goes_on(last: _Character, one: _Character) -> bool:
    size = max(last.size, one.size)
    return abs(one.base - last.base) <= _SAME_LINE * size and one.left > last.left - size


def _line(row: list[_Character]) -> Line:
    text = "".join(one.text for one in row)
    sizes = Counter(round(one.size, 1) for one in row)
    size = max(sizes, key=sizes.__getitem__)
    bases = Counter(round(one.base, 1) for one in row)
    base = max(bases, key=bases.__getitem__)
    _, word = next(groupby(row, lambda one: one.text == " "))
    left = row[0].left
    return Line(text, left, row[-1].right, base, size, max(one.right for one in word) - left)
