"""Markdown without its markup: what is left is what the author wrote as prose."""

import re
import time

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from samehand.reading.faults import Unreadable
from samehand.reading.html import html_text

MOST_SECONDS = 60.0
"""A book takes less; some texts can be made to take hours."""
MOST_STEPS = 1_000_000
"""Marks, lines and words around them that the parser looks at; each may become an object."""
_FRONT_MATTER = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def markdown_text(source: str) -> str:
    """The prose: no fenced code, link targets, images, marks of headings, lists and emphasis.

    Line ends stay, as in a plain text. Indented blocks are read: in prose they are quotations and
    verse more often than code.
    """
    parser = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"])
    clock = _Clock()
    parser.block.ruler.before("code", "clock", clock.of_block)
    parser.inline.ruler.before("text", "clock", clock.of_inline)
    tokens = parser.parse(_FRONT_MATTER.sub("", source))
    shown = [token for token in tokens if token.type != "fence"]
    return html_text(parser.renderer.render(shown, parser.options, {}))


class _Clock:
    """A rule before the other rules of a parser, which stops it when it has done too much."""

    def __init__(self) -> None:
        self._end = time.monotonic() + MOST_SECONDS
        self._steps = 0

    def of_block(self, state: StateBlock, first: int, last: int, silent: bool) -> bool:
        return self._goes_on()

    def of_inline(self, state: StateInline, silent: bool) -> bool:
        return self._goes_on()

    def _goes_on(self) -> bool:
        self._steps += 1
        if self._steps > MOST_STEPS or time.monotonic() > self._end:
            raise Unreadable("the Markdown takes too long to read; save it as .txt")
        return False
