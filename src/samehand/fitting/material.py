"""What evidence is fitted to: texts, trials over them, and how alike networks find their sides.

Trials are by people no network has learned from, judged by all networks: these tell what a genre
is like that they know. If networks left out sources when they were trained, there are also trials
of those sources, judged by the networks alone that have not met them: these tell what to expect of
a genre that no network knows.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from samehand.corpus.split import kept_authors
from samehand.corpus.store import Store
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.fitting.drawn_trials import DrawnTrials, draw_trials, varied_texts
from samehand.fitting.stored_vectors import embed_stored
from samehand.io.progress import Progress, unwatched
from samehand.model.folder import StoredNetwork
from samehand.scoring.distance import COVARIATES, Compared, Trials, compare
from samehand.training.texts import Stored, Texts

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

FEWEST = 50
"""With fewer trials of either kind nothing can be fitted."""


class Material(NamedTuple):
    """Texts, and trials over them."""

    vectors: TextVectors
    """by all networks"""
    author: Ints
    source: Ints
    """Both (texts,)"""
    names: list[str]
    """of the sources"""
    drawn: DrawnTrials
    compared: Compared
    left_out_by: Ints
    """(trials,) which group of networks judged, those that had left out the trial's source; 0 where
    all networks did, and had met nobody of the trial"""

    def at(self, trials: Bools) -> "Material":
        """All texts, with some of the trials."""
        return self._replace(
            drawn=self.drawn.at(trials),
            compared=self.compared.at(trials),
            left_out_by=self.left_out_by[trials],
        )


def unmet_documents(store: Store, settings: Sequence[Any], *, of_all: bool) -> Ints:
    """Documents for training or calibration whose authors no network has learned from.

    `settings`: those that each network was trained with. With `of_all` all authors count as such.
    """
    training, beside = store.documents("train"), store.documents("calibration")
    if of_all:
        return np.concatenate([training, beside])
    kept = np.ones(len(store.author_names), np.bool_)
    for one in settings:
        try:
            share = float(one["scoring"]["authors"])
        except (KeyError, TypeError, ValueError):
            raise InputError(
                "The networks do not say which authors they were trained without; name folders "
                "that `samehand train` made, or give --unmet if they met nobody in the store."
            ) from None
        kept &= kept_authors(store.author_names, share)
    return np.concatenate([training[kept[store.array("author")[training]]], beside])


def sources_left_out(store: Store, settings: Sequence[Any]) -> dict[tuple[int, ...], Ints]:
    """Sources that some networks have not met, though others have: by which networks these are."""
    left_out = [one.get("leave_out", ()) if isinstance(one, dict) else () for one in settings]
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, name in enumerate(store.about["sources"]):
        networks = tuple(i for i, names in enumerate(left_out) if name in names)
        if 0 < len(networks) < len(left_out):
            groups.setdefault(networks, []).append(number)
    return {networks: np.array(groups[networks]) for networks in sorted(groups)}


def draw(
    store: Store,
    networks: Sequence[StoredNetwork],
    documents: Ints,
    rng: np.random.Generator,
    left_out: Mapping[tuple[int, ...], Ints] = MappingProxyType({}),
    progress: Progress = unwatched,
) -> Material:
    """Texts of every length, trials over them, their vectors, and how alike their sides are.

    They are made of these documents, whose authors no network has learned from, and of all
    documents of the sources that were left out.
    """
    progress("drawing trials")
    texts, drawn = _trials_of(store, networks, documents, rng)
    n_same, n = int(drawn.same.sum()), len(drawn.same)
    if min(n_same, n - n_same) < FEWEST:
        raise InputError(
            f"{store.folder}: authors whom no network has learned from give {n_same} trials by one "
            f"author and {n - n_same} by two, of {FEWEST} needed; add text, or keep more authors "
            "from training (scoring.authors)."
        )
    material = _judged(store, networks, texts, drawn, progress)
    every = np.concatenate([store.documents("train"), store.documents("calibration")])
    of_source = store.array("source")[every]
    parts = [material]
    for group, (judges, sources) in enumerate(left_out.items(), 1):
        inside = every[np.isin(of_source, sources)]
        texts, drawn = _trials_of(store, networks, inside, rng)
        drawn = drawn.at(~drawn.mixed)
        if len(drawn.same):
            judged = _judged(store, networks, texts, drawn, progress)
            parts.append(_judged_by(judged, judges, group, material, sources))
    return _joined(parts) if len(parts) > 1 else material


def _trials_of(
    store: Store, networks: Sequence[StoredNetwork], documents: Ints, rng: np.random.Generator
) -> tuple[Texts, DrawnTrials]:
    """Texts of some documents, and trials over them."""
    texts = varied_texts(Stored.of(store).at(documents), Embedder(networks).most_tokens, rng)
    return texts, draw_trials(texts, rng)


def _judged(
    store: Store,
    networks: Sequence[StoredNetwork],
    texts: Texts,
    drawn: DrawnTrials,
    progress: Progress,
) -> Material:
    """Trials as all networks judge them."""
    trials = drawn.trials
    used, places = np.unique(
        np.concatenate([trials.questioned[:, None], trials.known], 1), return_inverse=True
    )
    places = places.reshape(len(trials.questioned), -1)
    if used[0] < 0:  # −1 stands for no text, and keeps its number
        used, places = used[1:], places - 1
    vectors = embed_stored(store, networks, texts, used, progress)
    drawn = drawn._replace(trials=Trials(places[:, 0], places[:, 1:]))
    return Material(
        vectors,
        texts.author[used],
        texts.source[used],
        json.loads((store.folder / "names.json").read_text("utf-8"))["sources"],
        drawn,
        compare(vectors, drawn.trials),
        np.zeros(len(drawn.same), np.int64),
    )


def _judged_by(
    material: Material, judges: tuple[int, ...], group: int, met: Material, sources: Ints
) -> Material:
    """Trials as some of the networks judge them.

    Networks differ in the scale of their distances. It is put right by trials of sources that all
    networks have met, on which these networks shall agree with all of them together.
    """
    common = np.flatnonzero(~np.isin(met.drawn.genres, sources).any(1))
    by_all = met.compared.similarity[common]
    by_judges = compare(met.vectors.of_networks(judges), met.drawn.trials.at(common)).similarity
    scale = float(np.mean(by_all - by_judges)) if len(common) else 0.0
    found = compare(material.vectors.of_networks(judges), material.drawn.trials)
    covariates = found.covariates.copy()
    covariates[:, COVARIATES.index("spread_of_known")] -= (
        scale * covariates[:, COVARIATES.index("several_known")]
    )
    return material._replace(
        compared=material.compared._replace(
            similarity=found.similarity + scale, covariates=covariates
        ),
        left_out_by=np.full(len(material.drawn.same), group),
    )


def _joined(parts: Sequence[Material]) -> Material:
    """All texts and trials of several."""
    first = np.cumsum([0, *(part.vectors.texts for part in parts)])
    most = max(part.drawn.trials.known.shape[1] for part in parts)
    trials = []
    for part, start in zip(parts, first, strict=False):
        known = part.drawn.trials.known
        moved = np.where(known >= 0, known + start, -1)
        padded = np.pad(moved, ((0, 0), (0, most - known.shape[1])), constant_values=-1)
        trials.append((part.drawn.trials.questioned + start, padded))
    questioned, known = (np.concatenate(field) for field in zip(*trials, strict=True))
    return Material(
        joined([part.vectors for part in parts]),
        np.concatenate([part.author for part in parts]),
        np.concatenate([part.source for part in parts]),
        parts[0].names,
        DrawnTrials(
            Trials(questioned, known),
            np.concatenate([part.drawn.same for part in parts]),
            np.concatenate([part.drawn.genres for part in parts]),
        ),
        Compared(*map(np.concatenate, zip(*(part.compared for part in parts), strict=True))),
        np.concatenate([part.left_out_by for part in parts]),
    )


def told(material: Material) -> dict[str, JsonValue]:
    """What a model says of the material that its evidence was fitted to."""
    genres = np.unique(material.drawn.genres)
    return {
        "trials": len(material.drawn.same),
        "texts": material.vectors.texts,
        "authors": len(np.unique(material.author)),
        "tokens": int(material.vectors.tokens.sum()),
        "genres": [material.names[number] for number in genres],
        "trials_of_sources_left_out": int((material.left_out_by > 0).sum()),
    }
