"""Everything `evaluate` and `compare` say, as plain values ready for JSON."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from samehand.evaluation.answers import Answers, Truth
from samehand.evaluation.bootstrap import Bias, differences, intervals, resampled_scores
from samehand.evaluation.calibration_error import PAPER_BINNING, Binning
from samehand.evaluation.likelihood_ratio import CLIP
from samehand.evaluation.scores import score
from samehand.evaluation.strata import Strata, length_bands, subsets


def report(
    truth: Truth,
    answers: Answers,
    *,
    strata: Strata | None = None,
    resamples: int = 0,
    seed: int = 0,
    binning: Binning = PAPER_BINNING,
    legacy: bool = False,
) -> dict[str, Any]:
    """All figures of one system: overall, with intervals and by stratum where asked for."""
    same, probability = truth.same, answers.probability
    found: dict[str, Any] = dict(score(same, probability, binning=binning, legacy=legacy))
    if legacy:
        found["overall_2020"] = sum(found[name] for name in ("auc", "c@1", "f1", "f_05_u")) / 4
    found |= {
        "missing": answers.missing,
        "tolerated": answers.tolerated,
        "f_05_u_rule": "PAN 2020" if legacy else "corrected 2021",
        "ece_definition": str(binning),
        "cllr_clip": CLIP,
    }
    if resamples:
        drawn = resampled_scores(
            same, [probability], resamples, seed=seed, binning=binning, legacy=legacy
        )
        found["bootstrap"] = {"resamples": resamples, "seed": seed, "level": 0.95}
        bias = Bias.of((same, probability), binning=binning, seed=seed)
        found["intervals"] = intervals(found, drawn[:, 0], bias)
        found["debiased"] = bias.removed(found)
        found["calibration_p"] = bias.gaps.p_value()
    if strata is not None:
        parts = {
            "subsets": subsets(same, strata.topic_shared),
            "length_bands": length_bands(strata.words),
        }
        for kind, masks in parts.items():
            found[kind] = {
                name: score(same[mask], probability[mask], binning=binning, legacy=legacy)
                for name, mask in masks.items()
            }
        found["without_pair"] = strata.without_pair
    return found


def comparison(
    truth: Truth,
    systems: Sequence[Answers],
    names: Sequence[str],
    *,
    resamples: int = 1000,
    seed: int = 0,
    binning: Binning = PAPER_BINNING,
    legacy: bool = False,
) -> dict[str, Any]:
    """Figures of several systems, and how each differs from the first on the same draws."""
    rows: list[dict[str, Any]] = [
        {"system": name} | report(truth, answers, binning=binning, legacy=legacy)
        for name, answers in zip(names, systems, strict=True)
    ]
    if resamples and len(rows) > 1:
        drawn = resampled_scores(
            truth.same,
            [answers.probability for answers in systems],
            resamples,
            seed=seed,
            binning=binning,
            legacy=legacy,
        )
        for column, row in enumerate(rows[1:], start=1):
            found = differences(row, drawn[:, column], rows[0], drawn[:, 0])
            row["difference"] = {
                name: {"by": by, "interval": [low, high]} for name, (by, low, high) in found.items()
            }
    return {
        "reference": names[0],
        "systems": rows,
        "bootstrap": {"resamples": resamples, "seed": seed, "level": 0.95},
    }


def jsonable(value: Any) -> Any:
    """The value with NaN and infinity, which JSON does not know, as null."""
    if isinstance(value, dict):
        return {key: jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value
