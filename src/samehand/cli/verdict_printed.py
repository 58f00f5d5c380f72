"""A verdict as `samehand verify` prints it."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from samehand.explaining.habits import Habit
    from samehand.reading import Reading
    from samehand.verdict import Decision, Verdict

_MOST_HABITS = 10
"""That are printed; JSON and the report have all."""


def decision_from(verdict: "Verdict", threshold: float) -> "Decision":
    """The decision by a threshold that the user names."""
    from samehand.verdict import decide

    return decide(verdict.log10_lr, verdict.cautions, math.log10(threshold))


def print_verdict(
    console: "Console",
    verdict: "Verdict",
    readings: list["Reading"],
    habits: Sequence["Habit"] | None,
    with_probability: bool,
    threshold: float | None,
) -> None:
    from samehand.verdict import are_no_evidence

    console.print(verdict.sentence, style="bold")
    console.print()
    numbers = _numbers(verdict)
    if with_probability:
        numbers.add_row("probability", _probability(verdict))
    if threshold is not None:
        author = {"same": "one author", "different": "two authors", "undecided": "undecided"}
        asked = (
            f"{author[decision_from(verdict, threshold)]}, deciding from an LR of {threshold:g} on"
        )
        numbers.add_row("decision", asked)
    console.print(numbers)
    console.print()
    console.print(_texts(verdict, readings))
    if habits is not None and not are_no_evidence(verdict.cautions):
        _print_habits(console, habits)
    if verdict.reasons:
        console.print("\nTo be read with care:")
        reasons = _grid(gap=1)
        for reason in verdict.reasons:
            reasons.add_row(" -", printable(reason))
        console.print(reasons)
    model = verdict.model
    console.print(f"\nModel: {model.name}, made by {model.made_by}, SHA-256 {model.sha256[:12]}.")


def _numbers(verdict: "Verdict") -> "Table":
    from samehand.cautions.caution import plain_lr

    low, high = (plain_lr(bound) for bound in verdict.log10_lr_bounds)
    exactly = f"log10 {verdict.log10_lr:+.2f}; held between {low} and {high}"
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row("likelihood ratio", f"{plain_lr(verdict.log10_lr)} ({exactly})")
    if verdict.interval_in_words:
        table.add_row("range", verdict.interval_in_words)
    table.add_row("in words", verdict.in_words)
    return table


def _probability(verdict: "Verdict") -> str:
    from samehand.report.numbers import plain_odds

    odds = plain_odds(verdict.prior)
    if verdict.supports_neither:
        return f"that of the prior odds, {odds}: the texts do not change it"
    return f"{verdict.probability:.3f} that one author wrote them, at prior odds of {odds}"


def _texts(verdict: "Verdict", readings: list["Reading"]) -> "Table":
    """The texts; where several are known, each with its own likelihood ratio."""
    from samehand.cautions.caution import plain_lr
    from samehand.cautions.texts import titles

    several = len(verdict.known) > 1
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    if several:
        table.add_column(justify="right", no_wrap=True)
    names = (title.lower() for title in titles(len(verdict.known)))
    texts = [verdict.questioned, *verdict.known]
    for name, reading, facts in zip(names, readings, texts, strict=True):
        cells = [name, printable(reading.source), f"{facts.words:,} words"]
        if several:
            own = facts.log10_lr
            cells.append("" if own is None else f"LR {plain_lr(own)} alone")
        table.add_row(*cells)
    return table


def _print_habits(console: "Console", habits: Sequence["Habit"]) -> None:
    from samehand.report.highlights import factor
    from samehand.report.weighing import rate_in_words, usual_in_words

    if not habits:
        console.print(
            "\nNo habit that could be hidden moved the likelihood ratio by more than chance."
        )
        return
    console.print("\nHabits that moved it, per 1,000 words in each text, the questioned one first:")
    table = _grid()
    table.add_column(justify="right", no_wrap=True)
    for habit in habits[:_MOST_HABITS]:
        rates = ", ".join(map(rate_in_words, habit.rates))
        table.add_row(factor(habit.effect), habit.name, f"{rates}; usual {usual_in_words(habit)}")
    console.print(table)


def _grid(gap: int = 2) -> "Table":
    """Columns without lines, with a gap before each."""
    from rich.table import Table

    return Table.grid(padding=(0, 0, 0, gap), pad_edge=True)


def printable(text: str) -> str:
    """File names may hold bytes that are no characters."""
    return text.encode("utf-8", "replace").decode("utf-8")
