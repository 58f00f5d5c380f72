"""A text in units that overlap, one beneath another, as an SVG that needs no other file."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from samehand.explaining.as_read import TextAsRead, View, printable
from samehand.report.markup import Markup, tag

WIDTH = 900
_EDGE, _LABEL = 16, 70
_COLUMNS = 120
"""Of a sentence."""
_NAME, _MARK = 7.8, 6.0
"""Widths of a character: of a token, and of the mark below it."""
_HEIGHT, _LINE, _GAP = 33, 37, 4
"""Of a token, from one line of tokens to the next, and between tokens."""
_STYLE = """
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #45423d }
.name, .mark { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace }
.name { fill: #1c1b19 } .mark { font-size: 10px; fill: #9a4d00 }
.unit { font-weight: 600; fill: #1c1b19 } .small { font-size: 11px }
.token { fill: #f1efea } .shared { fill: #bcdcf4 }
"""


class _Token(NamedTuple):
    """A token as it is drawn."""

    name: str
    mark: str | None
    shared: bool

    @property
    def width(self) -> float:
        under = _cells(self.mark or "") * _MARK
        return max(_cells(self.name) * _NAME, under) + 8

    def drawn(self, x: float, y: float) -> Iterator[Markup]:
        kind = "token shared" if self.shared else "token"
        yield _box(x, y, self.width, kind)
        yield _text(x + 4, y + 15, self.name, "name", _cells(self.name) * _NAME)
        if self.mark:
            yield _text(x + 4, y + 28, self.mark, "mark", _cells(self.mark) * _MARK)


def units_figure(read: TextAsRead, chosen: Sequence[int]) -> Markup:
    """A drawing of units of a text, by their places, as each group of networks sees them."""
    parts: list[Markup] = []
    bottom = float(_EDGE)
    for view in read.views:
        drawn, bottom = _view(read, view, chosen, bottom)
        parts += drawn
    height = f"{bottom:g}"
    return tag(
        "svg",
        tag("style", Markup(_STYLE)),
        tag("rect", width=WIDTH, height=height, fill="#fff"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        height=height,
        role="img",
        aria_label=read.in_words,
    )


def _view(
    read: TextAsRead, view: View, chosen: Sequence[int], top: float
) -> tuple[list[Markup], float]:
    """The units as one group of networks sees them, drawn below a place; and where they end."""
    said = [read.in_words, view.in_words]
    if len(read.views) > 1:
        said.append(f"Networks: {', '.join(map(printable, view.networks))}.")
    lines = [line for sentence in said for line in wrap(sentence, _COLUMNS)]
    parts = [_text(_EDGE, top + 12 + 19 * row, line) for row, line in enumerate(lines)]
    top += 19 * len(lines) + 10
    parts += _legend(top, view)
    top += _HEIGHT + 20
    following = 0
    for unit in chosen:
        if unit > following:
            parts.append(_text(_EDGE + _LABEL, top + 8, f"… {unit - following:,} more …"))
            top += 28
        first, last = read.units[unit]
        parts.append(_text(_EDGE, top + 15, f"{unit + 1:,}", "unit"))
        parts.append(_text(_EDGE, top + 29, f"{last - first} tokens", "small"))
        drawn, top = _lines(_tokens(read, view, first, last), top)
        parts += drawn
        following = unit + 1
    return parts, top + 10


def _tokens(read: TextAsRead, view: View, first: int, last: int) -> Iterator[_Token]:
    shared = read.shared
    for at in range(first, last):
        yield _Token(printable(read.names[at]), view.mark(at), shared[at])


def _lines(tokens: Iterable[_Token], top: float) -> tuple[list[Markup], float]:
    """The tokens of a unit from left to right, in lines below a place; and where they end."""
    parts: list[Markup] = []
    left = x = float(_EDGE + _LABEL)
    for token in tokens:
        if x > left and x + token.width > WIDTH - _EDGE:
            x, top = left, top + _LINE
        parts += token.drawn(x, top)
        x += token.width + _GAP
    return parts, top + _LINE + 14


def _legend(top: float, view: View) -> Iterator[Markup]:
    mark = "<UNK>" if view.masking == "rare" else "<xxxded>"
    for x, token, meaning in (
        (_EDGE, _Token("word", None, True), "also in the unit before or after"),
        (290, _Token("mended", mark, False), "not in the vocabulary"),
    ):
        yield from token.drawn(x, top)
        yield _text(x + token.width + 8, top + 15, meaning)
    yield _text(530, top + 15, "‿ no space between, ↵ end of a line, ¶ blank line")


def _cells(text: str) -> int:
    """Columns of a terminal that a text takes."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return max(1, len(text) + wide - sum(map(bool, map(unicodedata.combining, text))))


def _box(x: float, y: float, width: float, kind: str) -> Markup:
    return tag(
        "rect", x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=_HEIGHT, rx=3, class_=kind
    )


def _text(
    x: float, y: float, content: str, kind: str | None = None, width: float | None = None
) -> Markup:
    """A text that starts at a place; with a width it is fitted into that in any font."""
    fitted = None if width is None else f"{width:g}"
    adjust = None if width is None else "spacingAndGlyphs"
    return tag(
        "text", content, x=f"{x:g}", y=f"{y:g}", class_=kind, textLength=fitted, lengthAdjust=adjust
    )
