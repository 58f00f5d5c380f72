"""Where the columns of pages begin and end, as far as their lines show it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from samehand.reading.paragraphs import WIDEST_WRAPPED
from samehand.reading.pdf.extracting import Line, Page

_LEAST = 0.3
"""Of the lines of a page, on either side of its middle, where it has two columns."""
_RAGGED = 0.03
"""Of the width of a column: how far from its edge lines end that fill it."""
_ALIGNED = 1.5
"""Points from the edge within which lines end that are justified."""
_FEWEST = 4
"""Such lines that show that a text is."""
_WIDE_MARGIN = 0.1
"""Of the width of a page: by how much the margin on the right may be wider than on the left."""
_GRID = 2.0
"""Points within which lines begin at the same place."""
_ACROSS = 0


class Column(NamedTuple):
    """The column that a line stands in."""

    page: int
    left: float
    """Where most of its lines begin."""
    right: float
    """Where a line would have to end."""


def columns_of(pages: Sequence[Page]) -> dict[int, Column]:
    """The column of each line, by its identity."""
    sides = [_sides(page.lines) for page in pages]
    everywhere: defaultdict[int, list[Line]] = defaultdict(list)
    for by_side in sides:
        for side, lines in by_side.items():
            everywhere[side] += lines
    edges = {side: _edge(lines) for side, lines in everywhere.items()}
    are_broken = _are_broken(everywhere[_ACROSS])
    found: dict[int, Column] = {}
    for number, (page, by_side) in enumerate(zip(pages, sides, strict=True)):
        for side, lines in by_side.items():
            own, left = _edge(lines), _usual_left(lines)
            is_full = 2 * len(_filling(lines, own)) > len(lines) > 4
            right = own if is_full else max(own, edges[side])
            margin = page.right - (left - page.left)
            if side == _ACROSS and are_broken:
                narrow = right < margin - _WIDE_MARGIN * (page.right - page.left)
                right = margin if narrow else right
            column = Column(number, left, right)
            found |= {id(line): column for line in lines}
    return found


def _sides(lines: Sequence[Line]) -> dict[int, list[Line]]:
    """The lines left (-1) and right (1) of the middle of a page, and those across it."""
    if not lines:
        return {}
    middle = (min(line.left for line in lines) + max(line.right for line in lines)) / 2
    sides: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        sides[(line.left >= middle) - (line.right <= middle)].append(line)
    if min(len(sides[-1]), len(sides[1])) < _LEAST * len(lines):
        return {_ACROSS: list(lines)}
    return {side: some for side, some in sides.items() if some}


def _edge(lines: Sequence[Line]) -> float:
    """Where the longest lines end; single ones that stand out do not count."""
    rights = sorted((line.right for line in lines), reverse=True)
    leftmost = min(line.left for line in lines)
    for right, other in zip(rights, rights[max(1, len(rights) // 20) :], strict=False):
        if right - other <= _RAGGED * (right - leftmost):
            return right
    return rights[0]


def _filling(lines: Sequence[Line], edge: float) -> list[Line]:
    """The lines that reach an edge."""
    reached = edge - _RAGGED * (edge - min(line.left for line in lines))
    return [line for line in lines if reached <= line.right <= edge]


def _are_broken(lines: Sequence[Line]) -> bool:
    """Whether lines may have been broken before the page was made, as those of mails are.

    Those that a page made are justified, or come near to its margin, or may be longer.
    """
    if not lines:
        return False
    edge = _edge(lines)
    full = _filling(lines, edge)
    aligned = sum(edge - line.right <= _ALIGNED for line in full)
    are_justified = aligned >= _FEWEST and 2 * aligned >= len(full)
    lengths = sorted(len(line.text) for line in lines)
    return not are_justified and lengths[-1 - len(lengths) // 10] <= WIDEST_WRAPPED


def _usual_left(lines: Sequence[Line]) -> float:
    places = Counter(round(line.left / _GRID) for line in lines)
    most = max(places.values())
    return min(place for place, n in places.items() if n == most) * _GRID
