"""From trained networks to a model that answers: texts → trials → evidence → validation."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pydantic import JsonValue

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.fitting.evidence import fit_evidence
from samehand.fitting.material import draw, sources_left_out, told, unmet_documents
from samehand.fitting.validation import held_out, left_out, validate
from samehand.io.atomic import check_place
from samehand.io.progress import Progress, unwatched
from samehand.model.description import About, Evidence, Statement
from samehand.model.folder import (
    DESCRIPTION,
    StoredModel,
    entries,
    read_model,
    write_model,
)
from samehand.scoring.paper import PaperEvidence
from samehand.scoring.system import paper_log_lr


def fit(
    store: Store,
    runs: Sequence[Path],
    output: Path,
    *,
    evidence: Evidence | None = None,
    name: str | None = None,
    use: str | None = None,
    unmet: bool = False,
    half: bool = False,
    seed: int = 0,
    force: bool = False,
    progress: Progress = unwatched,
) -> StoredModel:
    """Write a model of the networks of these runs.

    Networks that learned a Bayes factor of their own, as in the paper, judge by it; the others by
    genres. `evidence` has it otherwise. It is fitted and validated on authors that no network has
    learned from: those that training kept back, and those of the calibration part; with `unmet`
    all authors of both. Of sources that some networks have left out it learns, beside, what to
    expect of a new genre: from trials of all their authors, as those networks judge. `half`:
    weights of the networks are rounded to half precision.
    """
    check_place(output, DESCRIPTION, force, lambda name: name in entries(output), [*runs])
    found = [read_model(_model_of(run), without_evidence=True) for run in runs]
    networks = [
        network._replace(name=run.resolve().name if len(model.networks) == 1 else network.name)
        for run, model in zip(runs, found, strict=True)
        for network in model.networks
    ]
    trained = [of_network for model in found for of_network in _trainings(model)]
    rng = np.random.default_rng(seed)
    settings = [each.get("settings") for each in trained]
    documents = unmet_documents(store, settings, of_all=unmet)
    kind = evidence or _evidence_of(found)
    sources = sources_left_out(store, settings) if kind == "genres" and not unmet else {}
    material = draw(store, networks, documents, rng, sources, progress)
    of_what = told(material)
    if kind == "paper":
        papers = [PaperEvidence.of(network) for network in networks]
        log_lr, tensors = paper_log_lr(papers, material.vectors, material.drawn.trials), None
        how = "by the networks' own Bayes factor, which learned from other authors"
    else:
        progress(f"fitting evidence to {len(material.drawn.same):,} trials")
        tensors = fit_evidence(material).tensors()
        how = f"by evidence that was fitted without their {left_out(material)}"
        if sources:
            how = f"by networks that had not met their genres, and {how}"
        material, log_lr = held_out(material, rng, progress)
        networks = [network.encoder() for network in networks]
    validation, bounds = validate(material, log_lr, how)
    of_first = found[0].description.about
    names = [network.name for network in networks]
    statement = Statement(
        name=name or output.resolve().name,
        evidence=kind,
        log10_lr_bounds=bounds,
        about=About(
            use=use or of_first.use,
            data=of_first.data,
            training={
                "networks": dict(zip(names, trained, strict=True)),
                "evidence": of_what,
            },
            validation=validation,
        ),
    )
    write_model(output, statement, networks, evidence=tensors, half=half)
    return read_model(output)


def _model_of(run: Path) -> Path:
    """The folder of the model that a run left, if this is a run."""
    return run if (run / DESCRIPTION).exists() else run / "model"


def _trainings(model: StoredModel) -> list[dict[str, JsonValue]]:
    """How each network of a model was trained, as the model says."""
    training = model.description.about.training
    of_all = training.get("networks", {})
    names = [network.name for network in model.networks]
    of_each = [of_all.get(name) if isinstance(of_all, dict) else None for name in names]
    return [each if isinstance(each, dict) else training for each in of_each]


def _evidence_of(models: Sequence[StoredModel]) -> Evidence:
    kinds = {model.description.evidence for model in models}
    if len(kinds) > 1:
        raise InputError(
            "Some of these networks learned a Bayes factor of their own, and some did not; give "
            "--evidence genres, or runs of one kind."
        )
    (kind,) = kinds
    return kind
