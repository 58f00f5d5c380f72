"""`samehand validate`: what a model is worth on somebody's own kind of text."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.casework.answering import assessed
from samehand.casework.digests import sha256_of
from samehand.casework.labelled import LabelledTrials, read_labelled
from samehand.casework.suitability import Interval, Kind, Suitability, kind_of
from samehand.cautions.texts import LEAST_WORDS
from samehand.errors import InputError
from samehand.evaluation.bootstrap import Bias, intervals, resampled_scores
from samehand.evaluation.calibration_error import Binning, reliability
from samehand.evaluation.elub import elub
from samehand.evaluation.likelihood_ratio import cllr, devpav
from samehand.evaluation.proportion import exact_interval
from samehand.evaluation.scores import score
from samehand.evaluation.strata import length_bands
from samehand.io.progress import Progress, unwatched
from samehand.verdict import probability_of
from samehand.verifier import Verifier

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

FIGURES = ("auc", "eer", "cllr", "cllr_min", "cllr_cal", "ece")
RESAMPLES = 1_000
DECIMALS = 6
"""Of the log10 LRs of trials that are told."""
_TENTHS = Binning("probability", "adaptive")
_POWERS = np.geomspace(1, 100, 200)
_STEP = "answering trials"
STRONG = 1.0
"""log10 LR beyond which a likelihood ratio for the wrong side strongly misleads: 10, or 1/10."""


KNOWN_BANDS = {"1": (1, 1), "2": (2, 2), "3-4": (3, 4), "5+": (5, None)}
"""Bands of the number of known texts in a trial, by their least and their most."""


class Answers(NamedTuple):
    """A model's answers on trials; all (trials,)."""

    log10_lr: Floats
    words: Longs
    """Of the shortest text of each trial."""
    known: Longs
    """Known texts of each trial."""
    of_case: Bools
    """Whether the model was adapted to a text of the trial."""

    def at(self, wanted: Bools) -> "Answers":
        """Those of some trials."""
        return Answers._make(field[wanted] for field in self)

    @property
    def probability(self) -> Floats:
        """p(same author) at prior odds of 1:1."""
        return np.array([probability_of(log10_lr) for log10_lr in self.log10_lr.tolist()])


def validate(
    model: Path | str | None,
    pairs: Path,
    truth: Path,
    *,
    skip_repeats: bool = False,
    progress: Progress = unwatched,
) -> dict[str, Any]:
    """Measure a model on trials, and judge what it is worth on texts like theirs.

    Trials with a text that the model was adapted to, or that `verify` refuses as too short, are
    left out. Anything that cannot be used raises `InputError`.
    """
    labelled = read_labelled(pairs, truth, skip_repeats)
    _refuse_one_kind(labelled)
    verifier = Verifier.load(model)
    all_answers = _answers(verifier, labelled, progress)
    progress("computing figures")
    too_short = (all_answers.words < LEAST_WORDS) & ~all_answers.of_case
    usable = ~too_short & ~all_answers.of_case
    kept, answers = labelled.only(usable), all_answers.at(usable)
    _refuse_too_few(kept)
    found = _figures(kept.same, answers)
    supported = elub(kept.same, answers.log10_lr)
    kind = _kind(kept, answers.log10_lr, found, supported)
    return {
        "verdict": Suitability.of(kind, supported).as_dict(),
        "model": _model(verifier),
        "pairs_sha256": sha256_of(labelled.pairs),
        "truth_sha256": sha256_of(labelled.truth),
        "trials": {
            "same": kept.counts[0],
            "different": kept.counts[1],
            "adapted_to": int(np.count_nonzero(all_answers.of_case)),
            "too_short": int(np.count_nonzero(too_short)),
            "repeats": labelled.repeats,
        },
        **found,
        "misleading": _misleading(kept.same, answers.log10_lr),
        "log10_lr_bounds": list(verifier.system.bounds.log10),
        "bounds_stated": verifier.facts.validated,
        "supported_log10_lr_bounds": list(supported),
        "length_bands": _by_band(kept.same, answers, length_bands(answers.words)),
        "known_bands": _by_band(kept.same, answers, known_bands(answers.known)),
    }


def known_bands(known: Longs) -> dict[str, Bools]:
    """The non-empty bands of the number of known texts."""
    found = {
        name: (known >= least) & (known <= (most or np.inf))
        for name, (least, most) in KNOWN_BANDS.items()
    }
    return {name: band for name, band in found.items() if band.any()}


def _by_band(same: Bools, answers: Answers, bands: Mapping[str, Bools]) -> dict[str, Any]:
    return {name: score(same[band], answers.at(band).probability) for name, band in bands.items()}


def _answers(verifier: Verifier, labelled: LabelledTrials, progress: Progress) -> Answers:
    found: dict[str, tuple[float, int, int, bool]] = {}
    progress(_STEP, 0, len(labelled.trials))
    for trial, answer in assessed(verifier, labelled.read()):
        words = min(text.n_words for text in answer.texts)
        found[trial.id] = answer.log10_lr, words, len(trial.known), bool(answer.of_case)
        progress(_STEP, len(found), len(labelled.trials))
    return Answers(*map(np.array, zip(*(found[each.id] for each in labelled.trials), strict=True)))


def _refuse_one_kind(labelled: LabelledTrials) -> None:
    if 0 in labelled.counts:
        only = "one author" if labelled.counts[0] else "two authors"
        raise InputError(
            f"{labelled.truth}: all trials are by {only}; trials of both kinds are needed."
        )


def _refuse_too_few(kept: LabelledTrials) -> None:
    if 0 in kept.counts:
        raise InputError(
            f"{kept.pairs}: of one kind of trials none is left without those that hold a text the "
            f"model was adapted to, or one of fewer than {LEAST_WORDS} words; validate on others."
        )


def _model(verifier: Verifier) -> dict[str, Any]:
    facts = verifier.facts
    return {
        "name": facts.name,
        "sha256": facts.sha256,
        "most_tokens": facts.most_tokens,
        "adapted": verifier.model.case is not None,
    }


def _kind(
    kept: LabelledTrials, log10_lr: Floats, found: Mapping[str, Any], supported: Interval
) -> Kind:
    """The verdict by the rules of `suitability.py`."""
    kind = kind_of(kept.counts, found["intervals"], supported)
    if kind == "badly calibrated":
        _, spans = _scores(kept.same, sharpened(kept.same, log10_lr))
        if kind_of(kept.counts, spans, supported) == "fit":
            return "too cautious"
    return kind


def sharpened(same: Bools, log10_lr: Floats) -> Floats:
    """The probabilities that follow from LRs raised to the power, from 1 on, that costs least."""
    log_lr = log10_lr * math.log(10)
    best = min(_POWERS.tolist(), key=lambda power: cllr(same, power * log_lr))
    stronger: Floats = 1 / (1 + np.exp(-best * log_lr))
    return stronger


def _scores(same: Bools, probability: Floats) -> tuple[dict[str, float], dict[str, Interval]]:
    scores = score(same, probability)
    drawn = resampled_scores(same, [probability], RESAMPLES)[:, 0]
    return scores, intervals(scores, drawn, Bias.of((same, probability)))


def _figures(same: Bools, answers: Answers) -> dict[str, Any]:
    """The figures, their intervals where there are any, and what is drawn of them."""
    probability, log10_lrs = answers.probability, answers.log10_lr.round(DECIMALS)
    scores, spans = _scores(same, probability)
    deviation = devpav(same, log10_lrs * math.log(10))
    bins = reliability(same, probability, _TENTHS)
    return {
        "figures": {name: scores[name] for name in FIGURES} | {"devpav": deviation},
        "intervals": {name: list(spans[name]) for name in FIGURES},
        "log10_lrs": {
            "same": np.sort(log10_lrs[same]).tolist(),
            "different": np.sort(log10_lrs[~same]).tolist(),
        },
        "reliability": np.stack([bins.predicted, bins.observed], 1).tolist(),
    }


def _misleading(same: Bools, log10_lrs: Floats) -> dict[str, dict[str, Any]]:
    """Of each kind the trials whose LR is beyond 10 for the other; exact 95 % intervals."""
    found = {}
    for name, lrs in (("same", -log10_lrs[same]), ("different", log10_lrs[~same])):
        count = int(np.count_nonzero(lrs > STRONG))
        interval = list(exact_interval(count, len(lrs)))
        found[name] = {"count": count, "share": count / len(lrs), "interval": interval}
    return found
