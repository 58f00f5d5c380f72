"""Texts with what weighed in marked, by how far leaving it out moves the likelihood ratio."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from samehand.explaining.units import Explanation, TextExplanation
from samehand.report.markup import Markup, joined, tag

LEVELS = 4
FAINTEST = 0.3
"""A passage with less than this share of the largest effect is not marked."""


class Passage(NamedTuple):
    """What a unit holds before the next one begins: passages do not overlap, as units do."""

    start: int
    end: int
    effect: float


def passages(explained: TextExplanation) -> list[Passage]:
    """All that is read of a text."""
    units = explained.units
    ends = [*(unit.start for unit in units[1:]), units[-1].end]
    return [Passage(unit.start, end, unit.effect) for unit, end in zip(units, ends, strict=True)]


def largest_effect(explanation: Explanation) -> float:
    """Over all texts: what the strongest marking stands for."""
    texts = (explanation.questioned, *explanation.known)
    return max(abs(unit.effect) for text in texts for unit in text.units)


def marked(text: str, explained: TextExplanation, largest: float) -> Markup:
    """The whole text; what was not read is marked as such."""
    return tag("div", joined(*_parts(text, explained, largest)), class_="text", dir="auto")


def _parts(text: str, explained: TextExplanation, largest: float) -> Iterator[Markup]:
    done = 0
    for start, end, effect in passages(explained):
        yield joined(text[done:start])
        kind = _kind(effect, largest)
        shown = text[start:end]
        yield tag("mark", shown, class_=kind, title=f"{effect:+.3f}") if kind else joined(shown)
        done = end
    rest = text[done:]
    yield tag("span", rest, class_="unread") if rest.strip() else joined(rest)


def _kind(effect: float, largest: float) -> str | None:
    share = abs(effect) / largest if largest else 0.0
    if share < FAINTEST:
        return None
    level = 1 + min(LEVELS - 1, math.floor(LEVELS * (share - FAINTEST) / (1 - FAINTEST)))
    return f"{'same' if effect > 0 else 'different'} m{level}"


def factor(effect: float) -> str:
    """An effect in words of the likelihood ratio: × 1.08, ÷ 1.2."""
    times = 10 ** abs(effect)
    return f"{'×' if effect >= 0 else '÷'} {times:.3g}"
