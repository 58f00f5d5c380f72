"""The visible text of a web page.

Python's parser takes time in the square of what is left open: a tag without its end makes it look
through all the rest, and again for the next. So it gets the page in parts, and a page that leaves
much open is refused.
"""

import re
from html.parser import HTMLParser

from samehand.reading.faults import Unreadable

_UNSEEN = {"script", "style", "head", "template", "noscript", "svg", "math", "select", "textarea"}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "li", "main", "nav", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
}  # fmt: skip
_VOID = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
}  # fmt: skip
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
        self._unseen = ""  # the tag that hides what is inside it …
        self._depth = 0  # … and how many of its kind are open there

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unseen:
            if tag == "body" and self._unseen == "head":  # a head that is never closed
                self._unseen, self._depth = "", 0
            else:
                self._depth += tag == self._unseen
            return
        style = dict(attrs)
        hidden = "hidden" in style or _HIDDEN_STYLE.search(style.get("style") or "")
        if tag in _UNSEEN or (hidden and tag not in _VOID):
            self._unseen, self._depth = tag, 1
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._unseen and tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._unseen:
            self._depth -= tag == self._unseen
            if not self._depth:
                self._unseen = ""
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(re.sub(r"\s+", " ", data))
