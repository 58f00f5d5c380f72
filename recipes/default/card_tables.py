"""The tables of the model card."""

from collections.abc import Iterable, Sequence
from typing import Any

from card_text import KINDS, SYSTEMS

from samehand.model.description import Counts, Data
from samehand.report.genre_names import NAMES, by_family
from samehand.report.model_card import NetworkCard

Json = dict[str, Any]

_HEADS = ["AUC", "Cllr", "ECE", "claimed", "right"]
_PLAIN = {
    "auc": "AUC",
    "cllr": "Cllr",
    "cllr_cal": "Cllr − Cllr_min",
    "ece": "ECE",
    "undecided": "undecided",
}


def network_table(networks: Sequence[NetworkCard]) -> str:
    masked = {
        "rare": "as it is spelt",
        "suffix": "its shape and ending",
        "shape": "its shape alone",
        "full": "nothing",
    }
    rows = (
        [
            network.name,
            f"{network.parameters:,}",
            f"{network.words:,}",
            masked[network.masking],
            f"{network.lev_size}",
        ]
        for network in networks
    )
    heads = ["", "weights", "words known", "what it sees of any other word", "LEV"]
    return table(heads, rows)


def data_table(data: Data) -> str:
    """Families of sources down; what belongs to none that we know stands by its own name."""
    rows = []
    for family, sources in by_family(data.training).items():
        own = [data.training[source] for source in sources]
        rows.append([family, ", ".join(sources), *_counts(own)])
    total = _counts([data.parts.get("train", Counts())])
    rows.append(["**all**", "", *(f"**{cell}**" for cell in total)])
    return table(["kind", "sources", "documents", "authors", "million words"], rows, left=2)


def set_table(quality: Json) -> str:
    """Sets by kind."""
    ours = quality["systems"][0]
    leads = len(quality["systems"]) > 1
    rows = []
    for kind in quality["kinds"]:
        for name, one in quality["sets"].items():
            if one["kind"] == kind:
                row = [named(name), kind, *_ours(one["systems"][ours])]
                rows.append(row + ([_lead(one["lead"])] if leads else []))
    heads = ["", "kind", "trials", *_HEADS, *(["AUC over the best peer"] if leads else [])]
    return table(heads, rows, left=2)


def length_table(quality: Json) -> str:
    rows = (
        [kind, band.replace("-", "–"), *_ours(scores)]
        for kind, found in quality["kinds"].items()
        for band, scores in found["lengths"].items()
    )
    return table(["", "words", "trials", *_HEADS], rows)


def known_table(quality: Json) -> str:
    """By the number of known texts that are used, of authors with so many at hand."""
    rows = [
        [f"{of_most['trials']:,} of {of_most['sources']} sources", n, *_plain(of_most[n])]
        for of_most in quality["several_known"].values()
        for n in of_most
        if n.isdigit()
    ]
    return table(["trials", "known texts", *_PLAIN.values()], rows)


def case_table(quality: Json) -> str:
    """Means over sets, by what the model was adapted to."""
    sets = list(quality["adapting"].values())
    rows = []
    for what in sets[0]:
        mean = {name: sum(one[what][name] for one in sets) / len(sets) for name in _PLAIN}
        highest = max(one[what]["cllr"] for one in sets)
        rows.append([what, *_plain(mean), number(highest)])
    return table(["adapted to", *_PLAIN.values(), "highest Cllr"], rows)


def calibration_table(quality: Json) -> str:
    ours = quality["systems"][0]
    rows = (
        [text_of(kind), *_ours(found["pooled"][ours])] for kind, found in quality["kinds"].items()
    )
    return table(["", "trials", *_HEADS], rows)


def peer_table(quality: Json) -> str:
    """Means over the sets of each kind."""
    kinds = quality["kinds"]
    rows = []
    for system in quality["systems"]:
        means = [found["mean"][system] for found in kinds.values()]
        cells = [interval(mean, measure) for mean in means for measure in ("auc", "cllr")]
        rows.append([SYSTEMS.get(system, system), *cells])
    heads = [f"{title}, {kind}" for kind in kinds for title in ("AUC", "Cllr")]
    return table(["", *heads], rows)


def text_of(kind: str) -> str:
    """A set's kind in words."""
    return f"{kind}: {KINDS[kind]}" if kind in KINDS else kind


def named(name: str) -> str:
    """A set of trials, with its genre where we know it."""
    genre = NAMES.get(name.split("-", 1)[-1])
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


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


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


def _plain(figures: Json) -> list[str]:
    return [number(figures[name]) for name in _PLAIN]


def _counts(counts: Sequence[Counts]) -> list[str]:
    documents, authors, words = (
        sum(getattr(one, name) or 0 for one in counts) for name in ("documents", "authors", "words")
    )
    return [f"{documents:,}", f"{authors:,}", f"{words / 1e6:.1f}"]


def table(heads: list[str], rows: Iterable[list[str]], left: int = 1) -> str:
    """The first columns to the left, the others to the right."""
    lines = [heads, ["---"] * left + ["---:"] * (len(heads) - left), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
