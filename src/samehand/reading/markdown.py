"""Markdown without its markup: what is left is what the author wrote as prose."""

import re

from markdown_it import MarkdownIt

from samehand.reading.html import html_text

_FRONT_MATTER = re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def markdown_text(source: str) -> str:
    """The prose: no fenced code, link targets, images, marks of headings, lists and emphasis.

    Line ends stay, as in a plain text. Indented blocks are read: in prose they are quotations and
    verse more often than code.
    """
    parser = MarkdownIt("commonmark", {"breaks": True}).enable(["table", "strikethrough"])
    tokens = parser.parse(_FRONT_MATTER.sub("", source))
    shown = [token for token in tokens if token.type != "fence"]
    return html_text(parser.renderer.render(shown, parser.options, {}))
