"""Findings on trials, for people: rows, remarks, and a report of one page."""

from pathlib import Path
from typing import Any, NamedTuple

from samehand.casework.suitability import RULES, SENTENCES
from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import LEAST_WORDS
from samehand.evaluation.table import number, span
from samehand.io.atomic import write_whole
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.page import page
from samehand.report.plots import cross_entropy, pav_plot, reliability, tippett
from samehand.report.printing import write_document

MEANINGS = {
    "auc": ("AUC", "How often the likelier of two trials, one of each kind, is the one by one "
            "author; 1 is best, 0.5 is chance."),
    "eer": ("EER", "Share of errors where both kinds of errors are equally frequent; 0 is best, "
            "0.5 is chance."),
    "cllr": ("Cllr", "Cost of the likelihood ratios; 0 is best, 1 is that of saying nothing, "
             "above 1 they mislead."),
    "cllr_min": ("Cllr min", "The part of Cllr that no calibration could remove: what the model "
                 "cannot tell apart."),
    "cllr_cal": ("Cllr cal", "The rest of Cllr: lost because the likelihood ratios are too strong, "
                 "too weak or shifted; never quite 0 on few trials, for which its interval "
                 "allows."),
    "devpav": ("devPAV", "How far the likelihood ratios lie from what the trials would make of "
               "them, as a mean difference of log10; 0 is best, and never quite reached on few "
               "trials."),
    "ece": ("ECE", "How far the stated confidence lies from the share of right answers; 0 is "
            "best, and never quite reached on few trials, for which its interval allows."),
}  # fmt: skip
_MISLED = {
    "same": ("LR < 1/10", "Trials by one author that strongly mislead: LR for two above 10."),
    "different": ("LR > 10", "Trials by two authors that strongly mislead: LR for one above 10."),
}
_BAND_FIGURES = ("auc", "cllr", "ece")


_WIDER = (
    "WARNING: verify may answer with stronger likelihood ratios than these trials support; of "
    "texts like these do not quote one below {} or above {}."
)
_STEP = 0.005
"""Difference of log10 LRs that is none."""
_ENOUGH = 20
"""Trials of a kind, from which on a band of trials that misleads is told."""
_CAPTION = (
    "Above left, Tippett: the share of trials with at least the LR on the axis, solid for trials "
    "by one author, dashed for those by two. Above right, reliability: how often trials that were "
    "given a probability were by one author. Below left, PAV: the LRs as given, and as the trials "
    "would have them; dots at the edge are infinite. Below right, empirical cross-entropy: what "
    "the LRs leave unknown at any prior odds; dotted for LRs of 1, solid as given, dashed after "
    "PAV. Where solid lies above dotted, the LRs mislead."
)


class Row(NamedTuple):
    """A figure, as it is shown."""

    name: str
    value: str
    interval: str
    meaning: str


def rows(found: dict[str, Any]) -> list[Row]:
    """Each figure with its 95 % interval and what it means."""
    shown = [
        Row(title, number(found["figures"][name]), _span(found["intervals"].get(name)), meaning)
        for name, (title, meaning) in MEANINGS.items()
    ]
    for kind, (title, meaning) in _MISLED.items():
        part = found["misleading"][kind]
        shown.append(Row(title, number(part["share"]), span(part["interval"]), meaning))
    return shown


def _span(interval: list[float] | None) -> str:
    return "–" if interval is None else span(interval)


def band_rows(bands: dict[str, dict[str, float]]) -> list[tuple[str, ...]]:
    """Figures of bands of trials: by the words of their shortest text, or by known texts."""
    return [
        (name, f"{part['n_same']:,}", f"{part['n'] - part['n_same']:,}",
         *(number(part[figure]) for figure in _BAND_FIGURES))
        for name, part in bands.items()
    ]  # fmt: skip


BAND_HEAD = ("words", "by one", "by two", "AUC", "Cllr", "ECE")
KNOWN_HEAD = ("known texts", *BAND_HEAD[1:])


def remarks(found: dict[str, Any]) -> list[str]:
    """Further remarks, the warnings first."""
    trials = found["trials"]
    why = {
        "adapted_to": "hold a text that the model was adapted to",
        "too_short": f"hold a text of fewer than {LEAST_WORDS} words, which verify refuses,",
        "repeats": "repeat the texts of another",
    }
    left_out = [
        f"{trials[key]:,} trials {reason} and were left out."
        for key, reason in why.items()
        if trials[key]
    ]
    if trials["adapted_to"]:
        left_out[0] = f"WARNING: {left_out[0]} Validate on other texts."
    reads = f"The model reads the first {found['model']['most_tokens']:,} tokens of a text."
    return [*left_out, *_misleading_bands(found), reads, *_about_bounds(found)]


def _misleading_bands(found: dict[str, Any]) -> list[str]:
    """Lengths, and numbers of known texts, of which the LRs cost more than saying nothing."""
    bands = [
        *((f"of {name} words", band) for name, band in found["length_bands"].items()),
        *((f"with {name} known", band) for name, band in found["known_bands"].items()),
    ]
    return [
        f"WARNING: on trials {name} the likelihood ratios mislead (Cllr {band['cllr']:.3f})."
        for name, band in bands
        if min(band["n_same"], band["n"] - band["n_same"]) >= _ENOUGH and band["cllr"] >= 1.0
    ]


def _about_bounds(found: dict[str, Any]) -> list[str]:
    low, high = (plain_lr(bound) for bound in found["log10_lr_bounds"])
    beyond = found["supported_log10_lr_bounds"]
    wider = (
        found["log10_lr_bounds"][0] < beyond[0] - _STEP
        or found["log10_lr_bounds"][1] > beyond[1] + _STEP
    )
    return [
        *([_WIDER.format(*map(plain_lr, beyond))] if wider else []),
        f"This model's likelihood ratios are held between {low} and {high}, here and by verify.",
        "Intervals take the trials for independent; texts used in many trials make them too "
        "narrow.",
    ]


def opening(found: dict[str, Any]) -> str:
    """Which model, on what."""
    trials = found["trials"]
    adapted = "" if found["model"]["adapted"] else " (as it comes, not adapted)"
    return (
        f"{found['model']['name']}{adapted}, on {trials['same']:,} trials by one author and "
        f"{trials['different']:,} by two."
    )


def write_report(path: Path, found: dict[str, Any]) -> None:
    """The report as HTML, or as Markdown or PDF where the name ends so."""
    if path.suffix.lower() == ".md":
        write_whole(path, markdown(found))
    else:
        write_document(path, html(found))


def markdown(found: dict[str, Any]) -> str:
    """The report for people who keep notes."""
    head = ("figure", "value", "95 % interval", "what it means")
    parts = [
        "# Validation",
        opening(found),
        f"**{found['verdict']['sentence']}** {found['verdict']['rule']}",
        _markdown_table(head, [tuple(row) for row in rows(found)]),
        _markdown_table(BAND_HEAD, band_rows(found["length_bands"])),
        _markdown_table(KNOWN_HEAD, band_rows(found["known_bands"])),
        "\n".join(f"- {remark}" for remark in remarks(found)),
        "## Rules of the verdict",
        "\n".join(f"1. {SENTENCES[kind]} {rule}" for kind, rule in RULES.items()),
        "## Materials",
        _markdown_table(("", "SHA-256"), _digests(found)),
    ]
    return "\n\n".join(parts) + "\n"


def html(found: dict[str, Any]) -> str:
    """A validation as one page that needs no other file."""
    head = ("Figure", "Value", "95 % interval", "What it means")
    rules = (tag("li", f"{SENTENCES[kind]}. {rule}") for kind, rule in RULES.items())
    return page(
        "Validation",
        tag("p", opening(found)),
        tag("p", found["verdict"]["sentence"], class_="answer"),
        tag("p", found["verdict"]["rule"]),
        tag("section", tag("h2", "Figures"), table(head, rows(found), class_="meanings")),
        tag("section", tag("h2", "Plots"), _plots(found), tag("p", _CAPTION, class_="note")),
        tag("section", tag("h2", "By length"),
            table(BAND_HEAD, band_rows(found["length_bands"]))),
        tag("section", tag("h2", "By number of known texts"),
            table(KNOWN_HEAD, band_rows(found["known_bands"]))),
        tag("section", tag("h2", "Remarks"), _list(remarks(found))),
        tag("section", tag("h2", "Rules of the verdict"), tag("ol", *rules)),
        tag("section", tag("h2", "Materials"),
            table(("", "SHA-256"), _digests(found), class_="digests")),
    )  # fmt: skip


def _plots(found: dict[str, Any]) -> Markup:
    same, different = found["log10_lrs"]["same"], found["log10_lrs"]["different"]
    return tag(
        "div",
        tippett(same, different),
        reliability(found["reliability"]),
        pav_plot(same, different),
        cross_entropy(same, different),
        class_="plots",
    )


def _digests(found: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        ("model", found["model"]["sha256"]),
        ("pairs", found["pairs_sha256"]),
        ("truth", found["truth_sha256"]),
    ]


def _list(items: list[str]) -> Markup:
    return joined(tag("ul", *(tag("li", item) for item in items)))


def _markdown_table(head: tuple[str, ...], body: list[tuple[str, ...]] | Any) -> str:
    lines = [head, ("---",) * len(head), *body]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
