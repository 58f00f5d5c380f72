"""Texts with what weighed in marked, by how far leaving it out moves the likelihood ratio."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from samehand.explaining.units import Explanation, TextExplanation
from samehand.report.markup import Markup, joined, tag

STRENGTHS = (1.1, 1.25, 1.6, 2.5)
"""Changes of the LR from which on a passage is marked, and marked more strongly: the same in every
report, so that what hardly moves anything is hardly seen."""


class Passage(NamedTuple):
    """Part of a unit, before the next one begins: passages do not overlap; units do."""

    start: int
    end: int
    effect: float


def passages(explained: TextExplanation) -> list[Passage]:
    """All that is read of a text."""
    units = explained.units
    ends = [*(unit.start for unit in units[1:]), units[-1].end]
    return [Passage(unit.start, end, unit.effect) for unit, end in zip(units, ends, strict=True)]


def largest_effect(explanation: Explanation) -> float:
    """The largest effect of a unit on the log10 LR, over all texts."""
    texts = (explanation.questioned, *explanation.known)
    return max(abs(unit.effect) for text in texts for unit in text.units)


def marked(text: str, explained: TextExplanation) -> Markup:
    """The whole text; what was not read is marked as such."""
    return tag("div", joined(*_parts(text, explained)), class_="text", dir="auto")


def _parts(text: str, explained: TextExplanation) -> Iterator[Markup]:
    done = 0
    for start, end, effect in passages(explained):
        yield joined(text[done:start])
        kind = kind_of(effect)
        shown = text[start:end]
        yield tag("mark", shown, class_=kind, title=f"{effect:+.3f}") if kind else joined(shown)
        done = end
    rest = text[done:]
    yield tag("span", rest, class_="unread") if rest.strip() else joined(rest)


def kind_of(effect: float) -> str | None:
    """How a passage with such an effect is marked, if it is."""
    level = sum(abs(effect) >= math.log10(times) for times in STRENGTHS)
    return f"{'same' if effect > 0 else 'different'} m{level}" if level else None


def factor(effect: float) -> str:
    """An effect in words of the likelihood ratio: × 1.08, ÷ 1.2."""
    times = 10 ** abs(effect)
    return f"{'×' if effect >= 0 else '÷'} {times:.3g}"
