"""All figures for one set of answers, in one call."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samehand.evaluation.calibration_error import PAPER_BINNING, Binning, confidence, reliability
from samehand.evaluation.discrimination import auc_of, eer_of, tally
from samehand.evaluation.likelihood_ratio import cllr, cllr_min_of, log_lr
from samehand.evaluation.pan import brier, c_at_1_of, f1_of, f_05_u_of, outcomes

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

PAN_MEASURES = ("auc", "c@1", "f1", "f_05_u", "brier")
MEASURES = (*PAN_MEASURES, "overall", "conf", "ece", "mce", "cllr", "cllr_min", "eer")
COUNTS = ("n", "n_same", "non_responses")

ROUNDING = 1e-6
"""A probability may leave [0, 1] by so much through rounding; it is then taken for 0 or 1."""


def score(
    same: ArrayLike,
    probability: ArrayLike,
    *,
    binning: Binning = PAPER_BINNING,
    legacy: bool = False,
) -> dict[str, float]:
    """`MEASURES`, `COUNTS` and `cllr_cal` for trials with known truth.

    `same`: is the trial by one author? `probability`: the answer, 0.5 being a non-response.
    Measures that need both kinds of trials are NaN where one is missing, and every measure is NaN
    where a probability is NaN or outside [0, 1]: a diverged model is not to be mistaken for an
    undecided one. `legacy` computes F0.5u, and with it `overall`, by the rule of 2020.
    """
    truth = np.asarray(same, dtype=bool).ravel()
    p = np.asarray(probability, dtype=np.float64).ravel()
    if truth.size != p.size:
        raise ValueError(f"{truth.size} labels for {p.size} probabilities")
    counted = outcomes(truth, p)
    counts: dict[str, float] = {
        "n": truth.size,
        "n_same": int(np.count_nonzero(truth)),
        "non_responses": int(np.count_nonzero(p == 0.5)),
    }
    usable = truth.size > 0 and bool(np.all((p >= -ROUNDING) & (p <= 1.0 + ROUNDING)))
    if not usable:
        return dict.fromkeys(MEASURES, float("nan")) | counts | {"cllr_cal": float("nan")}
    p = np.clip(p, 0.0, 1.0)
    found = {
        "c@1": c_at_1_of(counted),
        "f1": f1_of(counted),
        "f_05_u": f_05_u_of(counted, legacy=legacy),
        "brier": brier(truth, p),
    }
    found |= _by_order(truth, p) | _by_calibration(truth, p, binning)
    found["overall"] = sum(found[name] for name in PAN_MEASURES) / len(PAN_MEASURES)
    cllr_cal = found["cllr"] - found["cllr_min"]
    return {name: found[name] for name in MEASURES} | counts | {"cllr_cal": cllr_cal}


def _by_order(truth: Bools, p: Floats) -> dict[str, float]:
    counted = tally(truth, p)
    return {"auc": auc_of(counted), "eer": eer_of(counted), "cllr_min": cllr_min_of(counted)}


def _by_calibration(truth: Bools, p: Floats, binning: Binning) -> dict[str, float]:
    bins = reliability(truth, p, binning)
    return {
        "conf": float(confidence(p).mean()),
        "ece": bins.ece,
        "mce": bins.mce,
        "cllr": cllr(truth, log_lr(p)),
    }
