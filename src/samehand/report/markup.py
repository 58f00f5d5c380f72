"""HTML and SVG by construction: what is text is escaped, whoever wrote it."""

from collections.abc import Sequence
from html import escape

_VOID = {"meta", "hr", "br"}


class Markup(str):
    """Markup that may stand in a page as it is."""

    __slots__ = ()


Content = str | int | None
"""Markup, or text to be escaped; None is left out."""


def tag(name: str, /, *contents: Content, **attributes: Content) -> Markup:
    """An element: `tag("p", "1 < 2", class_="note")`. In names `_` stands for `-`."""
    shown = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{shown}>")
    return Markup(f"<{name}{shown}>{joined(*contents)}</{name}>")


def joined(*contents: Content) -> Markup:
    """Contents one after another."""
    return Markup(
        "".join(
            item if isinstance(item, Markup) else escape(visible(str(item)))
            for item in contents
            if item is not None
        )
    )


def visible(text: str) -> str:
    """Text that can be written down: half a character, and the character 0, become a mark."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "�")


def table(head: Sequence[Content], rows: Sequence[Sequence[Content]], **attributes: str) -> Markup:
    """A table; the first cell of each row names it."""
    names = (tag("th", cell, scope="col") for cell in head)
    body = (
        tag("tr", tag("th", first, scope="row"), *(tag("td", cell) for cell in rest))
        for first, *rest in rows
    )
    top = tag("thead", tag("tr", *names)) if any(head) else None
    return tag("table", top, tag("tbody", *body), **attributes)
