"""The parts of a report, in the order in which a forensic reader expects them."""

import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from samehand import __version__
from samehand.cautions.caution import plain_lr
from samehand.report.figures import lr_scale
from samehand.report.highlights import STRENGTHS, factor, largest_effect, marked, passages
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.model_sections import method, validation
from samehand.report.numbers import plain_odds
from samehand.report.reported_verdict import ReportedVerdict
from samehand.verdict import are_no_evidence

_SHOWN_PASSAGES = 3
_QUOTED = 260


def case(reported: ReportedVerdict) -> Markup | None:
    """What the examiner states, as it stands."""
    if reported.stated is None:
        return None
    stated, digest = reported.stated
    rows = [
        ("Case", stated.number),
        ("Examiner", stated.examiner),
        ("Date", stated.date),
        ("Question", stated.question),
        ("Relevant population", stated.population),
        *((f"Received: {name}", described) for name, described in stated.items.items()),
        ("Notes", stated.notes),
        ("SHA-256 of the case file", tag("code", digest)),
    ]
    return joined(
        tag("p", "As stated by the examiner; samehand has not checked it.", class_="note"),
        table((None, None), [row for row in rows if row[1]], class_="facts"),
    )


def propositions(reported: ReportedVerdict) -> Markup:
    known = "the known text" if len(reported.readings) == 2 else "the known texts"
    one = f"the author of {known} wrote the questioned text."
    two = f"another author, writing in English, wrote it, and not that of {known}."
    stated = reported.stated and reported.stated.case
    return joined(
        tag("p", "The texts were weighed under two propositions:"),
        tag(
            "ul",
            tag("li", f"H₁: {(stated and stated.one_author) or one}"),
            tag("li", f"H₂: {(stated and stated.two_authors) or two}"),
        ),
        tag("p", "All known texts are taken to be by one author.")
        if len(reported.readings) > 2
        else None,
    )


def materials(reported: ReportedVerdict) -> Markup:
    facts = [reported.verdict.questioned, *reported.verdict.known]
    rows, digests = [], []
    for name, reading, text in zip(reported.names, reported.readings, facts, strict=True):
        words = f"{text.words:,}"
        if text.words_read < text.words:
            words += f" ({text.words_read:,} read)"
        rows.append((name, reading.source, words, text.language))
        if reading.sha256 != text.sha256:
            digests.append((f"{name}, file", tag("code", reading.sha256)))
        what = "text in UTF-8" if reading.sha256 != text.sha256 else "file and text"
        digests.append((f"{name}, {what}", tag("code", text.sha256)))
    return joined(
        table(("", "File", "Words", "Language"), rows, class_="materials"),
        table(("", "SHA-256"), digests, class_="digests"),
    )


def finding(reported: ReportedVerdict) -> Markup:
    verdict = reported.verdict
    low, high = (plain_lr(bound) for bound in verdict.log10_lr_bounds)
    why = "by the model's validation trials"
    if not verdict.model.validated:
        why = "as every model without validation is"
    rows = [
        ("Likelihood ratio", f"{plain_lr(verdict.log10_lr)} (log₁₀ {verdict.log10_lr:+.2f})"),
        ("Held between", f"{low} and {high}, {why}"),
        ("In words", verdict.in_words),
    ]
    if verdict.prior != 1.0 and not verdict.supports_neither:
        odds = plain_odds(verdict.prior)
        stated = f"{verdict.probability:.3f} of one author, if the odds were {odds} before"
        rows.append(("Probability", stated))
    reasons = (tag("li", reason) for reason in verdict.reasons)
    return joined(
        tag("p", verdict.sentence, class_="answer"),
        lr_scale(verdict),
        table((None, None), rows, class_="facts"),
        tag(
            "p",
            "The ratio says how far the texts should move whoever weighs them, from odds that the "
            "rest of the case has set. It is not the probability that one author wrote them.",
            class_="note",
        ),
        joined(tag("h3", "To be read with care"), tag("ul", *reasons)) if verdict.reasons else None,
    )


def each_known(reported: ReportedVerdict) -> Markup:
    rows = [
        (name, reading.source, "–" if own is None else plain_lr(own))
        for name, reading, own in zip(
            reported.names[1:],
            reported.readings[1:],
            (text.log10_lr for text in reported.verdict.known),
            strict=True,
        )
    ]
    return joined(
        table(("", "File", "LR alone"), rows, class_="known"),
        tag("p", "The LR of all together is neither their product nor their mean.", class_="note")
        if len(rows) > 1
        else None,
    )


def highlighted(reported: ReportedVerdict) -> Markup:
    explained = [reported.explanation.questioned, *reported.explanation.known]
    if are_no_evidence(reported.verdict.cautions):
        return tag("p", "These texts are no evidence, so nothing in them is marked.")
    faintest, strongest = (f"× {STRENGTHS[place]:g}" for place in (0, -1))
    texts = (
        joined(tag("h3", f"{name}: {reading.source}"), marked(reading.text, text))
        for name, reading, text in zip(reported.names, reported.readings, explained, strict=True)
    )
    return joined(
        tag(
            "p",
            "Each passage of about 26 words was left out in turn, and the likelihood ratio "
            "computed anew. ",
            tag("mark", "Solid, blue", class_="same m3"),
            " passages raise it, for one author; ",
            tag("mark", "dashed, orange", class_="different m3"),
            f" ones lower it. The faintest marking stands for a change of {faintest}, the "
            f"strongest for {strongest} and more, of the ratio before it is held to its bounds; "
            f"here the largest is {factor(largest_effect(reported.explanation))}. This says what "
            "moved the model, not why an author writes so; no single passage is evidence.",
        ),
        _weightiest(reported),
        *texts,
    )


def _weightiest(reported: ReportedVerdict) -> Markup:
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
    return table(("LR", "Text", "Passages that move it most"), rows, class_="weightiest")


def _shortened(passage: str) -> str:
    text = " ".join(passage.split()).lstrip(" .,;:!?)]”’")
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def limits(reported: ReportedVerdict) -> Markup:
    return tag(
        "ul",
        tag("li", "The ratio compares these texts; it does not search, and names nobody."),
        tag("li", "It holds for texts like those of the validation. Another language, period, "
            "genre or length, or two texts of very different kinds, may move it either way."),
        tag("li", "Disguise, imitation, heavy editing, ghost-writing, translation, and text made "
            "or smoothed by a language model were not tested."),
        tag("li", "The model cannot tell what an author quotes from what they write."),
        tag("li", "It is one piece of evidence, to be weighed with the others."),
    )  # fmt: skip


def software(reported: ReportedVerdict) -> Markup:
    rows = [
        ("samehand", __version__),
        ("Python", platform.python_version()),
    ]
    for package in ("numpy", "numba", "safetensors", "regex", "pypdfium2"):
        try:
            rows.append((package, version(package)))
        except PackageNotFoundError:
            rows.append((package, "not installed"))
    return table((None, None), rows, class_="facts")


def repeat(reported: ReportedVerdict) -> Markup:
    return joined(
        tag("pre", reported.command),
        tag("p", "The same files, model and versions give this report again, byte for byte.",
            class_="note"),
    )  # fmt: skip


SECTIONS: tuple[tuple[str, Callable[[ReportedVerdict], Markup | None]], ...] = (
    ("Conclusion", finding),
    ("Case", case),
    ("Propositions", propositions),
    ("Materials", materials),
    ("Method and model", method),
    ("Validation", validation),
    ("Each known text alone", each_known),
    ("What weighed in", highlighted),
    ("Limits", limits),
    ("Software", software),
    ("To repeat this", repeat),
)
