"""The parts of a report that are about the model: the method, and how the model was validated."""

from samehand.cautions.caution import plain_lr
from samehand.evaluation.told_figures import FIGURES, figure
from samehand.report.figures import reliability, tippett
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.model_card import CaseCard
from samehand.report.reported_verdict import ReportedVerdict

_NO_END = 1_000_000
"""Words, from which on a band of lengths has no upper end."""
_ADAPTED = (
    "These figures are those of the model before it was adapted to the case data; samehand "
    "validate tries the adapted model on trials of the case's kind."
)


def method(reported: ReportedVerdict) -> Markup:
    facts, card = reported.verdict.model, reported.model
    rows = [
        ("Model", facts.name),
        ("Model, SHA-256", tag("code", facts.sha256)),
        ("Made by", facts.made_by),
        ("Reads", f"the first {facts.most_tokens:,} words and marks of a text"),
    ]
    if card.learnt_from:
        rows.append(("Learnt from", ", ".join(card.learnt_from)))
    if card.genres:
        rows.append(("Genres it knows", ", ".join(card.genres)))
    if card.case:
        rows.append(("Case data", card.case.in_words))
    if card.case and card.case.record:
        rows.append(
            ("What was brought", f"{card.case.record.in_words()} ({card.case.record.date})")
        )
    return joined(
        tag(
            "p",
            "A neural network, or several, maps each text to a vector of its style. A likelihood "
            "ratio (LR) says how many times likelier it is to find such vectors if one author "
            f"wrote the texts than if two did. {card.in_words} Several known texts are weighed "
            "together: by the mean of their vectors, and by how many they are.",
        ),
        table((None, None), rows, class_="facts"),
        _digests_of_case(card.case) if card.case else None,
    )


def _digests_of_case(case: CaseCard) -> Markup:
    """Which texts the model was adapted to; their number has no limit, so they are folded."""
    files = case.record.files if case.record else ()
    return joined(
        table(
            ("Case data, file", "SHA-256"),
            [(file.name, tag("code", file.sha256)) for file in files],
            class_="digests",
        )
        if files
        else None,
        tag(
            "details",
            tag("summary", f"Digests of the {len(case.digests):,} texts of the case data"),
            tag(
                "p",
                "BLAKE2b of 128 bits, of each text in UTF-8, with single spaces.",
                class_="note",
            ),
            tag("p", tag("code", " ".join(case.digests))),
        ),
    )


def validation(reported: ReportedVerdict) -> Markup:
    found = reported.model.validation
    rows = {"All trials": found.figures} if found.figures else {}
    rows |= found.sets
    if not rows:
        return tag(
            "p",
            "The description of this model states no validation figures. Its likelihood ratios "
            "have not been shown to hold for any kind of text.",
            class_="warning",
        )
    shown = [name for name in FIGURES if any(name in row for row in rows.values())]
    cells = [
        (title, *(figure(name, row.get(name)) for name in shown)) for title, row in rows.items()
    ]
    plots = [
        plot for plot in (tippett(found, reported.verdict.log10_lr), reliability(found)) if plot
    ]
    return joined(
        tag("p", _ADAPTED, class_="warning") if reported.model.case else None,
        tag("p", found.on) if found.on else None,
        like_this(reported),
        table(("", *(FIGURES[name] for name in shown)), cells, class_="figures"),
        tag(
            "p",
            "AUC: 1 is best, 0.5 is chance. Cllr: cost of the likelihood ratios, 0 is best, 1 is "
            "that of saying nothing. ECE: gap between probabilities and frequencies, 0 is best.",
            class_="note",
        ),
        tag("div", *plots, class_="plots") if plots else None,
        tag(
            "p",
            "Solid: trials by one author. Dashed: by two. The upright line is the likelihood ratio "
            "of this report.",
            class_="note",
        )
        if plots
        else None,
    )


def like_this(reported: ReportedVerdict) -> Markup | None:
    """How the model did on trials of a length and a number of known texts like these."""
    verdict = reported.verdict
    shorter = min(verdict.questioned.words_read, sum(text.words_read for text in verdict.known))
    conditions = reported.model.validation.conditions
    found = next((c for c in conditions if c.holds(shorter, len(verdict.known))), None)
    if found is None:
        return None
    first, end = found.words
    words = f"{first:,} to {end:,}" if end < _NO_END else f"{first:,} and more"
    low, high = (plain_lr(log10_lr) for log10_lr in found.log10_lrs)
    n, auc, cllr = (figure(name, found.figures.get(name)) for name in ("n", "auc", "cllr"))
    return tag(
        "p",
        f"Among them are {n} trials of about this length and number of known texts (words on the "
        f"shorter side: {words}; known texts: {found.known}): AUC {auc}, Cllr {cllr}; nine in ten "
        f"of their likelihood ratios lay between {low} and {high}.",
    )
