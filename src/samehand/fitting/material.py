"""Data to fit evidence to: texts, trials over them, and how alike networks find their sides.

Every genre is judged by networks that have met nobody in its trials. Where some networks were
trained without a source, these are the judges, and all its authors give trials: so is judged what
users bring, of genres that no network has met. Where all have met it, all of them judge people whom
training kept back. Judges need not belong to the model.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from samehand.corpus.store import Store
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.fitting.drawn_trials import DrawnTrials, draw_trials, varied_texts
from samehand.fitting.learned import LeftOut, documents_to_fit, sources_by_judges
from samehand.fitting.stored_vectors import embed_stored
from samehand.io.progress import Progress, unwatched
from samehand.model.folder import StoredNetwork
from samehand.scoring.distance import COVARIATES, Compared, Trials, compare
from samehand.training.texts import Stored, Texts

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

_SPREAD, _SEVERAL = map(COVARIATES.index, ("spread_of_known", "several_known"))
FEWEST = 50
"""With fewer trials of either kind nothing can be fitted."""


class Judges(NamedTuple):
    """The networks that judge a source."""

    networks: tuple[int, ...]
    scale: float
    """what is added to their similarities, so that they are like those of all of the model"""
    group: int
    """sources with the same judges have the same number, from 1 on"""


class Material(NamedTuple):
    """Texts, and trials over them."""

    vectors: TextVectors
    """by the networks of the model, followed by those that only judge"""
    networks: int
    """how many the model has"""
    author: Ints
    source: Ints
    """Both (texts,)"""
    names: list[str]
    """of the sources"""
    drawn: DrawnTrials
    compared: Compared
    judges: Mapping[int, Judges]
    """of sources that some networks have not met; all of the model's judge the others"""

    @property
    def of_model(self) -> TextVectors:
        """The vectors by the networks of the model."""
        return self.vectors.of_networks(range(self.networks))

    def at(self, trials: Bools) -> "Material":
        """All texts, with some of the trials."""
        return self._replace(drawn=self.drawn.at(trials), compared=self.compared.at(trials))

    def groups(self) -> Ints:
        """(trials, 2) of both sides, which judges their source has; 0 where all have met it."""
        numbers = np.zeros(len(self.names), np.int64)
        for source, judges in self.judges.items():
            numbers[source] = judges.group
        found: Ints = numbers[self.drawn.genres]
        return found

    def compare(self, trials: Trials, source: int | None = None) -> Compared:
        """Trials as the judges of a source find them, or as the model does."""
        by_model = compare(self.of_model, trials)
        judges = None if source is None else self.judges.get(source)
        if judges is None:
            return by_model
        found = compare(self.vectors.of_networks(judges.networks), trials)
        covariates = found.covariates.copy()
        covariates[:, _SPREAD] -= judges.scale * covariates[:, _SEVERAL]
        similarity = found.similarity + judges.scale
        return by_model._replace(similarity=similarity, covariates=covariates)


def draw(
    store: Store,
    networks: Sequence[StoredNetwork],
    unmet: Bools,
    rng: np.random.Generator,
    *,
    of_model: int | None = None,
    progress: Progress = unwatched,
) -> Material:
    """Texts of every length, trials over them, their vectors, and how alike their sides are.

    `unmet` (networks, `documents_to_fit`): what the networks have not met. The first `of_model` of
    them belong to the model, or all.
    """
    every = documents_to_fit(store)
    progress("drawing trials")
    texts, drawn = _trials_of(store, networks, every[unmet.all(0)], rng)
    n_same, n = int(drawn.same.sum()), len(drawn.same)
    if min(n_same, n - n_same) < FEWEST:
        raise InputError(
            f"{store.folder}: authors whom no network has learned from give {n_same} trials by one "
            f"author and {n - n_same} by two, of {FEWEST} needed; add text, or keep more authors "
            "from training (scoring.authors)."
        )
    met = _judged(store, networks, of_model or len(networks), texts, drawn, {}, progress)
    parts = [met]
    judges: dict[int, Judges] = {}
    of_source = store.array("source")[every]
    for group, own in enumerate(sources_by_judges(store, every, unmet), 1):
        texts, drawn = _trials_of(store, networks, every[np.isin(of_source, own.sources)], rng)
        drawn = drawn.at(~drawn.mixed)
        if len(drawn.same):
            judge = Judges(own.judges, _scale(own, met), group)
            of_group = dict.fromkeys(own.sources.tolist(), judge)
            parts.append(_judged(store, networks, met.networks, texts, drawn, of_group, progress))
            judges |= of_group
    if not judges:
        return met
    parts[0] = met.at(~np.isin(met.drawn.genres, list(judges)).any(1) | met.drawn.mixed)
    return _joined(parts, judges)


def _trials_of(
    store: Store, networks: Sequence[StoredNetwork], documents: Ints, rng: np.random.Generator
) -> tuple[Texts, DrawnTrials]:
    """Texts of some documents, and trials over them."""
    texts = varied_texts(Stored.of(store).at(documents), Embedder(networks).most_tokens, rng)
    return texts, draw_trials(texts, rng)


def _judged(
    store: Store,
    networks: Sequence[StoredNetwork],
    of_model: int,
    texts: Texts,
    drawn: DrawnTrials,
    judges: Mapping[int, Judges],
    progress: Progress,
) -> Material:
    """Trials of sources that have the same judges."""
    trials = drawn.trials
    used, places = np.unique(
        np.concatenate([trials.questioned[:, None], trials.known], 1), return_inverse=True
    )
    places = places.reshape(len(trials.questioned), -1)
    if used[0] < 0:  # −1 stands for no text, and keeps its number
        used, places = used[1:], places - 1
    vectors = embed_stored(store, networks, texts, used, progress)
    drawn = drawn._replace(trials=Trials(places[:, 0], places[:, 1:]))
    names = json.loads((store.folder / "names.json").read_text("utf-8"))["sources"]
    of_texts = texts.author[used], texts.source[used]
    nothing = Compared(*[np.zeros(0)] * len(Compared._fields))
    found = Material(vectors, of_model, *of_texts, names, drawn, nothing, judges)
    return found._replace(compared=found.compare(drawn.trials, next(iter(judges), None)))


def _scale(of: LeftOut, met: Material) -> float:
    """By how much all networks of a model find trials more alike than judges do.

    Networks differ in the scale of their distances. These trials are of sources that all of the
    judges have met, by people whom none has.
    """
    common = np.flatnonzero(np.isin(met.drawn.genres, of.met).all(1))
    if not len(common):
        return 0.0
    judges = met.vectors.of_networks(of.judges)
    by_judges = compare(judges, met.drawn.trials.at(common)).similarity
    return float(np.mean(met.compared.similarity[common] - by_judges))


def _joined(parts: Sequence[Material], judges: Mapping[int, Judges]) -> Material:
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
    return parts[0]._replace(
        vectors=joined([part.vectors for part in parts]),
        author=np.concatenate([part.author for part in parts]),
        source=np.concatenate([part.source for part in parts]),
        drawn=DrawnTrials(
            Trials(questioned, known),
            np.concatenate([part.drawn.same for part in parts]),
            np.concatenate([part.drawn.genres for part in parts]),
        ),
        compared=Compared(
            *map(np.concatenate, zip(*(part.compared for part in parts), strict=True))
        ),
        judges=judges,
    )


def told(material: Material) -> dict[str, JsonValue]:
    """A model's facts about the material its evidence was fitted to."""
    genres = np.unique(material.drawn.genres)
    return {
        "trials": len(material.drawn.same),
        "texts": material.vectors.texts,
        "authors": len(np.unique(material.author)),
        "tokens": int(material.vectors.tokens.sum()),
        "genres": [material.names[number] for number in genres],
        "trials_of_sources_left_out": int(material.groups().any(1).sum()),
    }
