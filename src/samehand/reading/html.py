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

_UNSEEN = {
    "script", "style", "head", "title", "template", "noscript", "svg", "math", "select", "textarea",
}  # fmt: skip
_BLOCKS = {
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details",
    "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "li", "main", "menu", "nav", "ol", "p", "pre",
    "section", "summary", "table", "td", "th", "tr", "ul",
}  # fmt: skip
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
}  # fmt: skip
_IN_HEAD = {
    "base", "head", "html", "link", "meta", "noscript", "script", "style", "template", "title",
}  # fmt: skip


class _Closing(NamedTuple):
    """What else closes an element whose end tag may be left out."""

    starts: Set[str] = frozenset()
    ends: Set[str] = frozenset()
    nests: Set[str] = frozenset()
    """Elements inside it, in which the same tags belong to others."""


_SECTIONS = {"tbody", "thead", "tfoot"}
_LISTS = {"ul", "ol", "menu"}
_CELL = _Closing({"td", "th", "tr", *_SECTIONS}, {"tr", "table", *_SECTIONS}, {"table"})
_TERM = _Closing({"dt", "dd"}, {"dl"}, {"dl"})
_CLOSINGS = {
    "head": _Closing(ends={"html"}, nests={"noscript", "template"}),  # its starts: not _IN_HEAD
    "p": _Closing(_BLOCKS - {"br"}, _BLOCKS - {"br"}),
    "li": _Closing({"li"}, _LISTS, _LISTS),
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
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def html_text(page: str) -> str:
    """Text as a reader sees it: a line for each block, no scripts, styles or hidden parts."""
    visible = _Visible()
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
    lines = (" ".join(line.split()) for line in "".join(visible.parts).split("\n"))
    return "\n".join(line for line in lines if line)


class _Visible(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = ""  # the tag that hides what is inside it,
        self._closing = _Closing()  # what closes it, other than its own end,
        self._depth = 0  # and how many that nest are open there, with itself

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._leave_before(tag)
        if self._unseen:
            self._depth += tag in self._closing.nests
            return
        style = dict(attrs)
        hidden = "hidden" in style or _HIDDEN_STYLE.search(style.get("style") or "")
        if tag in _UNSEEN or (hidden and tag not in _VOID):
            self._unseen, self._depth = tag, 1
            self._closing = _CLOSINGS.get(tag, _Closing(nests={tag}))
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._leave_before(tag)
        if not self._unseen and tag in _BLOCKS:
            self.parts.append("\n")

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
        if not self._unseen and tag != unseen and tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))
