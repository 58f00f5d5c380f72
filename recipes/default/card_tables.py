"""The tables of the model card."""

from collections.abc import Iterable
from typing import Any

from card_text import GENRES, KINDS, SOURCES, SYSTEMS

Json = dict[str, Any]


def member_table(members: list[Json]) -> str:
    masked = {
        "rare": "as it is spelt",
        "suffix": "its shape and ending",
        "shape": "its shape alone",
        "full": "nothing",
    }
    rows = (
        [
            member["name"],
            f"{member['parameters']:,}",
            f"{member['words']:,}",
            masked[member["masking"]],
            f"{member['lev_size']}",
            f"{member['impostors']:,}",
        ]
        for member in members
    )
    heads = ["", "weights", "words known", "what it sees of any other word", "LEV", "impostors"]
    return table(heads, rows)


def data_table(data: Json) -> str:
    """Kinds of source down; what belongs to no kind we know stands by its own name."""
    counted = data["training"]
    kinds: dict[str, list[str]] = {}
    for source in counted:
        kinds.setdefault(SOURCES.get(source, source), []).append(source)
    ordered = [kind for kind in dict.fromkeys(SOURCES.values()) if kind in kinds]
    rows = []
    for kind in ordered + [kind for kind in kinds if kind not in ordered]:
        own = [counted[source] for source in kinds[kind]]
        sums = [sum(counts[key] for counts in own) for key in ("documents", "authors", "words")]
        rows.append([kind, ", ".join(kinds[kind]), *_counts(*sums)])
    train = data["parts"]["train"]
    total = _counts(train["documents"], train["authors"], train["words"])
    rows.append(["**all**", "", *(f"**{cell}**" for cell in total)])
    return table(["kind", "sources", "documents", "authors", "million words"], rows, left=2)


def set_table(quality: Json) -> str:
    ours = quality["systems"][0]
    leads = any(quality["lead"].values())
    rows = []
    for name, scores in quality["sets"].items():
        row = [named(name), *_ours(scores[ours])]
        rows.append(row + ([_lead(quality["lead"][name])] if leads else []))
    heads = ["", "trials", "AUC", "Cllr", "ECE", "claimed", "right"]
    return table([*heads, *(["AUC over the best peer"] if leads else [])], rows)


def length_table(quality: Json) -> str:
    ours = quality["systems"][0]
    rows = (
        [band.replace("-", "–"), *_ours(scores[ours])]
        for band, scores in quality["lengths"].items()
    )
    return table(["words", "trials", "AUC", "Cllr", "ECE", "claimed", "right"], rows)


def calibration_table(quality: Json) -> str:
    ours = quality["systems"][0]
    rows = (
        [KINDS.get(kind, kind), *_ours(found["pooled"][ours])]
        for kind, found in quality["kinds"].items()
    )
    return table(["", "trials", "AUC", "Cllr", "ECE", "claimed", "right"], rows)


def peer_table(quality: Json) -> str:
    """Means over the sets of each kind."""
    kinds = quality["kinds"]
    rows = []
    for system in quality["systems"]:
        means = [found["mean"][system] for found in kinds.values()]
        cells = [interval(mean, measure) for mean in means for measure in ("auc", "cllr")]
        rows.append([SYSTEMS.get(system, system), *cells])
    heads = [f"{title}, {KINDS.get(kind, kind)}" for kind in kinds for title in ("AUC", "Cllr")]
    return table(["", *heads], rows)


def named(name: str) -> str:
    """A set of trials, with its genre where we know it."""
    genre = GENRES.get(name.split("-", 1)[-1])
    return f"{name}: {genre}" if genre else name


def right(scores: Json) -> float:
    """The share of decisions that were right; an answer of 0.5 counts half.

    c@1 is n_right / n (1 + n_unanswered / n).
    """
    unanswered = scores["non_responses"] / scores["n"]
    return float(scores["c@1"] / (1 + unanswered) + unanswered / 2)


def interval(scores: Json, measure: str) -> str:
    low, high = scores["intervals"][measure]
    return f"{scores[measure]:.3f} [{low:.3f}, {high:.3f}]"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _ours(scores: Json) -> list[str]:
    measured = [interval(scores, measure) for measure in ("auc", "cllr", "ece")]
    low, high = scores["intervals"]["c@1"]
    share = f"{percent(right(scores))} [{100 * low:.0f}, {100 * high:.0f}]"
    return [f"{scores['n']:,}", *measured, percent(scores["conf"]), share]


def _lead(lead: Json) -> str:
    low, high = lead["interval"]
    peer = SYSTEMS.get(lead["peer"], lead["peer"])
    return f"{lead['by']:+.3f} [{low:+.3f}, {high:+.3f}] ({peer})"


def _counts(documents: int, authors: int, words: int) -> list[str]:
    return [f"{documents:,}", f"{authors:,}", f"{words / 1e6:.1f}"]


def table(heads: list[str], rows: Iterable[list[str]], left: int = 1) -> str:
    """The first columns to the left, the others to the right."""
    lines = [heads, ["---"] * left + ["---:"] * (len(heads) - left), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
