"""The visible text of a web page.

Python's parser takes time in the square of what is left open: a tag without its end makes it look
through all the rest, and again for the next. So it gets the page in parts, and a page that leaves
much open is refused.
"""

import re
from collections.abc import Set
from html.parser import HTMLParser
from typing import NamedTuple

from samehand.reading.faults import Unreadable
from samehand.reading.html_blocks import BLOCKS, LISTS, Blocks
from samehand.reading.paragraphs import joined

_UNSEEN = {
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "select", "textarea",
}  # fmt: skip
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
}  # fmt: skip
_IN_HEAD = {
    "base", "head", "html", "link", "meta", "noscript", "script", "style", "template", "title",
}  # fmt: skip


class _Closing(NamedTuple):
    """Other tags that end an element whose end tag is optional."""

    starts: Set[str] = frozenset()
    ends: Set[str] = frozenset()
    nests: Set[str] = frozenset()
    """Elements inside it, in which the same tags belong to others."""


_SECTIONS = {"tbody", "thead", "tfoot"}
_CELL = _Closing({"td", "th", "tr", *_SECTIONS}, {"tr", "table", *_SECTIONS}, {"table"})
_TERM = _Closing({"dt", "dd"}, {"dl"}, {"dl"})
_CLOSINGS = {
    "head": _Closing(ends={"html"}, nests={"noscript", "template"}),  # its starts: not _IN_HEAD
    "p": _Closing(BLOCKS, BLOCKS),
    "li": _Closing({"li"}, LISTS, LISTS),
    "dt": _TERM,
    "dd": _TERM,
    "td": _CELL,
    "th": _CELL,
    "tr": _Closing({"tr", *_SECTIONS}, {"table", *_SECTIONS}, {"table"}),
    **dict.fromkeys(_SECTIONS, _Closing(_SECTIONS, {"table"}, {"table"})),
    "option": _Closing({"option", "optgroup"}, {"optgroup", "datalist"}),
}
_PART = 1 << 18
_MOST_OPEN = 1 << 22  # characters of a script or of a tag, which may hold a picture
_MOST_DROPPED = 1_000
_NEVER_CLOSED = "a tag or a comment in it is never closed; save it again, or as .txt"
_NUMBERED = re.compile(r"&#0*(\d+)")
_MOST_DIGITS = 7  # in the number of a character
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def html_text(page: str) -> str:
    """Text as a reader sees it, without scripts, styles and hidden parts."""
    visible = _Visible()
    page = _NUMBERED.sub(_readable, page)
    try:
        for start in range(0, len(page), _PART):
            visible.feed(page[start : start + _PART])
            if len(visible.rawdata) > _MOST_OPEN:
                raise Unreadable(_NEVER_CLOSED)
    except AssertionError:  # the parser's word for a declaration that is none
        raise Unreadable("its markup is broken; copy the text into a .txt file") from None
    if not visible.rawdata.startswith("<"):
        visible.close()
    elif len(visible.rawdata) > _MOST_DROPPED:  # like a browser, we would drop it
        raise Unreadable(_NEVER_CLOSED)
    visible.blocks.end_paragraph()
    return joined(visible.blocks.paragraphs)


def _readable(reference: re.Match[str]) -> str:
    """A reference to a character by its number, which Python refuses to read beyond a length."""
    return f"&#{reference[1]}" if len(reference[1]) <= _MOST_DIGITS else "&#0"


class _Visible(HTMLParser):
    """Passes on what a browser would show."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks = Blocks()
        self._unseen = ""  # the tag that hides what is inside it,
        self._closing = _Closing()  # what closes it, other than its own end,
        self._depth = 0  # and how many that nest are open there, with itself

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._leave_before(tag)
        if self._unseen:
            self._depth += tag in self._closing.nests
            return
        given = dict(attrs)
        style = given.get("style") or ""
        if tag in _UNSEEN or (tag not in _VOID and ("hidden" in given or _hides(style))):
            self._unseen, self._depth = tag, 1
            self._closing = _CLOSINGS.get(tag, _Closing(nests={tag}))
        else:
            self.blocks.begin(tag, style)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """As a browser does, take `<p/>` for `<p>`, but let nothing be hidden from there on."""
        self._leave_before(tag)
        if not self._unseen and tag not in _UNSEEN:
            self.blocks.begin(tag, "")

    def _leave_before(self, tag: str) -> None:
        """Shows what comes from here on where this start tag closes the hidden element."""
        closes = tag not in _IN_HEAD if self._unseen == "head" else tag in self._closing.starts
        if closes and self._depth == 1:
            self._unseen, self._depth = "", 0

    def handle_endtag(self, tag: str) -> None:
        unseen = self._unseen
        if unseen:
            own = tag == unseen or tag in self._closing.ends
            self._depth -= own if self._depth == 1 else tag in self._closing.nests
            self._unseen = unseen if self._depth else ""
        if not self._unseen and tag != unseen:
            self.blocks.end(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.blocks.write(data)


def _hides(style: str) -> bool:
    return _HIDDEN_STYLE.search(style) is not None
