"""Explanations as the API gives them; parts for reading are made by what makes reports."""

from collections.abc import Sequence

from pydantic import BaseModel, Field

from samehand.explaining.concordance import concordance
from samehand.explaining.habits import Habit
from samehand.explaining.units import TextExplanation
from samehand.report.highlights import factor, kind_of, marked
from samehand.report.markup import Markup, tag
from samehand.report.numbers import round_log
from samehand.report.reported_verdict import ReportedVerdict
from samehand.report.weighing import (
    HABITS_IN_WORDS,
    legend,
    rate_in_words,
    usual_in_words,
    weightiest_passages,
)
from samehand.verdict import are_no_evidence

_UNREAD = 2_000
"""Characters that the model did not read of which the page shows no more."""
MOST_LINES = 100
"""Places of a habit in a text that are shown with what stands around them."""


class WhatWeighedIn(BaseModel):
    """Of one text."""

    units: list[tuple[int, int, float, float]] = Field(
        description="Start, end, attention, and effect: how much the unit adds to the log10 LR."
    )
    tokens: list[tuple[int, int, float]] = Field(description="Start, end, attention.")

    @classmethod
    def of(cls, explained: TextExplanation) -> "WhatWeighedIn":
        return cls(
            units=[(s, e, round(a, 6), round_log(x)) for s, e, a, x in explained.units],
            tokens=[(s, e, round(a, 7)) for s, e, a in explained.tokens],
        )


class HabitFound(BaseModel):
    """A mark, a word, an ending or a spacing, and what hiding it in all texts did."""

    name: str
    effect: float = Field(description="How much it adds to the log10 LR.")
    factor: str = Field(description="The effect on the LR, for reading.")
    kind: str | None = Field(description="How it is marked, if it is.")
    rates: list[float] = Field(description="Per 1,000 words in each text, the questioned first.")
    usual: float = Field(description="Per 1,000 words, the mean over texts of many genres.")
    usual_range: tuple[float, float] = Field(description="Of nine in ten texts of 1,000 words.")
    shown: list[str] = Field(description="Rates and what is usual, for reading.")
    places: list[list[tuple[int, int]]] = Field(description="Start and end of each, by text.")
    lines: list[list[tuple[str, str, str]]] = Field(
        description=f"The first {MOST_LINES} places of each text: before, the habit, after."
    )

    @classmethod
    def of(cls, habit: Habit, texts: Sequence[str]) -> "HabitFound":
        lines = (
            [tuple(line) for line in concordance(text, places[:MOST_LINES])]
            for text, places in zip(texts, habit.places, strict=True)
        )
        return cls(
            name=habit.name,
            effect=round_log(habit.effect),
            factor=factor(round_log(habit.effect)),
            kind=kind_of(habit.effect),
            rates=[round(rate, 2) for rate in habit.rates],
            usual=habit.usual,
            usual_range=habit.usual_range,
            shown=[*map(rate_in_words, habit.rates), usual_in_words(habit)],
            places=[list(own) for own in habit.places],
            lines=list(lines),
        )


class Explained(BaseModel):
    """Of all texts; in texts that are no evidence nothing is marked."""

    log10_lr: float = Field(description="Before it is held between the bounds.")
    questioned: WhatWeighedIn
    known: list[WhatWeighedIn]
    habits: list[HabitFound] = Field(description="The largest effect first.")
    about_habits: str = Field(description="What was done to them, and what that says.")
    legend: str = Field(description="HTML: what marks mean.")
    marked: list[str] = Field(description="HTML: the texts with their passages marked.")
    passages: str = Field(description="HTML: the passages that moved it most.")

    @classmethod
    def of(cls, reported: ReportedVerdict) -> "Explained":
        explanation, texts = reported.explanation, [each.text for each in reported.readings]
        explained = [explanation.questioned, *explanation.known]
        marked_texts = [_marked(text, own) for text, own in zip(texts, explained, strict=True)]
        is_evidence = not are_no_evidence(reported.verdict.cautions)
        return cls(
            log10_lr=round_log(explanation.log10_lr),
            questioned=WhatWeighedIn.of(explanation.questioned),
            known=[WhatWeighedIn.of(text) for text in explanation.known],
            habits=[HabitFound.of(habit, texts) for habit in explanation.habits if is_evidence],
            about_habits=HABITS_IN_WORDS,
            legend=legend(explanation),
            marked=marked_texts if is_evidence else [],
            passages=weightiest_passages(reported) if is_evidence else "",
        )


def _marked(text: str, explained: TextExplanation) -> Markup:
    """A text with its passages marked; of what is not read the beginning."""
    end = explained.units[-1].end + _UNREAD
    left = len(text) - end
    more = f"… and {left:,} characters more, none of them read."
    note = tag("p", more, class_="note") if left > 0 else None
    return tag("div", marked(text[:end], explained), note)
