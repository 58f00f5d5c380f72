"""The paragraphs of a web page, made of the tags and the text that a browser would show."""

import re

from samehand.reading.paragraphs import Paragraph

BLOCKS = {
    "address", "article", "aside", "blockquote", "caption", "center", "dd", "details", "dialog",
    "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4",
    "h5", "h6", "header", "hgroup", "hr", "li", "main", "menu", "nav", "ol", "p", "pre", "section",
    "summary", "table", "td", "th", "tr", "ul",
}  # fmt: skip
LISTS = {"ul", "ol", "menu"}
_HOLDERS = {*LISTS, "dl", "table"}
_ITEMS = {"li", "dt", "dd", "tr", "td", "th"}
_KEEPS_LINES = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_EMPTY = Paragraph("")


class Blocks:
    """Collects text, and makes a paragraph of it where a block begins or ends."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._text: list[str] = []
        self._holders = 0  # lists and tables that are open
        self._has_items = self._is_next_item = False  # in the outermost of them
        self._keeping = ""  # the tag within which line ends count,
        self._depth = 0  # and how many of that tag are open in it, with itself

    def begin(self, tag: str, style: str) -> None:
        """A start tag that is shown."""
        if tag == "br":
            self._text.append("\n")
        elif tag in BLOCKS:
            self.end_paragraph()
        if tag == "p" == self._keeping:  # which closes the one before
            self._keeping = ""
        if self._keeping:
            self._depth += tag == self._keeping
        elif tag == "pre" or _KEEPS_LINES.search(style):
            self._keeping, self._depth = tag, 1
        if tag in _HOLDERS:
            self._holders += 1
        elif tag in _ITEMS and self._holders:
            self._is_next_item |= self._has_items

    def end(self, tag: str) -> None:
        """An end tag that is shown."""
        if tag in BLOCKS:
            self.end_paragraph(may_be_empty=tag == "p")
        if tag == self._keeping:
            self._depth -= 1
            self._keeping = tag if self._depth else ""
        if tag in _HOLDERS and self._holders:
            self._holders -= 1
            if not self._holders:
                self._has_items = self._is_next_item = False

    def write(self, text: str) -> None:
        """Text that is shown. Its line ends are those of the page's source, if none are kept."""
        self._text.append(text if self._keeping else re.sub(r"[^\S\xa0]+", " ", text))

    def end_paragraph(self, *, may_be_empty: bool = False) -> None:
        """Make a paragraph of what was written since the last one."""
        written = "".join(self._text)
        self._text.clear()
        lines = [" ".join(line.split()) for line in written.split("\n")]
        text = "\n".join(lines).strip("\n")
        if text:
            self.paragraphs.append(Paragraph(text, self._is_next_item))
            self._has_items, self._is_next_item = self._holders > 0, False
        elif may_be_empty or "\n" in written or "\xa0" in written:
            self.paragraphs.append(_EMPTY)
