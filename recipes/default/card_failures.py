"""Where the figures say that a model is not to be trusted."""

from collections.abc import Iterable
from typing import Any

from card_tables import interval, named, percent, right, text_of
from card_text import SYSTEMS

Json = dict[str, Any]


def failures(quality: Json) -> str:
    """A list: over-confidence by kind and set, useless sets, the weakest genre, peers, length."""
    found = [
        *_by_kind(quality),
        *_weakest(quality),
        *_useless(quality),
        *_one_sided(quality),
        *_not_ahead(quality),
        *_lengths(quality),
    ]
    return "\n".join(f"- {line}" for line in found)


def _by_kind(quality: Json) -> Iterable[str]:
    for kind, pooled in _ours(quality, "kinds"):
        claim = f"it claims {percent(pooled['conf'])} confidence and is right in "
        claim += f"{percent(right(pooled))} (all trials together, ECE {interval(pooled, 'ece')})."
        name = f"Of {text_of(kind)}"
        if _over(pooled):
            yield f"**{name}: over-confident.** On average {claim}"
        elif _under(pooled):
            yield f"{name}: less confident than right. On average {claim}"
        else:
            yield f"{name}: about as confident as right. On average {claim}"


def _weakest(quality: Json) -> Iterable[str]:
    """Of each kind that has several sets."""
    for kind, found in quality["kinds"].items():
        own = [
            (name, scores)
            for name, scores in _sets(quality)
            if quality["sets"][name]["kind"] == kind
        ]
        if found["sets"] > 1:
            name, scores = min(own, key=lambda item: float(item[1]["auc"]))
            yield (
                f"Weakest of {text_of(kind)}: {named(name)} (AUC "
                f"{interval(scores, 'auc')}, claims {percent(scores['conf'])}, right in "
                f"{percent(right(scores))})."
            )


def _useless(quality: Json) -> Iterable[str]:
    bad = [(name, scores) for name, scores in _sets(quality) if scores["cllr"] >= 1]
    if bad:
        each = ", ".join(f"{name} ({interval(scores, 'cllr')})" for name, scores in bad)
        yield (f"**Likelihood ratios that are worse than none** (Cllr of 1 or more): {each}.")


def _one_sided(quality: Json) -> Iterable[str]:
    """Good calibration of all trials together may be the mean of two faults."""
    for what, fault in (
        ("More confident than right", _over),
        ("Less confident than right", _under),
    ):
        bad = [(name, scores) for name, scores in _sets(quality) if fault(scores)]
        if bad:
            each = ", ".join(
                f"{name} ({percent(s['conf'])} against {percent(right(s))})" for name, s in bad
            )
            yield f"{what}, by set (claimed outside the 95 % interval of the share right): {each}."


def _not_ahead(quality: Json) -> Iterable[str]:
    leads = {name: one["lead"] for name, one in quality["sets"].items() if one["lead"]}
    bad = {name: lead for name, lead in leads.items() if lead["interval"][0] <= 0}
    if bad:
        each = ", ".join(
            f"{name} ({SYSTEMS.get(lead['peer'], lead['peer'])})" for name, lead in bad.items()
        )
        yield f"Not shown to rank better than the best published method: {each}."


def _lengths(quality: Json) -> Iterable[str]:
    """Of the first kind of set."""
    bands = list(next(iter(quality["kinds"].values()))["lengths"].items())
    if len(bands) > 1:
        weakest, scores = min(bands, key=lambda item: float(item[1]["auc"]))
        words = f"{weakest.replace('-', '–')} words (AUC {interval(scores, 'auc')})"
        if weakest == bands[0][0]:
            yield f"Short texts: the weakest length is the shortest, {words}."
        else:
            yield (
                f"Length: the weakest is {words}, not the shortest. Few genres have texts so long, "
                "so this may be due to the genres."
            )
    if bands:
        least = bands[0][0].split("-")[0]
        yield f"Texts below {least} words: no such trial was made, so nothing is known."


def _over(scores: Json) -> bool:
    return bool(scores["conf"] > scores["intervals"]["c@1"][1])


def _under(scores: Json) -> bool:
    return bool(scores["conf"] < scores["intervals"]["c@1"][0])


def _sets(quality: Json) -> list[tuple[str, Json]]:
    return list(_ours(quality, "sets"))


def _ours(quality: Json, part: str) -> Iterable[tuple[str, Json]]:
    """Our own figures of each set, or of each kind (all its trials together)."""
    ours = quality["systems"][0]
    for name, found in quality[part].items():
        yield name, found["pooled" if part == "kinds" else "systems"][ours]
