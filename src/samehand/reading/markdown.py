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


def markdown_text(source: str) -> str:
    """The prose: no code blocks, link targets, images, marks of headings, quotes and emphasis."""
    source = "\n".join(_outside_fences(source.split("\n")))
    for pattern in _LEFT_OUT:
        source = pattern.sub("", source)
    for pattern in (_LINK, _CODE, _EMPHASIS):
        source = pattern.sub(lambda found: found[found.re.groups], source)
    return source


def _outside_fences(lines: list[str]) -> Iterator[str]:
    """The lines that are not in a block of code, by the rules of CommonMark."""
    fence = ""
    for line in lines:
        if fence:
            bare = _BARE_FENCE.match(line)
            if bare and bare[1].startswith(fence):  # of the same character and at least as long
                fence = ""
        elif mark := _FENCE.match(line):
            fence = mark[1]
        else:
            yield line
