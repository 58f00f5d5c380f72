"""The parts of a report, in the order in which a forensic reader expects them."""

import platform
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version

from samehand import __version__
from samehand.cautions.caution import plain_lr
from samehand.report.figures import lr_scale
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.model_sections import method, validation
from samehand.report.numbers import plain_odds
from samehand.report.reported_verdict import ReportedVerdict
from samehand.report.weighing import highlighted
from samehand.verdict import Verdict, are_no_evidence

_NOT_A_PROBABILITY = (
    "The ratio says how far the texts should move whoever weighs them, from odds that the rest of "
    "the case has set. It is not the probability that one author wrote them. "
)
_RANGE = (
    "How alike texts by one person, and by several, are in this genre is not known exactly: the "
    "range holds nine in ten values that the ratio could have for all that is known of it. It does "
    "not cover other texts by the same people, another population, or other networks."
)
_WHERE = (
    "It holds for English texts like those that the model was tried on. Disguise, imitation, heavy "
    "editing, translation, and text made by a language model were not tested. What it was tried on "
    "stands under Validation, more of its limits under Limits, and how to repeat it at the end."
)


def case(reported: ReportedVerdict) -> Markup | None:
    """The examiner's statement, as it stands."""
    if reported.stated is None:
        return None
    stated, digest, _ = reported.stated
    rows = [
        ("Case", stated.number),
        ("Examiner", stated.examiner),
        ("Date", stated.date),
        ("Question", stated.question),
        ("Relevant population", stated.population),
        *((f"Received: {name}", described) for name, described in stated.items.items()),
        ("Notes", stated.notes),
        ("Case file, SHA-256", tag("code", digest)),
    ]
    return joined(
        table((None, None), [row for row in rows if row[1]], class_="facts"),
        tag("p", "As stated by the examiner; samehand has not checked it.", class_="note"),
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
    """The conclusion, its strength, and what asks for care; of no evidence the reasons first."""
    verdict = reported.verdict
    numbers = table((None, None), _numbers(verdict), class_="facts")
    if are_no_evidence(verdict.cautions):
        return joined(tag("p", verdict.sentence, class_="answer"), _care(reported), numbers)
    return joined(
        tag("p", verdict.sentence, class_="answer"),
        lr_scale(verdict),
        numbers,
        tag("p", _NOT_A_PROBABILITY, _RANGE if verdict.interval_in_words else None, class_="note"),
        _care(reported),
        tag("p", _WHERE, class_="note"),
    )


def _numbers(verdict: Verdict) -> list[tuple[str, str]]:
    low, high = (plain_lr(bound) for bound in verdict.log10_lr_bounds)
    why = "by the model's validation trials"
    if not verdict.model.validated:
        why = "as every model without validation is"
    exactly = f"{plain_lr(verdict.log10_lr)} (log₁₀ {verdict.log10_lr:+.2f})"
    if are_no_evidence(verdict.cautions):
        exactly += ", not to be quoted"
    rows = [
        ("Likelihood ratio", exactly),
        ("In words", verdict.in_words),
        ("Held between", f"{low} and {high}, {why}"),
    ]
    if verdict.interval_in_words:
        rows.insert(1, ("Range", verdict.interval_in_words))
    if len(verdict.log10_lr_by_network) > 1:
        each = ", ".join(map(plain_lr, verdict.log10_lr_by_network))
        rows.append(("By each network alone", each))
    if verdict.prior != 1.0 and not verdict.supports_neither:
        odds = plain_odds(verdict.prior)
        stated = f"{verdict.probability:.3f} of one author, if the odds were {odds} before"
        rows.append(("Probability", stated))
    return rows


def _care(reported: ReportedVerdict) -> Markup | None:
    verdict = reported.verdict
    beyond = reported.tried and reported.tried.validation.beyond(verdict.log10_lr)
    reasons = [*([beyond] if beyond else []), *verdict.reasons]
    if not reasons:
        return None
    return joined(
        tag("h3", "To be read with care"),
        tag("ul", *(tag("li", reason) for reason in reasons)),
    )


def each_known(reported: ReportedVerdict) -> Markup | None:
    if len(reported.readings) == 2:
        return None
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
        tag("p", "The LR of all together is neither their product nor their mean.", class_="note"),
    )


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
