"""All figures of several systems on sets of trials: by set, by kind of set, and by length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation import score
from samehand.evaluation.bootstrap import (
    BOOTSTRAPPED,
    Bias,
    differences,
    intervals,
    resampled_scores,
)

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Figures = dict[str, Any]

KINDS = ("old", "other", "further", "shift")
"""Kinds of sets, in the order in which they are told."""

BARS = {
    "old": {"auc": 0.87, "cllr": 0.65, "ece": 0.05},
    "other": {"auc": 0.79, "cllr": 0.77, "ece": 0.05},
    "shift": {"auc": 0.765, "cllr": 0.85, "ece": 0.05, "highest": 1.0},
}
"""For each kind of set: means over sets, AUC at least and Cllr and ECE at most; the highest Cllr of
a set, at most."""

PARTS = ("strict", "reported")
"""Parts of the trials of a set that are told apart."""
FEWEST_OF_PART = 20
"""Trials of either kind that a part of a set must have, for the set to be counted."""

FEWEST_CROPPED = 50
"""Trials that a kind must have in a band of lengths to be told of."""

_KEPT = ("auc", "cllr", "cllr_min", "cllr_cal", "ece", "conf", "c@1", "overall")


@dataclass(frozen=True)
class AnsweredSet:
    """One set of trials with what every system answered, ours first."""

    name: str
    kind: str
    met: bool
    """Whether networks of the model have learned from its genre."""
    same: Bools
    probability: dict[str, Floats]
    undecided: Bools
    """Trials that we leave undecided."""
    parts: dict[str, Bools]
    """Strict trials, by one author on two topics or by two on one, as far as topics are known; and
    those by authors on whom nothing was chosen."""
    cropped: dict[str, tuple[Bools, Floats]]
    """The truth and our answers where texts are cropped to so many words."""

    @property
    def ours(self) -> Floats:
        return next(iter(self.probability.values()))


def quality(sets: Sequence[AnsweredSet], resamples: int) -> Figures:
    """The whole report as plain values. Intervals come from drawing trials, not sets, anew."""
    drawn = [
        resampled_scores(one.same, list(one.probability.values()), resamples, seed=number)
        for number, one in enumerate(sets)
    ]
    by_set = [
        _with_intervals(one.same, one.probability, draws)
        for one, draws in zip(sets, drawn, strict=True)
    ]
    kinds = {}
    for kind in sorted({one.kind for one in sets}, key=KINDS.index):
        own = [number for number, one in enumerate(sets) if one.kind == kind]
        of_kind = [sets[i] for i in own]
        kinds[kind] = {
            "sets": len(own),
            "met": sum(sets[i].met for i in own),
            "mean": _means(of_kind, [by_set[i] for i in own], [drawn[i] for i in own]),
            "pooled": _pooled(of_kind, resamples),
            "highest": _highest([(sets[i].name, by_set[i]) for i in own]),
            "decided": _decided(of_kind),
            "parts": {part: _part(of_kind, part) for part in PARTS},
            "lengths": _by_length(of_kind, resamples),
        }
    found = {
        "resamples": resamples,
        "systems": list(sets[0].probability),
        "kinds": kinds,
        "sets": {
            one.name: {
                "kind": one.kind,
                "undecided": float(one.undecided.mean()),
                "lead": _lead(scores, draws),
                "systems": scores,
            }
            for one, scores, draws in zip(sets, by_set, drawn, strict=True)
        },
    }
    return found | {"bars": _bars(found)}


def _with_intervals(same: Bools, probability: dict[str, Floats], drawn: Floats) -> Figures:
    found = {}
    for column, (system, p) in enumerate(probability.items()):
        scores = score(same, p)
        found[system] = _kept(scores, drawn[:, column], Bias.of((same, p)))
        found[system] |= {name: int(scores[name]) for name in ("n", "n_same", "non_responses")}
    return found


def _kept(scores: dict[str, float], drawn: Floats, bias: Bias) -> Figures:
    """The measures that are told, with their intervals."""
    limits = intervals(scores, drawn, bias)
    return {name: scores[name] for name in _KEPT} | {
        "intervals": {name: limits[name] for name in _KEPT}
    }


def _means(sets: list[AnsweredSet], by_set: list[Figures], drawn: list[Floats]) -> Figures:
    """Mean over sets of each measure."""
    found, drawn_means = {}, np.mean(drawn, axis=0)
    for column, system in enumerate(by_set[0]):
        means = dict.fromkeys(BOOTSTRAPPED, float("nan")) | {
            name: float(np.mean([scores[system][name] for scores in by_set])) for name in _KEPT
        }
        bias = Bias.of(*((one.same, one.probability[system]) for one in sets))
        found[system] = _kept(means, drawn_means[:, column], bias)
    return found


def _pooled(sets: list[AnsweredSet], resamples: int) -> Figures:
    """Figures of all trials together."""
    same = np.concatenate([one.same for one in sets])
    probability = {
        system: np.concatenate([one.probability[system] for one in sets])
        for system in sets[0].probability
    }
    drawn = resampled_scores(same, list(probability.values()), resamples)
    return _with_intervals(same, probability, drawn)


def _highest(by_set: Iterable[tuple[str, Figures]]) -> Figures:
    """The set on which our likelihood ratios cost most."""
    costs = {name: float(next(iter(scores.values()))["cllr"]) for name, scores in by_set}
    worst = max(costs, key=costs.__getitem__)
    return {"set": worst, "cllr": costs[worst], "above 1": sum(c > 1 for c in costs.values())}


def _decided(sets: list[AnsweredSet]) -> Figures:
    """Means over sets: how much is left undecided, and errors among all trials and the decided."""
    rows = []
    for one in sets:
        wrong = (one.ours > 0.5) != one.same
        decided = wrong[~one.undecided]
        row = {"undecided": one.undecided.mean(), "error": wrong.mean()}
        row["error, decided"] = decided.mean() if decided.size else np.nan
        as_answered = np.where(one.undecided, 0.5, one.ours)
        row["c@1"] = score(one.same, one.ours)["c@1"]
        row["c@1, undecided as 0.5"] = score(one.same, as_answered)["c@1"]
        rows.append(row)
    return {name: float(np.nanmean([row[name] for row in rows])) for name in rows[0]}


def _part(sets: list[AnsweredSet], part: str) -> Figures:
    """Means of ours over the sets with enough of such trials: of these, and of all their trials."""
    chosen = [(one, one.parts[part]) for one in sets]
    enough = [
        (one, own)
        for one, own in chosen
        if min((own & one.same).sum(), (own & ~one.same).sum()) >= FEWEST_OF_PART
    ]
    return {
        "sets": len(enough),
        "trials": int(sum(own.sum() for _, own in enough)),
        "mean": _plain_means([score(one.same[own], one.ours[own]) for one, own in enough]),
        "mean of all their trials": _plain_means([score(one.same, one.ours) for one, _ in enough]),
    }


def _plain_means(rows: list[dict[str, float]]) -> Figures:
    return {name: float(np.mean([row[name] for row in rows])) for name in _KEPT} if rows else {}


def _by_length(sets: list[AnsweredSet], resamples: int) -> Figures:
    """Ours on all trials together, cropped to each band of lengths."""
    found = {}
    for band in dict.fromkeys(band for one in sets for band in one.cropped):
        parts = [one.cropped[band] for one in sets if band in one.cropped]
        same, p = (np.concatenate(part) for part in zip(*parts, strict=True))
        if len(same) >= FEWEST_CROPPED:
            found |= _with_intervals(same, {band: p}, resampled_scores(same, [p], resamples))
    return found


def _lead(scores: Figures, drawn: Floats) -> Figures:
    """By how much our AUC is above that of the best peer; negative where it is below."""
    ours, *peers = scores
    if not peers:
        return {}
    best = max(peers, key=lambda system: float(scores[system]["auc"]))
    column = list(scores).index(best)
    auc = [dict.fromkeys(BOOTSTRAPPED, 0.0) | {"auc": scores[one]["auc"]} for one in (ours, best)]
    by, low, high = differences(auc[0], drawn[:, 0], auc[1], drawn[:, column])["auc"]
    return {"peer": best, "by": by, "interval": [low, high]}


def _bars(found: Figures) -> list[Figures]:
    """The goals of the project, and whether each is reached."""
    ours = found["systems"][0]
    bars = []
    for kind, limits in BARS.items():
        if kind in found["kinds"]:
            of_kind = found["kinds"][kind]
            mean, highest = of_kind["mean"][ours], of_kind["highest"]["cllr"]
            bars += [
                bar(f"{kind}: mean AUC", mean["auc"], limits["auc"], least=True),
                bar(f"{kind}: mean Cllr", mean["cllr"], limits["cllr"]),
                bar(f"{kind}: mean ECE of a set", mean["ece"], limits["ece"]),
            ]
            if "highest" in limits:
                bars.append(bar(f"{kind}: highest Cllr of a set", highest, limits["highest"]))
    return bars


def bar(
    what: str, value: float, limit: float, *, below: bool = False, least: bool = False
) -> Figures:
    """A figure that is to be at most its limit, or below it, or at `least` that."""
    met = value >= limit if least else value < limit if below else value <= limit
    sign = "≥" if least else "<" if below else "≤"
    return {"what": what, "value": value, "bar": f"{sign} {limit}", "met": met}
