"""Habits and passages that moved the ratio, and the texts with them marked."""

from samehand.explaining.habits import Habit
from samehand.explaining.units import Explanation
from samehand.report.highlights import STRENGTHS, factor, largest_effect, marked, passages
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.reported_verdict import ReportedVerdict
from samehand.verdict import are_no_evidence

_SHOWN_PASSAGES = 3
HABITS_IN_WORDS = (
    "Where a habit is more frequent than usual, what is beyond the usual was hidden in all texts "
    "at once, and the likelihood ratio computed anew. Numbers are per 1,000 words; usual is the "
    "mean over texts of many genres and, in brackets, where nine in ten texts of 1,000 words lie. "
    "Listed is what moves the ratio by × 1.05 at least, and by more than hiding as many other "
    "places does. This says what moved the model: habits act together, so that the factors do not "
    "multiply to the ratio, and a habit of one text alone may raise it."
)
_SHOWN_HABITS = 12
_TEXTS_APART = 4
"""Texts that have a column each in the table of habits, at most."""
_QUOTED = 260


def highlighted(reported: ReportedVerdict) -> Markup:
    explained = [reported.explanation.questioned, *reported.explanation.known]
    if are_no_evidence(reported.verdict.cautions):
        return tag("p", "These texts are no evidence, so nothing in them is marked.")
    texts = (
        joined(tag("h3", f"{name}: {reading.source}"), marked(reading.text, text))
        for name, reading, text in zip(reported.names, reported.readings, explained, strict=True)
    )
    return joined(
        _habits(reported),
        tag("h3", "Passages that moved it most"),
        legend(reported.explanation),
        weightiest_passages(reported),
        *texts,
    )


def legend(explanation: Explanation) -> Markup:
    """Legend for marked passages."""
    faintest, strongest = (f"× {STRENGTHS[place]:g}" for place in (0, -1))
    return tag(
        "p",
        "Each passage of about 26 words was left out in turn, and the likelihood ratio "
        "computed anew. ",
        tag("mark", "Solid, blue", class_="same m3"),
        " passages raise it, for one author; ",
        tag("mark", "dashed, orange", class_="different m3"),
        f" ones lower it. The faintest marking stands for a change of {faintest}, the "
        f"strongest for {strongest} and more, of the ratio before it is held to its bounds; "
        f"here the largest is {factor(largest_effect(explanation))}. This says what "
        "moved the model, not why an author writes so; no single passage is evidence.",
    )


def _habits(reported: ReportedVerdict) -> Markup | None:
    """Habits that moved the ratio: how often each text shows them, and how usual that is."""
    habits = reported.explanation.habits[:_SHOWN_HABITS]
    if not habits:
        return None
    names = reported.names
    if len(names) > _TEXTS_APART:
        names = [names[0], "Known texts, mean"]
    rows = [
        (
            factor(habit.effect),
            habit.name,
            *map(rate_in_words, _rates(habit)),
            usual_in_words(habit),
        )
        for habit in habits
    ]
    return joined(
        tag("h3", "Habits that moved it most"),
        table(("LR", "Habit", *names, "Usual"), rows, class_="habits"),
        tag(
            "p",
            HABITS_IN_WORDS,
            class_="note",
        ),
    )


def _rates(habit: Habit) -> tuple[float, ...]:
    """Of each text; of many known ones the mean."""
    questioned, *known = habit.rates
    if len(habit.rates) <= _TEXTS_APART:
        return habit.rates
    return questioned, sum(known) / len(known)


def rate_in_words(per_thousand: float) -> str:
    """How often, for reading."""
    return (
        f"{per_thousand:.0f}" if per_thousand >= 9.95 or not per_thousand else f"{per_thousand:.1f}"
    )


def usual_in_words(habit: Habit) -> str:
    """How often texts of many genres have it."""
    low, high = map(rate_in_words, habit.usual_range)
    return f"{rate_in_words(habit.usual)} ({low} to {high})"


def weightiest_passages(reported: ReportedVerdict) -> Markup:
    """The passages with the largest effects to either side."""
    found = [
        (passage.effect, name, reading.text[passage.start : passage.end])
        for name, reading, text in zip(
            reported.names,
            reported.readings,
            (reported.explanation.questioned, *reported.explanation.known),
            strict=True,
        )
        for passage in passages(text)
    ]
    ranked = sorted(found, key=lambda item: -item[0])
    raising = [item for item in ranked[:_SHOWN_PASSAGES] if item[0] > 0]
    lowering = [item for item in ranked[::-1][:_SHOWN_PASSAGES] if item[0] < 0]
    rows = [
        (factor(effect), name, tag("span", _shortened(text), dir="auto"))
        for effect, name, text in (*raising, *lowering)
    ]
    return table(("LR", "Text", "Passage"), rows, class_="weightiest")


def _shortened(passage: str) -> str:
    text = " ".join(passage.split()).lstrip(" .,;:!?)]”’")
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
