"""Paragraphs from the lines of pages.

A line goes on in the next where the first word of that would not have fitted behind it. A wider
space between the two, an indentation or another size of letters begins a new paragraph.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import quantiles

from samehand.reading.pdf.columns import columns_of
from samehand.reading.pdf.extracting import Line, Page
from samehand.reading.pdf.hyphens import Hyphens

_WIDER = 1.2
"""Times the usual distance of two lines, from which on a space between them parts paragraphs."""
_USUAL = 1.35
"""That distance as a multiple of the size of letters, where no paragraph shows it."""
_INDENTED = 0.8
"""Of the size of letters: by how much the first line of a paragraph is indented at least."""
_OTHER_SIZE = 1.15
_FEWEST = 3
_SPACE = 0.25
"""Between two words, of the size of letters; where they are stretched, at least."""
_BULLET = re.compile(r"[•◦▪●○■‣⁃\uf0b7] *")
_MARK = re.compile(r"[•◦▪●○■‣⁃\uf0b7]|\(?(?:\d{1,3}|[a-z])[.)] |[-–*] ")
_GOES_ON, _LINE_END, _BLANK_LINE = "", "\n", "\n\n"


def unwrapped(pages: Sequence[Page]) -> str:
    """The text of all pages: blank lines between paragraphs, line ends where lines were broken."""
    lines = [line for page in pages for line in page.lines]
    layout = _Layout(pages)
    hyphens = Hyphens([line.text for line in lines])
    parts: list[str] = []
    end = _LINE_END
    for line, following in pairwise(lines):
        text = line.text if end == _GOES_ON else _BULLET.sub("", line.text, count=1)
        end = layout.between(line, following)
        parts += hyphens.linked(text, following.text) if end == _GOES_ON else text, end
    return "".join(parts + [line.text for line in lines[-1:]])


class _Layout:
    """Signs of paragraphs in the places of lines."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._columns = columns_of(pages)
        pairs = [
            (line, following)
            for page in pages
            for line, following in pairwise(page.lines)
            if line.base > following.base and line.size == following.size > 0
        ]
        wrapped = [
            (line.base - following.base) / line.size
            for line, following in pairs
            if not self._would_fit(line, following)
        ]
        self._distance = quantiles(wrapped)[0] if len(wrapped) >= _FEWEST else _USUAL
        spaces = sum(self._has_space_between(*pair) for pair in pairs)
        self._indents = sum(self._begins_indented(*pair) for pair in pairs) > spaces

    def between(self, line: Line, following: Line) -> str:
        """The separator of two lines."""
        size = max(line.size, following.size)
        if size > _OTHER_SIZE * min(line.size, following.size):
            return _BLANK_LINE
        column, next_column = self._columns[id(line)], self._columns[id(following)]
        left, margin = next_column.left, _INDENTED * size
        is_indented = following.left > left + margin
        fits = self._would_fit(line, following)
        if column.page != next_column.page or following.base >= line.base:
            return _BLANK_LINE if fits or is_indented else _GOES_ON
        stepped = following.left - line.left
        begins = stepped > margin and is_indented and not _MARK.match(line.text)
        hangs_out = stepped < -margin and following.left < left - margin
        if self._has_space_between(line, following) or begins or hangs_out:
            return _BLANK_LINE
        if fits:
            return _BLANK_LINE if is_indented and self._indents else _LINE_END
        is_item = _BULLET.match(following.text) or (
            stepped < -margin and _MARK.match(following.text)
        )
        return _LINE_END if is_item else _GOES_ON

    def _would_fit(self, line: Line, following: Line) -> bool:
        """Whether the first word of a line would have fitted behind the one before."""
        return (
            self._columns[id(line)].right - line.right > following.first + _SPACE * following.size
        )

    def _has_space_between(self, line: Line, following: Line) -> bool:
        size = max(line.size, following.size)
        return line.base - following.base > _WIDER * self._distance * size

    def _begins_indented(self, line: Line, following: Line) -> bool:
        """Whether a line is the first of an indented paragraph and goes on in the next."""
        margin = _INDENTED * line.size
        is_out = line.left > following.left + margin
        return is_out and abs(following.left - self._columns[id(following)].left) < margin
