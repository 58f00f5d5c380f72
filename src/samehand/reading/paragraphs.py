"""The one layout in which every reader hands on its text.

A blank line stands between paragraphs, a line end where the author broke a line. Files tell the two
apart in different ways: Word and HTML mark paragraphs, and some people put an empty one between
them; plain text has line ends alone, which part paragraphs, lines of verse, or what an editor
wrapped. A model that reads layout would otherwise take the kind of file for a habit of the author.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

WIDEST_WRAPPED = 100
"""Characters: lines that an editor wrapped are hardly longer."""
_NARROWEST_WRAPPED = 40
"""Characters: nor are the longest of them shorter."""
_LONG = 100
"""Characters: two lines in a row that are longer are two paragraphs, if anything is."""


class Paragraph(NamedTuple):
    """A paragraph as a file has it; one without words is an empty line."""

    text: str
    """Its lines end where the author broke them."""
    is_next_item: bool = False
    """Whether it stands right below the one before: the next item of a list, or cell of a table."""


class _Filled(NamedTuple):
    """A paragraph that is not empty."""

    text: str
    is_next_item: bool
    is_after_empty: bool


def normal_layout(text: str) -> str:
    """A plain text in the layout that all readers give; most texts stay as they are.

    Where line ends part the paragraphs, as in what Word saves as plain text, they become blank
    lines. Line ends of an editor stay: the tokeniser does not count them.
    """
    filled = _filled(Paragraph(line) for line in text.split("\n"))
    if _ends_part(filled, least_empty=0.0):
        return "\n\n".join(one.text for one in filled)
    return text


def joined(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs of a file with blank lines between them.

    Where the author put an empty paragraph between paragraphs, the others are single lines.
    """
    filled = _filled(paragraphs)
    part = _ends_part(filled, least_empty=0.1)
    parts = [one.text for one in filled[:1]]
    for one in filled[1:]:
        is_apart = one.is_after_empty or (part and not one.is_next_item)
        parts += "\n\n" if is_apart else "\n", one.text
    return "".join(parts)


def _ends_part(paragraphs: list[_Filled], least_empty: float) -> bool:
    """Whether a new paragraph begins where one ends, even without an empty line between them.

    It does not where half of them are followed by empty lines; where a share of `least_empty` are,
    and more than there are pairs of long ones in a row; and where the lines are those of an editor.
    """
    pairs = [(one, other) for one, other in pairwise(paragraphs) if not other.is_next_item]
    close = [(one.text, other.text) for one, other in pairs if not other.is_after_empty]
    if not close:
        return False
    empty = len(pairs) - len(close)
    long = sum(min(len(one), len(other)) > _LONG for one, other in close)
    are_lines = empty > long and empty >= least_empty * len(pairs)
    if are_lines or empty >= len(close):
        return False
    return not _is_wrapped([one.text for one in paragraphs], close)


def _filled(paragraphs: Iterable[Paragraph]) -> list[_Filled]:
    filled: list[_Filled] = []
    is_after_empty = False
    for text, is_next_item in paragraphs:
        lines = "\n".join(line.strip() for line in text.strip().split("\n"))
        if lines:
            filled.append(_Filled(lines, is_next_item, is_after_empty))
        is_after_empty = not lines
    return filled


def _is_wrapped(lines: list[str], pairs: list[tuple[str, str]]) -> bool:
    """Whether most lines end because the next word found no room."""
    widths = sorted(map(len, lines))
    width = widths[-1 - len(widths) // 10]  # some lines, such as addresses, are longer
    full = sum(len(one) + 1 + len(other.split(None, 1)[0]) > width for one, other in pairs)
    has_broken_lines = any("\n" in line for line in lines)
    is_usual = _NARROWEST_WRAPPED <= width <= WIDEST_WRAPPED
    return is_usual and full >= len(pairs) / 2 and not has_broken_lines
