"""One HTML file that needs no other."""

from pathlib import Path

from samehand.report.markup import Markup, joined, tag

_STYLE = Path(__file__).with_name("report.css")


def page(title: str, *contents: Markup) -> str:
    """The file, with this title above its contents."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(_STYLE.read_text("utf-8"))),
    )
    body = tag("main", tag("h1", title), *contents)
    return joined(Markup("<!doctype html>\n"), tag("html", head, tag("body", body), lang="en"))
