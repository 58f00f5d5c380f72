"""Data to fit evidence to: texts, trials over them, and how alike networks find their sides.

Every genre is judged by networks that have met nobody in its trials. Where some networks have met
a source, and some have not, it has two views: people whom training kept back, as the networks of
the model find them, and all of its people, as networks find them that have met none of it. So is
judged what users bring, of genres that no network has met. Judges need not belong to the model.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from samehand.corpus.store import Store
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.fitting.drawn_trials import DrawnTrials, draw_trials, varied_texts
from samehand.fitting.learned import documents_to_fit, views
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


class Panel(NamedTuple):
    """The networks that judge some trials."""

    networks: tuple[int, ...]
    novel: bool
    """Whether they have met nothing of the sources."""
    scale: float = 0.0
    """what is added to their similarities, so that they are like those of all of the model"""


class Material(NamedTuple):
    """Texts, and trials over them."""

    vectors: TextVectors
    """by the networks of the model, followed by those that only judge"""
    networks: int
    """how many the model has"""
    author: Ints
    source: Ints
    panel: Ints
    """All three (texts,); the panel by its number"""
    names: list[str]
    """of the sources"""
    panels: tuple[Panel, ...]
    drawn: DrawnTrials
    compared: Compared

    @property
    def of_model(self) -> TextVectors:
        """The vectors by the networks of the model."""
        return self.vectors.of_networks(range(self.networks))

    @property
    def novel(self) -> Bools:
        """(trials,) Whether they were judged by networks that have met nothing of their source."""
        novel = np.array([panel.novel for panel in self.panels])
        return novel[self.panel[self.drawn.trials.questioned]]

    def at(self, trials: Bools) -> "Material":
        """All texts, with some of the trials."""
        return self._replace(drawn=self.drawn.at(trials), compared=self.compared.at(trials))

    def compare(self, trials: Trials, panel: Panel | None = None) -> Compared:
        """Trials as a panel finds them, or as the model does."""
        by_model = compare(self.of_model, trials)
        if panel is None or panel.networks == tuple(range(self.networks)):
            return by_model
        found = compare(self.vectors.of_networks(panel.networks), trials)
        covariates = found.covariates.copy()
        covariates[:, _SPREAD] -= panel.scale * covariates[:, _SEVERAL]
        similarity = found.similarity + panel.scale
        return by_model._replace(similarity=similarity, covariates=covariates)


def draw(
    store: Store,
    networks: Sequence[StoredNetwork],
    unmet: Bools,
    rng: np.random.Generator,
    *,
    of_model: int | None = None,
    of_store: Bools | None = None,
    progress: Progress = unwatched,
) -> Material:
    """Texts of every length, trials over them, their vectors, and how alike their sides are.

    `unmet` (networks, `documents_to_fit`): what the networks have not met. The first `of_model` of
    them belong to the model, or all. `of_store`: which were trained on this store, or all.
    """
    of_store = np.ones(len(networks), np.bool_) if of_store is None else of_store
    every, of_model = documents_to_fit(store), of_model or len(networks)
    of_source = store.array("source")[every]
    progress("drawing trials")
    texts_and_trials = []
    for view in views(store, every, unmet, of_store, of_model):
        inside = np.isin(of_source, view.sources) & unmet[list(view.networks)].all(0)
        texts, drawn = _trials_of(store, networks, every[inside], rng)
        if len(drawn.same):
            texts_and_trials.append((view, texts, drawn))
    same = np.concatenate([np.zeros(0, np.bool_), *(drawn.same for *_, drawn in texts_and_trials)])
    if min(same.sum(), (~same).sum()) < FEWEST:
        raise InputError(
            f"{store.folder}: authors whom no network has learned from give {same.sum()} trials by "
            f"one author and {(~same).sum()} by two, of {FEWEST} needed; add text, or keep more "
            "authors from training (scoring.authors)."
        )
    parts: list[Material] = []
    for view, texts, drawn in texts_and_trials:
        panel = Panel(view.networks, view.novel)
        part = _judged(store, networks, of_model, texts, drawn, panel, progress)
        parts.append(_scaled(part, parts, store.array("author")[every], unmet))
    return _joined(parts)


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
    panel: Panel,
    progress: Progress,
) -> Material:
    """Trials that a panel judges."""
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
    of_texts = texts.author[used], texts.source[used], np.zeros(len(used), np.int64)
    nothing = Compared(*[np.zeros(0)] * len(Compared._fields))
    found = Material(vectors, of_model, *of_texts, names, (panel,), drawn, nothing)
    return found._replace(compared=found.compare(drawn.trials, panel))


def _scaled(part: Material, before: Sequence[Material], authors: Ints, unmet: Bools) -> Material:
    """A part whose panel's similarities are on the scale of the model's.

    Networks differ in the scale of their distances. Here it is that of trials which all networks of
    the model judge, of other sources than those of the part, by people whom the panel has not met.
    """
    (panel,) = part.panels
    members = tuple(range(part.networks))
    by_model = next((each for each in before if each.panels[0].networks == members), None)
    if panel.networks == members or by_model is None:
        return part
    met = np.unique(authors[~unmet[list(panel.networks)].all(0)])
    trials = by_model.drawn.trials
    sides = np.stack([trials.questioned, trials.known[:, 0]], 1)
    own = np.unique(part.drawn.genres)
    common: Bools = ~np.asarray(
        (np.isin(by_model.drawn.genres, own) | np.isin(by_model.author[sides], met)).any(1)
    )
    if not common.any():
        return part
    by_panel = compare(by_model.vectors.of_networks(panel.networks), trials.at(common)).similarity
    scale = float(np.mean(by_model.compared.similarity[common] - by_panel))
    panel = panel._replace(scale=scale)
    return part._replace(panels=(panel,), compared=part.compare(part.drawn.trials, panel))


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
    return parts[0]._replace(
        vectors=joined([part.vectors for part in parts]),
        author=np.concatenate([part.author for part in parts]),
        source=np.concatenate([part.source for part in parts]),
        panel=np.repeat(np.arange(len(parts)), [part.vectors.texts for part in parts]),
        panels=tuple(part.panels[0] for part in parts),
        drawn=DrawnTrials(
            Trials(questioned, known),
            np.concatenate([part.drawn.same for part in parts]),
            np.concatenate([part.drawn.genres for part in parts]),
        ),
        compared=Compared(
            *map(np.concatenate, zip(*(part.compared for part in parts), strict=True))
        ),
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
        "trials_of_sources_left_out": int(material.novel.sum()),
    }
