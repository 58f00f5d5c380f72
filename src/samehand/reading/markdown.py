"""Markdown without its markup: what is left is what the author wrote as prose.

Every expression is bounded, so that no text, however odd, takes more than time in its length.
"""

import re
from collections.abc import Iterator

_LEFT_OUT = (
    re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL),  # front matter
    re.compile(r"<!--(?:(?!<!--).)*?-->", re.DOTALL),
    re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S.*$", re.MULTILINE),  # where a link leads
    re.compile(r"!\[[^\[\]\n]{0,500}\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])"),  # an image
    re.compile(r"^ {0,3}#{1,6}[ \t]+|(?<=\S)[ \t]{1,4}#{1,6}$", re.MULTILINE),
    re.compile(r"^ {0,3}(?:=+|-{3,}|(?:\*[ \t]?){3,})$", re.MULTILINE),  # rules
    re.compile(r"^ {0,3}(?:>[ \t]?)+", re.MULTILINE),
    re.compile(r"</?[A-Za-z][^<>\n]{0,500}>"),
)
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]{1,500})\1(?!`)")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=[^\s*_])([^*_]{1,500})(?<=\S)\1(?![\w*_])")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")  # what follows backticks holds none
_BARE_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*$")
_QUOTE = re.compile(r" {0,3}> ?")
_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?: {1,4}(?=[^ ])| (?= {4})|$)")
_RULE = re.compile(r" {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$")
_HEADING = re.compile(r" {0,3}#{1,6}(?: |$)")
_DEEPEST = 20
"""Lists and quotes within one another that are told apart."""


def markdown_text(source: str) -> str:
    """The prose: no code blocks, link targets, images, marks of headings, quotes and emphasis."""
    source = "\n".join(_outside_fences(source.split("\n")))
    for pattern in _LEFT_OUT:
        source = pattern.sub("", source)
    for pattern in (_LINK, _CODE, _EMPHASIS):
        source = pattern.sub(lambda found: found[found.re.groups], source)
    return source


def _outside_fences(lines: list[str]) -> Iterator[str]:
    """The lines that are not in a block of code, by the rules of CommonMark.

    Such a block may stand in quotes and items of lists, and ends with them.
    """
    within: list[int] = []  # the width of each item that a line is in, 0 for a quote
    fence = ""
    paragraph = False
    for line in lines:
        wide = line.expandtabs(4).rstrip()
        depth, place = _still_within(within, wide)
        if fence and depth == len(within):
            bare = _BARE_FENCE.match(wide, place)
            if bare and bare[1].startswith(fence):  # of the same character and at least as long
                fence = ""
            continue
        begun, place = _begun(wide, place, _DEEPEST - depth)
        mark = _FENCE.match(wide, place)
        fence = mark[1] if mark else ""
        is_prose = place < len(wide) and not any(
            apart.match(wide, place) for apart in (_FENCE, _RULE, _HEADING)
        )
        if begun or not (paragraph and is_prose):  # a paragraph may go on without its indentation
            within = within[:depth] + begun
        paragraph = is_prose
        if not mark:
            yield line


def _still_within(within: list[int], line: str) -> tuple[int, int]:
    """How many of these items and quotes a line is in, and where in it what they hold begins."""
    place = 0
    for depth, width in enumerate(within):
        quote = None if width else _QUOTE.match(line, place)
        if quote:
            place = quote.end()
        elif width and (place >= len(line) or line.startswith(" " * width, place)):
            place += width
        else:
            return depth, place
    return len(within), place


def _begun(line: str, place: int, most: int) -> tuple[list[int], int]:
    """The widths of items and quotes that begin there, and where what they hold begins."""
    begun: list[int] = []
    while len(begun) < most and not _RULE.match(line, place):
        quote, item = _QUOTE.match(line, place), _ITEM.match(line, place)
        if quote:
            begun.append(0)
            place = quote.end()
        elif item:
            begun.append(max(item.end(), len(item[0].rstrip()) + 1 + place) - place)
            place = item.end()
        else:
            break
    return begun, place
