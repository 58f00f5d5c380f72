"""A class of writers as a table: for people (HTML), for spreadsheets (CSV), for the terminal."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from samehand import __version__
from samehand.casework.class_of_writers import ClassFindings, Finding
from samehand.cautions.caution import plain_lr
from samehand.reading import Reading
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.page import page
from samehand.verdict import Verdict, are_no_evidence, decide

MEANING = (
    "The likelihood ratio (LR) of a writer says how many times likelier the texts are if that "
    "writer wrote the new one than if somebody else did: 4 speaks for the writer, 1/4 as much for "
    "somebody else. How likely either is depends on all else that is known."
)
MANY = (
    "Among many comparisons some come out low and some high by chance alone. So the lowest of them "
    "is not remarkable for being the lowest: weigh it with what else is known of that writer, and "
    "compare other texts."
)
_COLUMNS = (
    "writer", "log10_lr", "lr", "in_words", "sentence", "prior", "probability", "decision",
    "words", "earlier_texts", "earlier_words", "cautions", "not_compared",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Starts of cells that spreadsheets compute instead of showing."""


class ReportedClass(NamedTuple):
    """All that the table of a class says."""

    found: ClassFindings
    readings: Sequence[Sequence[Reading]]
    """Of each writer: the new text, and the earlier ones that were compared."""
    without_new: Sequence[str]
    """Those with earlier texts alone."""
    with_probability: bool
    threshold: float | None
    """The LR from which on something is decided, if that is asked for."""
    command: str


def opening(found: ClassFindings) -> str:
    """How many were compared, and how many speak against their writers, beside chance."""
    n, left = len(found.compared), len(found.findings) - len(found.compared)
    texts = f"{n:,} new text{' was' if n == 1 else 's were'}"
    rest = f"; {left:,} could not be" if left else ""
    said = f"{texts} compared with earlier texts of the same writer{rest}."
    if not found.if_own:
        return said
    low = found.if_own[0]
    return (
        f"{said} Of these {low.found} came out at an LR of {plain_lr(math.log10(low.lr))} or less; "
        f"if all writers wrote their own text, {low.expected_in_words} would by chance alone."
    )


def head(reported: ReportedClass) -> tuple[str, ...]:
    """Names of the columns."""
    return ("writer", "LR", "in words", *_wanted(reported, "probability", "decision"), "words",
            "earlier texts")  # fmt: skip


def rows(reported: ReportedClass) -> list[tuple[str, ...]]:
    """A row for each writer who was compared."""
    verdicts = ((each.name, each.verdict) for each in reported.found.findings)
    return [_row(reported, name, verdict) for name, verdict in verdicts if verdict is not None]


def reasons(found: ClassFindings) -> Mapping[str, Sequence[str]]:
    """By writer, why a finding is to be read with care."""
    verdicts = ((each.name, each.verdict) for each in found.findings)
    return _together((name, each.reasons) for name, each in verdicts if each and each.reasons)


def not_compared(found: ClassFindings, without_new: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """By writer, why nothing was compared."""
    faults = ((each.name, [each.fault]) for each in found.findings if each.fault)
    return _together([*faults, *((name, ["There is no new text."]) for name in without_new)])


def _together(said: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The sentences by name, which several may share."""
    found: dict[str, list[str]] = {}
    for name, sentences in said:
        found.setdefault(name, []).extend(sentences)
    return found


def class_html(reported: ReportedClass) -> str:
    """The table as one HTML file that needs no other; the same inputs give the same bytes."""
    found = reported.found
    sections = (
        (
            "Findings",
            joined(table(head(reported), rows(reported)), tag("p", MEANING, class_="note")),
        ),
        ("By chance alone", _by_chance(found)),
        ("To be read with care", _by_name(reasons(found))),
        ("Not compared", _by_name(not_compared(found, reported.without_new))),
        ("Files", _files(reported)),
        ("How to repeat it", _origin(reported)),
    )
    return page(
        "New texts against earlier texts of the same writers",
        tag("p", opening(found), class_="answer"),
        *(tag("section", tag("h2", title), text) for title, text in sections if text),
    )


def class_csv(reported: ReportedClass) -> str:
    """The table for a spreadsheet, with a row for each writer."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(_cells(reported, finding) for finding in reported.found.findings)
    return written.getvalue()


def _row(reported: ReportedClass, name: str, verdict: Verdict) -> tuple[str, ...]:
    no_evidence = are_no_evidence(verdict.cautions)
    n_words = sum(text.words for text in verdict.known)
    probability = "–" if verdict.supports_neither else f"{verdict.probability:.3f}"
    return (
        name,
        "–" if no_evidence else plain_lr(verdict.log10_lr),
        "no evidence" if no_evidence else verdict.verbal_scale,
        *_wanted(reported, probability, decision(reported, verdict)),
        f"{verdict.questioned.words:,}",
        f"{len(verdict.known)} ({n_words:,} words)",
    )


def _by_chance(found: ClassFindings) -> Markup:
    said = (
        joined(tag("p", supposed), tag("ul", *(tag("li", each) for each in expected)))
        for supposed, expected in found.expectations
    )
    return joined(*said, tag("p", MANY))


def _by_name(said: Mapping[str, Sequence[str]]) -> Markup | None:
    rows = [(name, " ".join(sentences)) for name, sentences in said.items()]
    return table((None, None), rows, class_="facts") if rows else None


def _files(reported: ReportedClass) -> Markup:
    named = zip(reported.found.findings, reported.readings, strict=True)
    each = [
        (each.name, reading.source, tag("code", reading.sha256))
        for each, readings in named
        for reading in readings
    ]
    return table(("writer", "file", "SHA-256"), each, class_="digests")


def _origin(reported: ReportedClass) -> Markup:
    verdicts = reported.found.compared
    model = verdicts[0].model if verdicts else None
    said = f"samehand {__version__}"
    if model is not None:
        said += f"; model {model.name}, SHA-256 {model.sha256}"
    return joined(tag("p", f"{said}."), tag("pre", reported.command))


def _wanted(reported: ReportedClass, probability: str, decision: str) -> Iterator[str]:
    """Those of the two that were asked for."""
    if reported.with_probability:
        yield probability
    if reported.threshold is not None:
        yield decision


def decision(reported: ReportedClass, verdict: Verdict) -> str:
    """The decision from the threshold that was asked for, or else from the usual one."""
    if reported.threshold is None:
        return verdict.decision
    return decide(verdict.log10_lr, verdict.cautions, math.log10(reported.threshold))


def _cells(reported: ReportedClass, finding: Finding) -> list[object]:
    verdict = finding.verdict
    if verdict is None:
        return [_cell(finding.name), *[""] * (len(_COLUMNS) - 2), _cell(finding.fault or "")]
    name, lr, in_words, *_ = _row(reported, finding.name, verdict)
    log10_lr, probability = f"{verdict.log10_lr:g}", f"{verdict.probability:.4f}"
    if are_no_evidence(verdict.cautions):
        log10_lr = probability = ""
    known = verdict.known
    return [
        _cell(name), log10_lr, lr, in_words, verdict.sentence, verdict.prior, probability,
        decision(reported, verdict), verdict.questioned.words, len(known),
        sum(text.words for text in known), _cell(" ".join(verdict.reasons)), "",
    ]  # fmt: skip


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
