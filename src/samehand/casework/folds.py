"""Folds of trials for cross-validation: trials that share a text or an author stay together."""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.casework.labelled import GatheredTrial

Numbers = NDArray[np.int64]

FOLDS = 10
LEAST_LEFT = 25
"""Trials of each kind that must be left to fit on when a fold is kept apart."""


class Folds(NamedTuple):
    """Which fold each trial is in, and what no two folds share."""

    number: Numbers
    kept_apart: str


def fold(trials: Sequence[GatheredTrial]) -> Folds | None:
    """Folds that share no text, nor an author where authors are named and that can be done.

    None where the trials hang together by their texts so that too few are left to fit on.
    """
    same = np.array([trial.same for trial in trials], dtype=bool)
    by_text = [{("text", digest) for digest in trial.texts} for trial in trials]
    if any(trial.authors for trial in trials):
        by_both = [
            texts | {("author", author) for author in trial.authors}
            for texts, trial in zip(by_text, trials, strict=True)
        ]
        number = _dealt(groups(by_both), same)
        if _leaves_enough(number, same):
            return Folds(number, "texts and authors")
    number = _dealt(groups(by_text), same)
    return Folds(number, "texts") if _leaves_enough(number, same) else None


def groups(labels: Sequence[Iterable[Hashable]]) -> Numbers:
    """The number of each item's group: items with a label in common, directly or through others."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    met: dict[Hashable, int] = {}
    edges = [
        (item, len(labels) + met.setdefault(label, len(met)))
        for item, of_item in enumerate(labels)
        for label in of_item
    ]
    nodes = len(labels) + len(met)
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(edges)), (ends[0], ends[1])), (nodes, nodes))
    found: Numbers = connected_components(graph, directed=False)[1][: len(labels)]
    return found.astype(np.int64)


def _dealt(group: Numbers, same: NDArray[np.bool_]) -> Numbers:
    """Groups dealt to folds, the largest first, each to where its kinds are scarcest."""
    of_group = np.column_stack([np.bincount(group, kind) for kind in (same, ~same)])
    dealt = np.zeros((FOLDS, 2))
    number = np.zeros(len(of_group), np.int64)
    for place in np.argsort(-of_group.sum(1), kind="stable"):
        crowding = dealt @ of_group[place]
        number[place] = np.lexsort((dealt.sum(1), crowding))[0]
        dealt[number[place]] += of_group[place]
    return number[group]


def _leaves_enough(number: Numbers, same: NDArray[np.bool_]) -> bool:
    return all(
        np.count_nonzero(kind) - np.bincount(number[kind], minlength=1).max() >= LEAST_LEFT
        for kind in (same, ~same)
    )
