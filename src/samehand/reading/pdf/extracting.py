"""The lines of a PDF and where they stand, found by pdfium in a process of its own.

A PDF is a program of a stranger's, and pdfium is written in C++: what goes wrong in it, or takes
too long or too much memory, ends that process alone. This file is both its script, which reads the
PDF from standard input and writes JSON, and what starts it, so it imports nothing of samehand when
it runs as a script.
"""

import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from ctypes import c_double
from itertools import groupby
from typing import Any, NamedTuple

MOST_SECONDS = 60.0
"""Books take less; a small file can be made to take hours."""
MOST_MEMORY = 2 << 30
_MOST_CHARACTERS = 8 << 20
_SAME_LINE = 0.5
"""Of the size of letters: how far those of one line may be off its base."""
_OUT_OF_TIME = (9, 24)
"""SIGKILL and SIGXCPU, by which a system ends what has used up its time."""
LOCKED, DAMAGED, TOO_MUCH = "locked", "damaged", "too much"


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


def pages_of(content: bytes) -> list[Page] | str:
    """All pages of a PDF, or what is wrong with it."""
    command = [sys.executable, "-P", __file__]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return TOO_MUCH
    if done.returncode:
        return TOO_MUCH if -done.returncode in _OUT_OF_TIME else DAMAGED
    found = json.loads(done.stdout)
    if isinstance(found, str):
        return found
    return [Page([Line(*line) for line in lines], *paper) for lines, *paper in found]


class _Character(NamedTuple):
    """A character with its place. `turn` is the direction of its line in quarters of a circle."""

    text: str
    left: float
    right: float
    base: float
    size: float
    turn: int


def _main() -> None:
    _limit()
    json.dump(_found(sys.stdin.buffer.read()), sys.stdout)


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(MOST_SECONDS), int(MOST_SECONDS)))


def _found(content: bytes) -> list[Page] | str:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(content)
        pages, n_characters = [], 0
        for page in document:
            text = page.get_textpage()
            n_characters += text.count_chars()
            if n_characters > _MOST_CHARACTERS:
                return TOO_MUCH
            pages.append(_page(list(_characters(text)), page.get_cropbox()))
        return pages
    except MemoryError:
        return TOO_MUCH
    except pypdfium2.PdfiumError as error:
        locked = pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY
        return LOCKED if error.err_code in locked else DAMAGED


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


if __name__ == "__main__":
    _main()
