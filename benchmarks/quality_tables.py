"""The figures of `quality_figures` as Markdown."""

import math
from collections.abc import Iterable
from typing import Any

from quality_figures import LEAD

MEASURES = {
    "auc": "AUC",
    "cllr": "Cllr",
    "ece": "ECE",
    "c@1": "c@1",
    "overall": "PAN overall",
}
NAMES = {
    "tfidf": "character 4-grams",
    "ppm": "PPM",
    "delta": "Burrows's Delta",
    "cosine-delta": "cosine delta",
    "minilm": "MiniLM",
}
METHODS = """\
Peers, implemented in `benchmarks/peers` and turned into probabilities by logistic regression on
pairs of training text drawn by the rule of the trials (same author across topics, different authors
within one): cosine of tf-idf of the 3,000 most frequent character 4-grams, and mean and difference
of the two cross-entropies under PPM of order 5 (PAN's two baselines); Burrows's Delta with 150
words; cosine delta with 500 words; cosine of all-MiniLM-L6-v2 sentence embeddings. An AUC below .5
means that topics mislead: two people on one subject look more alike than one person on two. No peer
may turn that round and answer by how the trials were chosen; such a peer answers about 0.5."""


LENGTH = """\
All trials of {kind} together whose texts are long enough, both of them cropped to a number of words
that is drawn from the band. So genres are the same in the first bands; few have texts for the
last."""
NON_RESPONSES = """\
All other tables are of probabilities for every trial (`samehand answer --always`). Here those that
the model had better not answer are left unanswered, as `samehand answer` does."""


def markdown(found: dict[str, Any]) -> str:
    """The report."""
    parts = [
        "# Quality",
        _about(found),
        *([METHODS] if len(found["systems"]) > 1 else []),
        "## Bars",
        _table(
            ["", "here", "bar", ""],
            (
                [bar["what"], _number(bar["value"]), bar["bar"], "met" if bar["met"] else "missed"]
                for bar in found["bars"]
            ),
        ),
    ]
    for kind, figures in found["kinds"].items():
        parts += [f"## {kind}: mean over {figures['sets']} sets", _kind_table(figures)]
    parts += ["## Non-responses: means over sets", NON_RESPONSES, _non_response_table(found)]
    parts += ["## Each set"]
    for measure, title in MEASURES.items():
        parts += [f"### {title}", _set_table(found, measure)]
    first = next(iter(found["kinds"]))
    parts += ["## Length", LENGTH.format(kind=first), _length_table(found)]
    return "\n\n".join(parts) + "\n"


def _about(found: dict[str, Any]) -> str:
    trials = sum(next(iter(scores.values()))["n"] for scores in found["sets"].values())
    return (
        f"Made by `make benchmark-quality` with {found['model']}: {trials:,} trials in "
        f"{len(found['sets'])} sets, to which nothing is fitted in this run. "
        "AUC, c@1 and overall: higher is better. Cllr and ECE: lower is better; a Cllr of 1 says "
        "nothing. A set of 300 trials shows an ECE of about .04 by chance alone, so judge it by "
        f"all trials together. In brackets: 95 % intervals from {found['resamples']} resamples of "
        "the trials."
    )


def _kind_table(figures: dict[str, Any]) -> str:
    rows = []
    for system, mean in figures["mean"].items():
        pooled = figures["pooled"][system]
        cells = [_with_interval(mean, measure) for measure in MEASURES]
        rows.append([_name(system), *cells, _with_interval(pooled, "ece")])
    return _table(["", *MEASURES.values(), "ECE, all trials together"], rows)


def _non_response_table(found: dict[str, Any]) -> str:
    kinds = found["non_responses"]
    names = next(iter(kinds.values()))
    rows = ([name, *(_number(kinds[kind][name]) for kind in kinds)] for name in names)
    return _table(["", *kinds], rows)


def _set_table(found: dict[str, Any], measure: str) -> str:
    """Sets down, systems across; with the AUC, our lead over the best peer."""
    leads = measure == "auc" and any(found["lead"].values())
    rows = []
    for name, scores in found["sets"].items():
        ours, *peers = scores.values()
        row = [name, _with_interval(ours, measure), *(_number(peer[measure]) for peer in peers)]
        rows.append(row + ([_lead(found["lead"][name])] if leads else []))
    for kind, figures in found["kinds"].items():
        ours, *peers = figures["mean"].values()
        row = [f"**{kind}, mean**", _with_interval(ours, measure)]
        row += [_number(peer[measure]) for peer in peers]
        rows.append(row + ([""] if leads else []))
    heads = ["", *map(_name, found["systems"]), *(["over the best peer"] if leads else [])]
    return _table(heads, rows)


def _length_table(found: dict[str, Any]) -> str:
    rows = []
    for band, (ours,) in ((band, scores.values()) for band, scores in found["lengths"].items()):
        cells = [_with_interval(ours, measure) for measure in MEASURES]
        rows.append([band.replace("-", "–"), f"{ours['n']:,}", *cells])
    return _table(["words", "trials", *MEASURES.values()], rows)


def _lead(lead: dict[str, Any]) -> str:
    low, high = lead["interval"]
    mark = "" if lead["by"] >= LEAD else " (!)"
    return f"{lead['by']:+.3f} [{low:+.3f}, {high:+.3f}]{mark}"


def _with_interval(scores: dict[str, Any], measure: str) -> str:
    low, high = scores["intervals"][measure]
    return f"{_number(scores[measure])} [{_number(low)}, {_number(high)}]"


def _number(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.3f}" if math.isfinite(value) else "–"


def _name(system: str) -> str:
    return NAMES.get(system, system)


def _table(heads: list[str], rows: Iterable[list[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
