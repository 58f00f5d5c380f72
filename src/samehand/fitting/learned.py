"""Training data of networks, and which of them judge a source."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.split import kept_authors
from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.model.description import Data

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]


class Learned(NamedTuple):
    """The training data of a network."""

    sources: frozenset[str]
    share_kept: float
    """of the authors of these sources it has not met"""
    data: Data | None
    """the store that it was trained on, if that is known"""

    @classmethod
    def of(cls, training: Mapping[str, Any], data: Data) -> "Learned":
        """By what a model says of its training and of its data."""
        try:
            share = float(training["settings"]["scoring"]["authors"])
            left_out = training["settings"].get("leave_out", ())
        except (KeyError, TypeError, ValueError):
            raise InputError(
                "The networks do not say which authors they were trained without; name folders "
                "that `samehand train` made, or give --unmet if they met nobody in the store."
            ) from None
        own = training.get("sources")  # only said where the model's data are not the network's
        sources = frozenset(data.training if own is None else own) - frozenset(left_out)
        return cls(sources, share, data if own is None else None)

    def is_of(self, store: Store) -> bool:
        """Whether the network was trained on this store, so that names mean the same people."""
        return self.data == Data.model_validate(store.about)

    def unmet(self, store: Store, documents: Ints) -> Bools:
        """Which documents the network has not learned from, nor others by their authors.

        Sources are told apart by their names. Of the network's own store these are, beside, those
        of the calibration part.
        """
        of_source = np.array([name not in self.sources for name in store.about["sources"]])
        kept = kept_authors(store.author_names, self.share_kept)
        sources, authors = store.array("source")[documents], store.array("author")[documents]
        found: Bools = of_source[sources] | kept[authors]
        if self.is_of(store):
            found |= np.isin(documents, store.documents("calibration"))
        return found


def documents_to_fit(store: Store) -> Ints:
    """Those for training and for calibration."""
    return np.concatenate([store.documents("train"), store.documents("calibration")])


class View(NamedTuple):
    """Sources, and networks by which they are judged: who has met none of the people in them."""

    networks: tuple[int, ...]
    novel: bool
    """Whether these networks have not met the sources at all."""
    sources: Ints


def views(
    store: Store, documents: Ints, unmet: Bools, of_store: Bools, of_model: int
) -> list[View]:
    """Sources by who judges them, the networks of the model first.

    Those that some networks have met, and some have not, are in two views.

    `unmet` (networks, documents): what the networks have not met; the first `of_model` of them
    belong to the model. These judge together wherever none of them has met the people; elsewhere
    all networks do that have not. `of_store` (networks,): which were trained on this store; where
    there are such, no other judges a source as one that it has not met.
    """
    of_source = store.array("source")[documents]
    members = np.arange(of_model)
    found: dict[tuple[tuple[int, ...], bool], list[int]] = {}
    for source in np.unique(of_source).tolist():
        own = unmet[:, of_source == source]
        never: Bools = np.asarray(own.all(1))
        partly: Bools = np.asarray(own.any(1))
        able = [(partly, False)] if not never[members].all() else []
        if (never & of_store).any() and not never[members].all():
            never &= of_store
        for who, novel in (*able, (never, True)):
            judging = members if who[members].all() else np.flatnonzero(who)
            if len(judging):
                found.setdefault((tuple(judging.tolist()), novel), []).append(source)
    model = tuple(members.tolist())
    ordered = sorted(found, key=lambda key: (key[0] != model, key[1], key[0]))
    return [View(*key, np.array(found[key])) for key in ordered]
