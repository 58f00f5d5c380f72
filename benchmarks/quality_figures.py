"""All figures of several systems on sets of trials: by set, by kind of set, and by length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation import score
from samehand.evaluation.bootstrap import BOOTSTRAPPED, differences, intervals, resampled_scores

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Figures = dict[str, Any]

LEAD = 0.03
"""By how much the AUC is to be above that of the best peer."""

UNANSWERED, FEWER_ERRORS = 0.25, 0.25
"""At most so many trials unanswered, and by so much fewer errors among the others."""

ECE_OF_LENGTHS = 0.04
"""At most, of all trials together cropped to each band of lengths."""

BARS = {
    "dev": {"auc": 0.85, "cllr": 0.75, "ece": 0.03},
    "shift": {"auc": 0.78, "cllr": 0.88, "ece": 0.07},
}
"""For each kind of set: lowest mean AUC, limit of the mean Cllr, highest ECE of all its trials."""


@dataclass(frozen=True)
class AnsweredSet:
    """One set of trials with what every system answered, ours first."""

    name: str
    same: Bools
    probability: dict[str, Floats]
    as_answered: Floats
    """Ours where it may decline to answer, by 0.5."""
    cropped: dict[str, tuple[Bools, Floats]]
    """The truth and our answers where texts are cropped to so many words."""

    @property
    def kind(self) -> str:
        return self.name.split("-")[0]


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
    for kind in dict.fromkeys(one.kind for one in sets):
        own = [number for number, one in enumerate(sets) if one.kind == kind]
        kinds[kind] = {
            "sets": len(own),
            "mean": _means([by_set[i] for i in own], np.mean([drawn[i] for i in own], axis=0)),
            "pooled": _pooled([sets[i] for i in own], resamples),
        }
    found = {
        "resamples": resamples,
        "systems": list(sets[0].probability),
        "sets": {one.name: scores for one, scores in zip(sets, by_set, strict=True)},
        "lead": {
            one.name: _lead(scores, draws)
            for one, scores, draws in zip(sets, by_set, drawn, strict=True)
        },
        "kinds": kinds,
        "non_responses": _non_responses(sets),
        "lengths": _by_length([one for one in sets if one.kind == sets[0].kind], resamples),
    }
    return found | {"bars": _bars(found)}


def _with_intervals(same: Bools, probability: dict[str, Floats], drawn: Floats) -> Figures:
    found = {}
    for column, (system, p) in enumerate(probability.items()):
        scores = score(same, p)
        found[system] = scores | {"intervals": intervals(scores, drawn[:, column])}
    return found


def _means(by_set: list[Figures], drawn: Floats) -> Figures:
    """Mean over sets of each measure; `drawn` holds the means of the resamples."""
    found = {}
    for column, system in enumerate(by_set[0]):
        means = {
            name: float(np.mean([scores[system][name] for scores in by_set]))
            for name in BOOTSTRAPPED
        }
        found[system] = means | {"intervals": intervals(means, drawn[:, column])}
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


def _by_length(sets: list[AnsweredSet], resamples: int) -> Figures:
    """Ours on all trials together, cropped to each band of lengths."""
    found = {}
    bands = max((list(one.cropped) for one in sets), key=len)
    for band in bands:
        parts = [one.cropped[band] for one in sets if band in one.cropped]
        same, p = (np.concatenate(part) for part in zip(*parts, strict=True))
        system = next(iter(sets[0].probability))
        found[band] = _with_intervals(same, {system: p}, resampled_scores(same, [p], resamples))
    return found


def _non_responses(sets: Sequence[AnsweredSet]) -> Figures:
    """Means over the sets of each kind, where all trials are answered and where some are not."""
    found: Figures = {}
    for kind in dict.fromkeys(one.kind for one in sets):
        rows = []
        for one in (one for one in sets if one.kind == kind):
            always = next(iter(one.probability.values()))
            answered = one.as_answered != 0.5
            full, some = score(one.same, always), score(one.same, one.as_answered)
            wrong = (always > 0.5) != one.same
            row = {"unanswered": 1.0 - answered.mean()}
            row |= {"error, all answered": wrong.mean(), "error": wrong[answered].mean()}
            for name in ("c@1", "overall", "auc"):
                row |= {f"{name}, all answered": full[name], name: some[name]}
            rows.append(row)
        found[kind] = {name: float(np.nanmean([row[name] for row in rows])) for name in rows[0]}
    return found


def _lead(scores: Figures, drawn: Floats) -> Figures:
    """By how much our AUC is above that of the best peer; negative where it is below."""
    ours, *peers = scores
    if not peers:
        return {}
    best = max(peers, key=lambda system: float(scores[system]["auc"]))
    column = list(scores).index(best)
    by, low, high = differences(scores[ours], drawn[:, 0], scores[best], drawn[:, column])["auc"]
    return {"peer": best, "by": by, "interval": [low, high]}


def _bars(found: Figures) -> list[Figures]:
    """What the project set out to reach, and whether it is reached."""
    ours = found["systems"][0]
    bars = []
    for kind in found["kinds"].keys() & BARS.keys():
        bar = BARS[kind]
        mean, pooled = (found["kinds"][kind][part][ours] for part in ("mean", "pooled"))
        bars += [
            _bar(f"{kind}: mean AUC", mean["auc"], f"≥ {bar['auc']}", mean["auc"] >= bar["auc"]),
            _bar(
                f"{kind}: mean Cllr", mean["cllr"], f"< {bar['cllr']}", mean["cllr"] < bar["cllr"]
            ),
            _bar(
                f"{kind}: ECE, all trials",
                pooled["ece"],
                f"≤ {bar['ece']}",
                pooled["ece"] <= bar["ece"],
            ),
        ]
    bars.sort(key=lambda bar: str(bar["what"]))
    for band, scores in found["lengths"].items():
        error = scores[ours]["ece"]
        what = f"ECE of texts of {band.replace('-', '–')} words"
        bars.append(_bar(what, error, f"≤ {ECE_OF_LENGTHS}", error <= ECE_OF_LENGTHS))
    bars += _bars_of_non_responses(found["non_responses"].get("dev"))
    worst = max(scores[ours]["cllr"] for scores in found["sets"].values())
    bars.append(_bar("highest Cllr of any set", worst, "< 1", worst < 1))
    leads = [lead["by"] for lead in found["lead"].values() if lead]
    if leads:
        ahead = sum(by >= LEAD for by in leads)
        what = f"sets with an AUC {100 * LEAD:.0f} points above the best peer"
        bars.append(_bar(what, ahead, f"{len(leads)}", ahead == len(leads)))
    return bars


def _bars_of_non_responses(found: Figures | None) -> list[Figures]:
    if found is None:
        return []
    fewer = 1.0 - found["error"] / found["error, all answered"]
    rise = {name: found[name] - found[f"{name}, all answered"] for name in ("c@1", "overall")}
    unanswered = found["unanswered"]
    return [
        _bar("dev: unanswered", unanswered, f"≤ {UNANSWERED}", unanswered <= UNANSWERED),
        _bar(
            "dev: fewer errors among the answered",
            fewer,
            f"≥ {FEWER_ERRORS}",
            fewer >= FEWER_ERRORS,
        ),
        *(_bar(f"dev: rise of {name} by it", by, "> 0", by > 0) for name, by in rise.items()),
    ]


def _bar(what: str, value: float, bar: str, met: bool) -> Figures:
    return {"what": what, "value": value, "bar": bar, "met": bool(met)}
