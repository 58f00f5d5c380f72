"""The parts of a report that are about the model: the method, and how the model was validated."""

from collections.abc import Iterator, Mapping, Sequence

from samehand.cautions.caution import plain_lr
from samehand.evaluation.told_figures import figure
from samehand.model.description import Condition, Figures
from samehand.report.case_validation import on_case_trials
from samehand.report.genre_names import by_family, genre_name, in_families
from samehand.report.markup import Content, Markup, joined, table, tag
from samehand.report.model_card import CaseCard
from samehand.report.plots import reliability, tippett
from samehand.report.reported_verdict import ReportedVerdict
from samehand.scoring.uncertainty import NEW, TWO

_NO_END = 1_000_000
"""Words, from which on a band of lengths has no upper end."""
_MEASURES = (
    "AUC: how often, of two trials, one by one author and one by two, the former has the higher "
    "likelihood ratio; 1 is best, 0.5 is chance. Cllr: what the likelihood ratios cost whoever "
    "relies on them; 0 is best, 1 is the cost of saying nothing, and above 1 they mislead. Of a "
    "family of genres both are means."
)
_PLOTTED = (
    "Left: the share of trials with at least the likelihood ratio on the axis; solid: trials by "
    "one author, dashed: by two, upright: the likelihood ratio of this report. Right: how often "
    "trials that were given a probability were by one author; on the diagonal it is as often as "
    "was said."
)
_BEFORE = "These figures are those of the model before it was adapted to the case data."
_ADAPTED = (
    f"{_BEFORE[:-1]}; samehand validate tries the adapted model on trials of the case's kind."
)


def method(reported: ReportedVerdict) -> Markup:
    facts, card = reported.verdict.model, reported.model
    rows: list[tuple[str, Content]] = [
        ("Model", facts.name),
        ("Model, SHA-256", tag("code", facts.sha256)),
        ("Made by", facts.made_by),
        ("Reads", f"the first {facts.most_tokens:,} words and marks of a text"),
    ]
    if card.learnt_from:
        rows.append(("Learnt from", "; ".join(map(genre_name, card.learnt_from))))
    if card.genres:
        rows.append(("Genres it knows", in_families(card.genres)))
    if reported.verdict.genres:
        rows.append(("These texts seem to be", _likely(reported.verdict.genres)))
    return joined(
        tag(
            "p",
            "A neural network, or several, maps each text to a vector of its style. A likelihood "
            "ratio (LR) says how many times likelier it is to find such vectors if one author "
            f"wrote the texts than if two did. {card.in_words} Several known texts are weighed "
            "together: by the mean of their vectors, and by how many they are.",
        ),
        table((None, None), rows, class_="facts"),
        _case_data(reported, card.case) if card.case else None,
    )


def _likely(shares: Sequence[tuple[str, float]]) -> str:
    named = {NEW: "of a genre that it does not know", TWO: "of two genres, one for each side"}
    return "; ".join(f"{named.get(name, genre_name(name))} ({share:.0%})" for name, share in shares)


def _case_data(reported: ReportedVerdict, case: CaseCard) -> Markup:
    """The case data of an adapted model, and their effect."""
    record, before = case.record, reported.verdict.log10_lr_unadapted
    rows: list[tuple[str, Content]] = [("Case data", case.in_words)]
    if record:
        rows.append(("What was brought", record.in_words()))
        rows.append(("Adapted from", joined(record.name, ", ", tag("code", record.sha256))))
        rows += [(f"{file.name}, SHA-256", tag("code", file.sha256)) for file in record.files]
    if reported.verdict.model.case:
        rows.append(("Texts, SHA-256", tag("code", reported.verdict.model.case.sha256)))
    if before is not None:
        after = plain_lr(reported.verdict.log10_lr)
        rows.append(("What it changed", f"LR {plain_lr(before)} without it, {after} with it"))
    return joined(
        tag("h3", "Adapted to the case"),
        table((None, None), rows, class_="facts"),
        tag(
            "details",
            tag("summary", f"Digests of the {len(case.digests):,} texts of the case data"),
            tag(
                "p",
                "BLAKE2b of 128 bits, of each text in UTF-8, with single spaces. The SHA-256 above "
                "is that of all of them, in ascending order.",
                class_="note",
            ),
            tag("p", tag("code", " ".join(case.digests))),
        ),
    )


def validation(reported: ReportedVerdict) -> Markup:
    """On trials of the case's kind, if the examiner brings any, and as the model states it."""
    tried = reported.tried
    return joined(
        on_case_trials(tried, reported.verdict.log10_lr) if tried else None,
        tag("h3", "As the model states it") if tried else None,
        _as_stated(reported),
    )


def _as_stated(reported: ReportedVerdict) -> Markup:
    found = reported.model.validation
    if not (found.figures or found.sets):
        return tag(
            "p",
            "The description of this model states no validation figures. Its likelihood ratios "
            "have not been shown to hold for any kind of text.",
            class_="warning",
        )
    plots = [
        tippett(found.log10_lrs.same, found.log10_lrs.different, reported.verdict.log10_lr),
        reliability(found.reliability),
    ]
    drawn = [plot for plot in plots if plot]
    like = like_this(reported)
    rows = list(_rows_like(reported, like))
    return joined(
        tag("p", _BEFORE if reported.tried else _ADAPTED, class_="warning")
        if reported.model.case
        else None,
        tag("p", f"{found.on.rstrip('.')}.") if found.on else None,
        tag("h3", "On texts like these") if rows else None,
        table(("", "trials", "AUC", "Cllr"), rows, class_="figures") if rows else None,
        tag("p", _between(like)) if like else None,
        tag("h3", "On each kind of text") if found.sets else None,
        table(("", "genres", "trials", "AUC", "Cllr"), list(_by_family(found.sets)),
              class_="figures") if found.sets else None,
        tag("p", _MEASURES, class_="note"),
        tag("div", *drawn, class_="plots") if drawn else None,
        tag("p", _PLOTTED, class_="note") if len(drawn) > 1 else None,
    )  # fmt: skip


def _rows_like(reported: ReportedVerdict, like: Condition | None) -> Iterator[tuple[str, ...]]:
    """All trials, those of such lengths, and those of the genres that the texts seem to be of."""
    found = reported.model.validation
    if found.figures:
        yield "All trials", *_told(found.figures)
    if like:
        yield (
            f"Of about this length and number of known texts: {_described(like)}",
            *_told(like.figures),
        )
    for name, share in reported.verdict.genres:
        if name in found.sets:
            yield f"{genre_name(name)} ({share:.0%} likely)", *_told(found.sets[name])


def _by_family(sets: Mapping[str, Figures]) -> Iterator[tuple[str, ...]]:
    for family, inside in by_family(sets).items():
        some = [sets[name] for name in inside]
        mean = {
            key: sum(each[key] for each in some) / len(some)
            for key in ("auc", "cllr")
            if all(key in each for each in some)
        }
        trials = {"n": sum(each.get("n", 0) for each in some)}
        yield family, str(len(inside)), *_told(mean | trials)


def _told(figures: Figures) -> tuple[str, ...]:
    return tuple(figure(name, figures.get(name)) for name in ("n", "auc", "cllr"))


def like_this(reported: ReportedVerdict) -> Condition | None:
    """Trials of a length and a number of known texts like these, if the model was tried on any."""
    verdict = reported.verdict
    shorter = min(verdict.questioned.words_read, sum(text.words_read for text in verdict.known))
    conditions = reported.model.validation.conditions
    return next((c for c in conditions if c.holds(shorter, len(verdict.known))), None)


def _described(like: Condition) -> str:
    first, end = like.words
    words = f"{first:,} to {end:,} words" if end < _NO_END else f"{first:,} words and more"
    return f"{words} on the shorter side, {like.known} known"


def _between(like: Condition) -> str:
    low, high = map(plain_lr, like.log10_lrs)
    return (
        "Of the trials of about this length and number nine in ten had a likelihood ratio between "
        f"{low} and {high}."
    )
