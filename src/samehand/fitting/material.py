"""What evidence is fitted to: texts by people no network has learned from, and trials over them."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

from samehand.corpus.split import kept_authors
from samehand.corpus.store import Store
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors
from samehand.errors import InputError
from samehand.fitting.drawn_trials import DrawnTrials, draw_trials, varied_texts
from samehand.fitting.stored_vectors import embed_stored
from samehand.model.folder import StoredNetwork
from samehand.scoring.distance import Trials
from samehand.training.texts import Stored

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

FEWEST = 50
"""With fewer trials of either kind nothing can be fitted."""


class Material(NamedTuple):
    """Texts that no network has learned from, and trials over them."""

    vectors: TextVectors
    author: Ints
    source: Ints
    """Both (texts,)"""
    names: list[str]
    """of the sources"""
    drawn: DrawnTrials

    def at(self, trials: Bools) -> "Material":
        """All texts, with some of the trials."""
        return self._replace(drawn=self.drawn.at(trials))


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


def draw(
    store: Store, networks: Sequence[StoredNetwork], documents: Ints, rng: np.random.Generator
) -> Material:
    """Texts of every length made of these documents, trials over them, and their vectors."""
    texts = varied_texts(Stored.of(store).at(documents), Embedder(networks).most_tokens, rng)
    drawn = draw_trials(texts, rng)
    n_same = int(drawn.same.sum())
    if min(n_same, len(drawn.same) - n_same) < FEWEST:
        raise InputError(
            f"{store.folder}: authors whom no network has learned from give {n_same} trials by one "
            f"author and {len(drawn.same) - n_same} by two, of {FEWEST} needed; add text, or keep "
            "more authors from training (scoring.authors)."
        )
    trials = drawn.trials
    used, places = np.unique(
        np.concatenate([trials.questioned[:, None], trials.known], 1), return_inverse=True
    )
    places = places.reshape(len(trials.questioned), -1)
    if used[0] < 0:  # −1 stands for no text, and keeps its number
        used, places = used[1:], places - 1
    return Material(
        embed_stored(store, networks, texts, used),
        texts.author[used],
        texts.source[used],
        json.loads((store.folder / "names.json").read_text("utf-8"))["sources"],
        drawn._replace(trials=Trials(places[:, 0], places[:, 1:])),
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
    }
