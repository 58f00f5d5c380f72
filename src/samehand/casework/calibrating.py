"""`samehand calibrate`: a model whose last stage is fitted to somebody's own kind of text."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from samehand.casework.cross_validation import Measured
from samehand.casework.labelled import LEAST_OF_A_KIND, Gathered, gather, probabilities
from samehand.errors import InputError
from samehand.evaluation.validation import stated_validation
from samehand.io.atomic import all_or_nothing, check_place
from samehand.judgement import bounds_of
from samehand.network.last_stage import LastStage, underlying
from samehand.network.weights import (
    copy_model,
    description_file,
    entries,
    load_members,
    load_population,
)
from samehand.verifier import Floats, Verifier, model_folder

RECORDED = ("auc", "cllr", "cllr_min", "ece")
"""Figures before and after that a calibrated model keeps of itself."""


def calibrate(
    model: Path | None,
    pairs: Path,
    truth: Path,
    output: Path,
    *,
    force: bool = False,
    skip_repeats: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Fit a model's last stage to trials, write the new model, and tell what was found.

    A model that was calibrated before is calibrated anew from what it was, not on top. Where the
    fit does not lower the cross-validated Cllr, the last stage stays the identity, and only the
    bounds are those of the trials. Anything that cannot be used raises `InputError`, and then
    nothing is written.
    """
    folder = model_folder(model)
    check_output(folder, output, force, [pairs, truth])
    gathered = gather(pairs, truth, skip_repeats)
    _refuse_few(gathered)
    members, description = load_members(folder)
    plain = underlying(description)
    verifier = Verifier(members, plain, load_population(folder, plain))
    levs: dict[bytes, Floats] = {}
    answers = probabilities(verifier, gathered, progress, levs)
    usable = ~np.isnan(answers)
    kept = gathered.only(usable)
    _refuse_few(kept)
    measured = Measured.of(kept, answers[usable])
    if measured is None:
        raise InputError(
            f"{gathered.pairs}: the trials share so many texts that too few stay apart from each "
            "other to cross-validate; make trials of more texts."
        )
    stage = worthwhile(measured)
    name = str((plain.get("about") or {}).get("name") or folder.resolve().name)
    found = _record(measured, stage, len(gathered.trials) - len(kept.trials))
    found["model"] = {"name": name, "sha256": plain.get("sha256", "")}
    found["familiar_to"] = verifier.familiarity.of_most(np.stack(list(levs.values())))
    about = _about(plain.get("about") or {}, found, measured, stage)
    with all_or_nothing(output) as made:
        copy_model(folder, made, about)
    bounds, _ = bounds_of({"about": about})
    told = {"output": str(output), "calibrated_before": plain is not description}
    return found | told | {"log10_lr_bounds": list(bounds)}


def check_output(folder: Path, output: Path, force: bool, inputs: Sequence[Path]) -> None:
    """Raise unless a new model may be written there, where none of the inputs may be."""
    place, source = output.resolve(), folder.resolve()
    if place == source or source in place.parents or place in source.parents:
        raise InputError(
            f"{output}: is the model itself, is in it or around it; choose another place."
        )
    mark = description_file(output).name
    check_place(output, mark, force, lambda name: name in entries(output), inputs)


def _refuse_few(gathered: Gathered) -> None:
    n_same, n_different = gathered.counts
    if min(n_same, n_different) < LEAST_OF_A_KIND:
        raise InputError(
            f"{gathered.pairs}: {n_same:,} usable trials by one author and {n_different:,} by two; "
            f"{LEAST_OF_A_KIND} of each are needed, so gather more."
        )


def worthwhile(measured: Measured) -> LastStage:
    """The fitted stage; the identity where that is as good; an error where neither says a thing."""
    before, after = (measured.figures[name]["cllr"] for name in ("as_is", "fitted"))
    if measured.stage.slope <= 0.0 or min(before, after) >= 1.0:
        raise InputError(
            f"{measured.gathered.pairs}: the model says nothing about texts like these (Cllr "
            f"{before:.3f} as it is, {after:.3f} fitted and cross-validated; 1 says nothing), so "
            "it must not be used on them, and nothing was written."
        )
    return measured.stage if after < before else LastStage()


def _record(measured: Measured, stage: LastStage, without_words: int) -> dict[str, Any]:
    """What a calibrated model tells of its calibration, apart from which model it was."""
    n_same, n_different = measured.gathered.counts
    fitted = stage != LastStage()
    figures = measured.figures
    after = figures["fitted" if fitted else "as_is"]
    return {
        "offset": stage.offset,
        "slope": stage.slope,
        "fitted": fitted,
        "trials": {
            "same": n_same,
            "different": n_different,
            "without_words": without_words,
            "repeats": measured.gathered.repeats,
        },
        "folds": len(np.unique(measured.folds.number)),
        "kept_apart": measured.folds.kept_apart,
        "before": _recorded(figures["as_is"]),
        "after": _recorded(after),
        "difference": figures["fitted"]["difference"],
        **measured.gathered.hashes(),
        "date": datetime.now(UTC).date().isoformat(),
    }


def _recorded(figures: dict[str, Any]) -> dict[str, Any]:
    spans = {name: list(figures["intervals"][name]) for name in RECORDED}
    return {name: figures[name] for name in RECORDED} | {"intervals": spans}


def _about(
    plain: dict[str, Any], found: dict[str, Any], measured: Measured, stage: LastStage
) -> dict[str, Any]:
    """What is told of the calibrated model: all that was told before, and what has changed."""
    n = len(measured.gathered.trials)
    texts = {text for trial in measured.gathered.trials for text in trial.texts}
    fitted = stage != LastStage()
    how = "cross-validated, as its last stage was fitted to them" if fitted else "as it was"
    on = (
        f"{n:,} trials of its user's own kind of text (SHA-256 {found['pairs_sha256'][:12]}); {how}"
    )
    probability = measured.fitted if fitted else measured.as_is
    before = {key: plain[key] for key in ("name", "validation") if key in plain}
    return plain | {
        "name": f"{found['model']['name']}, calibrated on {n:,} trials",
        "validation": stated_validation(on, measured.gathered.same, probability),
        "calibration": found | {"underlying": before, "texts": sorted(texts)},
    }
