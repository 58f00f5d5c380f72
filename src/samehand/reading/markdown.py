"""Markdown without its markup: what is left is what the author wrote as prose."""

import re

_LEFT_OUT = (
    re.compile(r"\A---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL),  # front matter
    re.compile(r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*\S+.*$", re.MULTILINE),  # where a link leads
    re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])"),  # an image
    re.compile(r"^ {0,3}#{1,6}[ \t]+|[ \t]+#+[ \t]*$", re.MULTILINE),
    re.compile(r"^ {0,3}(?:=+|-{3,}|(?:\*[ \t]*){3,})[ \t]*$", re.MULTILINE),  # rules
    re.compile(r"^ {0,3}(?:>[ \t]?)+", re.MULTILINE),
    re.compile(r"</?[A-Za-z][^<>\n]*>"),
)
_LINK = re.compile(r"\[([^\]\n]+)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_CODE = re.compile(r"(`+)([^`\n]+)\1")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)([^*_]+?)(?<=\S)\1(?![\w*_])")


def markdown_text(source: str) -> str:
    """The prose: no code blocks, link targets, images, marks of headings, quotes and emphasis."""
    for pattern in _LEFT_OUT:
        source = pattern.sub("", source)
    for pattern in (_LINK, _CODE, _EMPHASIS):
        source = pattern.sub(lambda found: found[found.re.groups], source)
    return source
