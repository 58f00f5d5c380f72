"""The figures of `quality_figures` as Markdown."""

from collections.abc import Iterable
from typing import Any

import adapting
import formats
import several_known

MEASURES = {
    "auc": "AUC",
    "cllr": "Cllr",
    "cllr_cal": "Cllr − Cllr_min",
    "ece": "ECE",
}
NAMES = {
    "tfidf": "character 4-grams",
    "ppm": "PPM",
    "delta": "Burrows's Delta",
    "cosine-delta": "cosine delta",
    "minilm": "MiniLM",
}
KINDS = {
    "old": "genres that networks of all packaged models have learned from, other authors",
    "other": "genres of the training text that came later, other authors",
    "further": "the same, sets for which no bar was set",
    "shift": "genres that are in no training text",
}
BEFORE = {
    "old": (0.863, 0.669, 0.89, 0.053),
    "other": (0.750, 0.857, 1.42, 0.084),
    "shift": (0.741, 0.915, 1.23, 0.084),
}
"""AUC, Cllr, highest Cllr and ECE a set of the packaged model before this one."""

METHODS = """\
Peers, implemented in `benchmarks/peers` and turned into probabilities by logistic regression on
pairs of training text drawn by the rule of the trials (same author across topics, different authors
within one): cosine of tf-idf of the 3,000 most frequent character 4-grams, and mean and difference
of the two cross-entropies under PPM of order 5 (PAN's two baselines); Burrows's Delta with 150
words; cosine delta with 500 words; cosine of all-MiniLM-L6-v2 sentence embeddings. An AUC below .5
means that topics mislead: two people on one subject look more alike than one person on two. No peer
may turn that round and answer by how the trials were chosen; such a peer answers about 0.5.

Measured here: {peers}."""
PARTS = {
    "strict": (
        "Strict trials",
        """\
Trials by one author on two topics, and by two authors on one topic, as far as the trials tell their
topics; of sets with at least 20 of either kind. Beside them all trials of the same sets.""",
    ),
    "reported": (
        "Authors on whom nothing was chosen",
        """\
How networks are trained is chosen on one half of the authors of each set
(`benchmarks/choosing.py`). Here are trials by the other half, of sets with at least 20 of either
kind; beside them all trials of the same sets. docs/evidence.md names what was once compared on all
of them.""",
    ),
}
LENGTH = """\
All trials of a kind together whose texts are long enough, cropped to a number of words that is
drawn from the band. Few genres have texts for the last bands."""
UNDECIDED = """\
Likelihood ratios between 2/3 and 3/2, and texts that are no evidence (copies, not English, not
running text), are left undecided. Means over sets; everywhere else on this page they count with
the probabilities that they have."""
SEVERAL = """\
The same questioned texts against 1, 2, 4 and 8 known texts, by authors the model has not met, of
all sources together. How trials are drawn: `benchmarks/several_known.py`. *By chance*: the Cllr −
Cllr_min that as many trials would show if every probability held."""
ADAPTING = """\
The sets of the last kind, after `samehand adapt`: to texts by others, one each, who are in none of
the trials, and to labelled pairs, so many of either kind, that are trials of the set; then the
other trials are answered. Means over sets of the means of {draws} draws
(`benchmarks/adapting.py`)."""

FORMATS = """\
How far the log10 LR lies from that of the plain text where the questioned text is read from another
kind of file, written by the programs that people use (`benchmarks/formats.py`)."""


def markdown(found: dict[str, Any]) -> str:
    """The report."""
    parts = ["# Quality", _about(found)]
    if len(found["systems"]) > 1:
        named = ", ".join(map(_name, found["systems"][1:]))
        parts.append(METHODS.format(peers=named))
    parts += ["## Before and after", _before_table(found), "## Bars", _bar_table(found)]
    for kind, figures in found["kinds"].items():
        parts += [f"## {kind}: means over {figures['sets']} sets", _kind_table(figures)]
    parts += ["## Undecided", UNDECIDED, _decided_table(found)]
    for part, (title, about) in PARTS.items():
        parts += [f"## {title}", about, _part_table(found, part)]
    parts += ["## Each set", _set_table(found)]
    if len(found["systems"]) > 1:
        parts += ["## AUC beside the peers", _peer_table(found)]
    parts += ["## Length", LENGTH, _length_table(found)]
    if "several_known" in found:
        parts += ["## Number of known texts", SEVERAL, several_known.table(found["several_known"])]
    if "adapting" in found:
        about = ADAPTING.format(draws=adapting.DRAWS)
        parts += ["## Adapted to a case", about, adapting.tables(found["adapting"])]
    if "formats" in found:
        parts += ["## Kinds of files", FORMATS, formats.table(found["formats"])]
    return "\n\n".join(parts) + "\n"


def _about(found: dict[str, Any]) -> str:
    ours, model = found["systems"][0], found["model"]
    trials = sum(one["systems"][ours]["n"] for one in found["sets"].values())
    kinds = "; ".join(
        f"*{kind}*: {KINDS[kind]}; the networks have met {figures['met']} of {figures['sets']}"
        for kind, figures in found["kinds"].items()
    )
    return (
        f"Made by `make benchmark-quality` with {model['name']}, the model whose SHA-256 is "
        f"{model['sha256'][:12]}…: {trials:,} trials in {len(found['sets'])} sets, to which "
        f"nothing is fitted. Kinds of sets: {kinds}. AUC: higher is better. Cllr, the part of it "
        "that is calibration (Cllr − Cllr_min) and ECE: lower is better; a Cllr of 1 says "
        "nothing. A set of 300 trials shows an ECE of about .04 and a Cllr − Cllr_min of about "
        ".03 by chance alone. Likelihood ratios are those that are answered, held to the model's "
        f"bounds. In brackets: 95 % intervals from {found['resamples']} resamples of the trials; "
        "those of ECE and Cllr − Cllr_min allow for chance, so that a figure may lie outside."
    )


def _before_table(found: dict[str, Any]) -> str:
    """Our means beside those of the packaged model before."""
    ours = found["systems"][0]
    rows = []
    for kind in (kind for kind in found["kinds"] if kind in BEFORE):
        figures = found["kinds"][kind]
        mean = figures["mean"][ours]
        after = mean["auc"], mean["cllr"], figures["highest"]["cllr"], mean["ece"]
        for when, values in (("before", BEFORE[kind]), ("after", after)):
            rows.append([f"{kind}, {figures['sets']} sets, {when}", *map(_number, values)])
    return _table(["means over sets", "AUC", "Cllr", "highest Cllr", "ECE of a set"], rows)


def _bar_table(found: dict[str, Any]) -> str:
    rows = (
        [bar["what"], _number(bar["value"]), bar["bar"], "met" if bar["met"] else "missed"]
        for bar in found["bars"]
    )
    return _table(["", "here", "bar", ""], rows)


def _kind_table(figures: dict[str, Any]) -> str:
    rows = []
    for system, mean in figures["mean"].items():
        pooled = figures["pooled"][system]
        cells = [_with_interval(mean, measure) for measure in MEASURES]
        rows.append([_name(system), *cells, _with_interval(pooled, "ece")])
    worst = figures["highest"]
    highest = f"Highest Cllr of ours: {_number(worst['cllr'])} ({worst['set']})."
    return (
        _table(["", *MEASURES.values(), "ECE, all trials together"], rows) + f"\n\n{highest} "
        f"Sets above 1: {worst['above 1']}."
    )


def _decided_table(found: dict[str, Any]) -> str:
    kinds = found["kinds"]
    names = next(iter(kinds.values()))["decided"]
    rows = ([name, *(_number(kinds[kind]["decided"][name]) for kind in kinds)] for name in names)
    return _table(["", *kinds], rows)


def _part_table(found: dict[str, Any], part: str) -> str:
    rows = []
    for kind, figures in found["kinds"].items():
        own = figures["parts"][part]
        if own["sets"]:
            for what, means in ((part, "mean"), ("all", "mean of all their trials")):
                cells = [_number(own[means][measure]) for measure in MEASURES]
                rows.append([f"{kind}, {own['sets']} sets, {what} trials", *cells])
    return _table(["means over sets", *MEASURES.values()], rows)


def _set_table(found: dict[str, Any]) -> str:
    """Ours, sets by kind."""
    ours = found["systems"][0]
    rows = []
    for kind in found["kinds"]:
        for name, one in found["sets"].items():
            if one["kind"] == kind:
                scores = one["systems"][ours]
                cells = [_with_interval(scores, measure) for measure in MEASURES]
                rows.append([name, kind, f"{scores['n']}", *cells, _number(one["undecided"])])
    return _table(["", "kind", "trials", *MEASURES.values(), "undecided"], rows)


def _peer_table(found: dict[str, Any]) -> str:
    rows = []
    for name, one in found["sets"].items():
        cells = [_number(scores["auc"]) for scores in one["systems"].values()]
        rows.append([name, *cells, _lead(one["lead"])])
    for kind, figures in found["kinds"].items():
        cells = [_number(mean["auc"]) for mean in figures["mean"].values()]
        rows.append([f"**{kind}, mean**", *cells, ""])
    return _table(["", *map(_name, found["systems"]), "ours over the best peer"], rows)


def _length_table(found: dict[str, Any]) -> str:
    rows = [
        [kind, band.replace("-", "–"), f"{ours['n']:,}"]
        + [_with_interval(ours, measure) for measure in MEASURES]
        for kind, figures in found["kinds"].items()
        for band, ours in figures["lengths"].items()
    ]
    return _table(["", "words", "trials", *MEASURES.values()], rows)


def _lead(lead: dict[str, Any]) -> str:
    low, high = lead["interval"]
    mark = "" if low > 0 else " (!)"
    return f"{lead['by']:+.3f} [{low:+.3f}, {high:+.3f}]{mark}"


def _with_interval(scores: dict[str, Any], measure: str) -> str:
    low, high = scores["intervals"][measure]
    return f"{_number(scores[measure])} [{_number(low)}, {_number(high)}]"


def _number(value: float | None) -> str:
    return "–" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}"


def _name(system: str) -> str:
    return NAMES.get(system, system)


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
