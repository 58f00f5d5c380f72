"""`samehand validate`: what a model is worth on somebody's own kind of text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.casework.cross_validation import RESAMPLES, Measured
from samehand.casework.fitness import judge_fitness
from samehand.casework.labelled import Gathered, gather, probabilities
from samehand.cautions.sentences import LEAST_WORDS
from samehand.errors import InputError
from samehand.evaluation.bootstrap import intervals, resampled_scores
from samehand.evaluation.elub import elub
from samehand.evaluation.likelihood_ratio import log_lr
from samehand.evaluation.scores import score
from samehand.evaluation.strata import length_bands
from samehand.judgement import bounds_of, model_facts
from samehand.verifier import Verifier

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

FIGURES = ("auc", "eer", "cllr", "cllr_min", "cllr_cal", "ece")
STRONG = 1.0
"""log10 LR beyond which a likelihood ratio for the wrong side strongly misleads: 10, or 1/10."""


def validate(
    model: Path | None,
    pairs: Path,
    truth: Path,
    *,
    skip_repeats: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Measure a model on trials, and judge what it is worth on texts like theirs.

    Trials with a text that the model was calibrated on are left out. Anything that cannot be used
    raises `InputError`.
    """
    gathered = gather(pairs, truth, skip_repeats)
    verifier = Verifier.load(model)
    fresh = ~_calibrated_on(verifier.description, gathered)
    answers = probabilities(verifier, gathered, progress)
    usable = fresh & ~np.isnan(answers)
    kept = gathered.only(usable)
    if 0 in kept.counts:
        raise InputError(
            f"{gathered.pairs}: of one kind of trials none is left without those that hold a text "
            "the model was calibrated on, or one without words; validate on others."
        )
    measured = Measured.of(kept, answers[usable])
    figures = _figures(kept, answers[usable], measured)
    bounds, validated = bounds_of(verifier.description)
    return {
        "verdict": judge_fitness(kept.counts, measured).as_dict(),
        "model": _model(verifier),
        **kept.hashes(),
        "trials": _trials(gathered, kept, fresh),
        **figures,
        "misleading": _misleading(kept.same, log_lr(answers[usable]) / np.log(10)),
        "log10_lr_bounds": list(bounds),
        "bounds_stated": validated,
        "supported_log10_lr_bounds": list(elub(kept.same, log_lr(answers[usable]) / np.log(10))),
        "length_bands": {
            name: score(kept.same[band], answers[usable][band])
            for name, band in length_bands(kept.words).items()
        },
    }


def _calibrated_on(description: dict[str, Any], gathered: Gathered) -> Bools:
    """Which trials hold a text that the model was calibrated on."""
    calibration = (description.get("about") or {}).get("calibration") or {}
    met = set(calibration.get("texts") or [])
    return np.array([not met.isdisjoint(trial.texts) for trial in gathered.trials], dtype=bool)


def _model(verifier: Verifier) -> dict[str, Any]:
    facts = model_facts(verifier)
    return {
        "name": facts.name,
        "sha256": facts.sha256,
        "most_tokens": facts.most_tokens,
        "calibrated": "calibration" in (verifier.description.get("about") or {}),
    }


def _trials(gathered: Gathered, kept: Gathered, fresh: Bools) -> dict[str, int]:
    n_same, n_different = kept.counts
    return {
        "same": n_same,
        "different": n_different,
        "calibrated_on": int(np.count_nonzero(~fresh)),
        "without_words": int(np.count_nonzero(fresh)) - len(kept.trials),
        "repeats": gathered.repeats,
        "too_short": int(np.count_nonzero(kept.words < LEAST_WORDS)),
    }


def _figures(kept: Gathered, probability: Floats, measured: Measured | None) -> dict[str, Any]:
    """The figures as it is, their intervals, and what fitting the last stage would do to them."""
    found: dict[str, Any]
    refitted: dict[str, Any] | None = None
    if measured is None:
        scores = score(kept.same, probability)
        drawn = resampled_scores(kept.same, [probability], RESAMPLES)
        found = scores | {"intervals": intervals(scores, drawn[:, 0])}
    else:
        found, fitted = measured.figures["as_is"], measured.figures["fitted"]
        refitted = {
            "cllr": fitted["cllr"],
            "interval": list(fitted["intervals"]["cllr"]),
            "difference": fitted["difference"]["cllr"],
            "offset": measured.stage.offset,
            "slope": measured.stage.slope,
        }
    return {
        "figures": {name: found[name] for name in FIGURES},
        "intervals": {name: list(found["intervals"][name]) for name in FIGURES},
        "refitted": refitted,
    }


def _misleading(same: Bools, log10_lrs: Floats) -> dict[str, dict[str, Any]]:
    """Of each kind the trials whose LR is beyond 10 for the other; exact 95 % intervals.

    Before LRs are held between bounds, as `verify` does.
    """
    from scipy.stats import binomtest

    found = {}
    for name, lrs in (("same", -log10_lrs[same]), ("different", log10_lrs[~same])):
        count = int(np.count_nonzero(lrs > STRONG))
        limits = binomtest(count, len(lrs)).proportion_ci()
        share = count / len(lrs)
        found[name] = {"count": count, "share": share, "interval": [limits.low, limits.high]}
    return found
