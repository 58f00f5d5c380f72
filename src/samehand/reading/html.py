"""The visible text of a web page."""

import re
from html.parser import HTMLParser

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
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def html_text(page: str) -> str:
    """Text as a reader sees it: a line for each block, no scripts, styles or hidden parts."""
    visible = _Visible()
    visible.feed(page)
    visible.close()
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
