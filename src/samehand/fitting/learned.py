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

    def unmet(self, store: Store, documents: Ints) -> Bools:
        """Which documents the network has not learned from, nor others by their authors.

        Sources are told apart by their names. Of the network's own store these are, beside, those
        of the calibration part.
        """
        of_source = np.array([name not in self.sources for name in store.about["sources"]])
        kept = kept_authors(store.author_names, self.share_kept)
        sources, authors = store.array("source")[documents], store.array("author")[documents]
        found: Bools = of_source[sources] | kept[authors]
        if self.data == Data.model_validate(store.about):
            found |= np.isin(documents, store.documents("calibration"))
        return found


def documents_to_fit(store: Store) -> Ints:
    """Those for training and for calibration."""
    return np.concatenate([store.documents("train"), store.documents("calibration")])


class LeftOut(NamedTuple):
    """Sources that some networks have not met, though others have."""

    judges: tuple[int, ...]
    """the networks that have not"""
    sources: Ints
    met: Ints
    """sources that all of these networks have met"""


def sources_by_judges(store: Store, documents: Ints, unmet: Bools) -> list[LeftOut]:
    """Sources by their judges; `unmet` (networks, documents): which documents they have not met."""
    of_source = store.array("source")[documents]
    sources = np.unique(of_source)
    unknown = np.stack([unmet[:, of_source == number].all(1) for number in sources], 1)
    groups: dict[tuple[int, ...], list[int]] = {}
    for source, judges in enumerate(unknown.T):
        if 0 < judges.sum() < len(judges):
            groups.setdefault(tuple(np.flatnonzero(judges).tolist()), []).append(source)
    return [
        LeftOut(judges, sources[groups[judges]], sources[~unknown[list(judges)].any(0)])
        for judges in sorted(groups)
    ]
