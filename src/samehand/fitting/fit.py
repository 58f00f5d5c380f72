"""From trained networks to a model that answers: texts → trials → evidence → validation."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.fitting.evidence import fit_evidence
from samehand.fitting.learned import Learned, documents_to_fit
from samehand.fitting.material import draw, told
from samehand.fitting.validation import held_out, left_out, validate
from samehand.io.atomic import check_place
from samehand.io.progress import Progress, unwatched
from samehand.model.description import About, Data, Evidence, Statement
from samehand.model.folder import (
    DESCRIPTION,
    StoredModel,
    StoredNetwork,
    entries,
    read_model,
    write_model,
)
from samehand.scoring.paper import PaperEvidence
from samehand.scoring.system import paper_log_lr

Bools = NDArray[np.bool_]


def fit(
    store: Store,
    runs: Sequence[Path],
    output: Path,
    *,
    judges: Sequence[Path] = (),
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
    all authors of both. A source that some networks were trained without is judged by these, too,
    with all its authors, as a genre is that no network has met; `judges` are runs whose networks do
    not belong to the model. `half`: weights of the networks are rounded to half precision.
    """
    check_place(output, DESCRIPTION, force, lambda name: name in entries(output), [*runs])
    of_model, judging = _networks(runs), _networks(judges)
    networks = [trained.network for trained in of_model]
    rng = np.random.default_rng(seed)
    kind = evidence or _evidence_of(of_model)
    if judging and (unmet or kind == "paper"):
        raise InputError("Networks that only judge are for evidence by genres, without --unmet.")
    known = _unmet(store, [*of_model, *judging], everybody=unmet)
    if kind == "paper":
        known = np.broadcast_to(known.all(0), known.shape)  # all judge alike
    judged = [*networks, *(trained.network for trained in judging)]
    of_store = _of_store(store, [] if unmet else [*of_model, *judging])
    material = draw(
        store, judged, known, rng, of_model=len(networks), of_store=of_store, progress=progress
    )
    of_what = told(material)
    if kind == "paper":
        papers = [PaperEvidence.of(network) for network in networks]
        log_lr, tensors = paper_log_lr(papers, material.vectors, material.drawn.trials), None
        how = "by the networks' own Bayes factor, which learned from other authors"
    else:
        progress(f"fitting evidence to {len(material.drawn.same):,} trials")
        tensors = fit_evidence(material).tensors()
        how = f"by evidence that was fitted without their {left_out(material)}"
        if 0 < material.novel.mean() < 1:
            share = f"{material.novel.mean():.0%}"
            how += f"; {share} of them by networks that had met nothing of their genre"
        log_lr = held_out(material, rng, progress)
        networks = [network.encoder() for network in networks]
    validation, bounds = validate(material, log_lr, how)
    data = max((trained.about.data for trained in of_model), key=lambda data: len(data.training))
    statement = Statement(
        name=name or output.resolve().name,
        evidence=kind,
        log10_lr_bounds=bounds,
        about=About(
            use=use or of_model[0].about.use,
            data=data,
            training={
                "networks": {trained.network.name: trained.told(data) for trained in of_model},
                "evidence": of_what,
            },
            validation=validation,
        ),
    )
    write_model(output, statement, networks, evidence=tensors, half=half)
    return read_model(output)


class _Trained(NamedTuple):
    """A network, and what its model says of its training."""

    network: StoredNetwork
    how: dict[str, JsonValue]
    about: About
    evidence: Evidence

    def learned(self) -> Learned:
        """The data it learned from."""
        return Learned.of(self.how, self.about.data)

    def told(self, of_model: Data) -> dict[str, JsonValue]:
        """How it was trained, for a model whose networks learned from these data or less."""
        if self.about.data == of_model:
            return self.how
        return self.how | {"sources": list(self.about.data.training)}


def _networks(runs: Sequence[Path]) -> list[_Trained]:
    """Those of runs, or of models."""
    found = []
    for run in runs:
        place = run if (run / DESCRIPTION).exists() else run / "model"
        model = read_model(place, without_evidence=True)
        about, one = model.description.about, len(model.networks) == 1
        of_all = about.training.get("networks", {})
        for network in model.networks:
            own = of_all.get(network.name) if isinstance(of_all, dict) else None
            named = network._replace(name=run.resolve().name) if one else network
            how = own if isinstance(own, dict) else about.training
            found.append(_Trained(named, how, about, model.description.evidence))
    return found


def _unmet(store: Store, networks: Sequence[_Trained], *, everybody: bool) -> Bools:
    """(networks, `documents_to_fit`) what they have not met."""
    documents = documents_to_fit(store)
    if everybody:
        return np.ones((len(networks), len(documents)), np.bool_)
    return np.stack([each.learned().unmet(store, documents) for each in networks])


def _of_store(store: Store, networks: Sequence[_Trained]) -> Bools | None:
    """(networks,) which of them were trained on a store; none where that does not count."""
    return np.array([each.learned().is_of(store) for each in networks]) if networks else None


def _evidence_of(networks: Sequence[_Trained]) -> Evidence:
    kinds = {trained.evidence for trained in networks}
    if len(kinds) > 1:
        raise InputError(
            "Some of these networks learned a Bayes factor of their own, and some did not; give "
            "--evidence genres, or runs of one kind."
        )
    (kind,) = kinds
    return kind
