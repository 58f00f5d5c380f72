"""`samehand verify --report`: all that was found and how, on one page that stands by itself.

The same inputs give the same bytes: there is no date in it, and nothing random.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from samehand.explaining.units import Explanation
from samehand.reading import Reading
from samehand.report.markup import Markup, joined, tag
from samehand.verdict import Verdict

__all__ = ["Case", "page", "report_html"]

_STYLE = Path(__file__).with_name("report.css")


@dataclass(frozen=True)
class Case:
    """What is reported."""

    verdict: Verdict
    explanation: Explanation
    readings: Sequence[Reading]
    """The questioned text, then the known ones."""
    description: dict[str, Any]
    """Of the model."""
    command: str
    """That makes the same report."""

    @property
    def names(self) -> list[str]:
        """Of the texts, in the order of the readings."""
        n = len(self.readings) - 1
        return ["Questioned", *(["Known"] if n == 1 else [f"Known {i}" for i in range(1, n + 1)])]


def report_html(case: Case) -> str:
    """The report as one HTML file."""
    from samehand.report.sections import SECTIONS

    sections = (tag("section", tag("h2", title), write(case)) for title, write in SECTIONS)
    return page("Did the same hand write these texts?", *sections)


def page(title: str, *contents: Markup) -> str:
    """One HTML file that needs no other."""
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(_STYLE.read_text("utf-8"))),
    )
    body = tag("main", tag("h1", title), *contents)
    return joined(Markup("<!doctype html>\n"), tag("html", head, tag("body", body), lang="en"))
