"""Lines at the edges of pages that are no part of the text: running heads, page numbers."""

import re
from collections import Counter, defaultdict
from itertools import pairwise

from samehand.reading.pdf.extracting import Line, Page

_DEPTH = 3
"""Lines from the top and from the bottom of a page that may be such."""
_NEAR = 4.0
"""Points by which the same line may be higher on one page than on another."""
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(
    r"[-–—|·\s]*(?:page|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of)\s*\d{1,4})?[-–—|·\s]*", re.I
)
_BROWSERS_FOOTER = re.compile(r"(?:[a-z]+://|about:|data:).*\d+/\d+", re.I)
_BROWSERS_HEAD = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\d{1,2}:\d\d(?:[AP]M)?.*", re.I)


def without_edges(pages: list[Page]) -> list[Page]:
    """The pages without lines that come again on another page at the same height near its edge.

    They may differ in numbers. Left out, too, are what stands on such a height on other pages, a
    page number alone, and what a browser prints around a page.
    """
    tops = [sorted(page.lines, key=lambda line: -line.base)[:_DEPTH] for page in pages]
    bottoms = [sorted(page.lines, key=lambda line: line.base)[:_DEPTH] for page in pages]
    dropped: set[int] = set()  # by identity: lines may look alike
    for edges in (tops, bottoms):
        dropped |= _repeated(edges)
        dropped |= _at_heights_of(dropped, edges)
    for top, bottom in zip(tops, bottoms, strict=True):
        dropped |= _alone(top, bottom, dropped)
    return [
        page._replace(lines=[line for line in page.lines if id(line) not in dropped])
        for page in pages
    ]


def _repeated(edges: list[list[Line]]) -> set[int]:
    alike: defaultdict[str, list[tuple[int, Line]]] = defaultdict(list)
    for number, lines in enumerate(edges):
        for line in lines:
            alike[_NUMBER.sub("#", _spaceless(line).lower())].append((number, line))
    found: set[int] = set()
    for lines_of_pages in alike.values():
        in_order = sorted(lines_of_pages, key=lambda one: one[1].base)
        for (page, line), (other_page, other) in pairwise(in_order):
            if page != other_page and other.base - line.base <= _NEAR:
                found |= {id(line), id(other)}
    return found


def _at_heights_of(dropped: set[int], edges: list[list[Line]]) -> set[int]:
    """The outermost lines of pages, where two or more other pages have such a line there."""
    heights = Counter(
        round(line.base) for lines in edges for line in lines[:1] if id(line) in dropped
    )
    return {
        id(line)
        for lines in edges
        for line in lines[:1]
        if sum(heights[round(line.base) + off] for off in (-1, 0, 1)) >= 2
    }


def _alone(top: list[Line], bottom: list[Line], dropped: set[int]) -> set[int]:
    """A page number, or what a browser prints, on a page without its like."""
    first = next((line for line in top if id(line) not in dropped), None)
    last = next((line for line in bottom if id(line) not in dropped), None)
    if first is None or last is None or first is last:
        return set()
    found: set[int] = set()
    if _BROWSERS_FOOTER.fullmatch(_spaceless(last)):
        found.add(id(last))
        if _BROWSERS_HEAD.fullmatch(_spaceless(first)):
            found.add(id(first))
        return found
    return {id(line) for line in (first, last) if _PAGE_NUMBER.fullmatch(line.text)}


def _spaceless(line: Line) -> str:
    """Its text without spaces, which pdfium sees between letters that are set far apart."""
    return "".join(line.text.split())
