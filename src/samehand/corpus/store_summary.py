"""Summary of a store: the counts that `prepare` shows at its end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand import __version__
from samehand.corpus.ingest import IngestedDocuments
from samehand.corpus.pairs import SUBSETS, Deltas, sample_epoch
from samehand.corpus.split import DROPPED, TRAIN
from samehand.corpus.store import PARTS, VERSION


def describe(
    documents: IngestedDocuments,
    labels: dict[str, NDArray[Any]],
    words: NDArray[np.int64],
    deltas: Deltas,
    seed: int,
) -> dict[str, Any]:
    """Counts of everything read, given each document's labels and number of words."""
    part = labels["part"]
    dropped = int((part == DROPPED).sum()) - documents.dropped["without words"]
    return {
        "version": VERSION,
        "made_by": f"samehand {__version__}",
        "sources": [name for name in documents.source_names if not name.startswith("trials/")],
        "parts": {
            name: _count(part == number, documents, labels, words)
            for number, name in enumerate(PARTS)
        },
        "training": {
            name: _count((part == TRAIN) & (labels["source"] == number), documents, labels, words)
            for number, name in enumerate(documents.source_names)
            if ((part == TRAIN) & (labels["source"] == number)).any()
        },
        "dropped": documents.dropped | {"between parts": dropped},
        **_epoch(labels, deltas, seed),
        "shared_authors": _shared_authors(documents),
        "trials": {name: len(pairs) for name, pairs in documents.trials.items()},
        "trials_trained_on": {
            name: len({trial for trial, document in found if part[document] == TRAIN})
            for name, found in documents.trials_of.items()
        },
    }


def _shared_authors(documents: IngestedDocuments) -> dict[str, Any]:
    """How many authors are in several sources, and one of them with two that it is in."""
    shared = documents.shared_authors
    example = next(iter(shared.items()), None)
    return {"authors": len(shared), "example": example and [example[0], *example[1]]}


def _count(
    inside: NDArray[np.bool_],
    documents: IngestedDocuments,
    labels: dict[str, NDArray[Any]],
    words: NDArray[np.int64],
) -> dict[str, int]:
    return {
        "documents": int(inside.sum()),
        "authors": len(np.unique(labels["author"][inside])),
        "topics": len(np.unique(labels["topic"][inside])),
        "words": int(words[inside].sum()),
        "tokens": int(np.diff(documents.token_ends())[inside].sum()),
    }


def _epoch(labels: dict[str, NDArray[Any]], deltas: Deltas, seed: int) -> dict[str, Any]:
    """How many pairs an epoch of training has, and the share of each subset."""
    training = np.flatnonzero(labels["part"] == TRAIN)
    author, topic, source = (labels[name][training] for name in ("author", "topic", "source"))
    pairs = sample_epoch(author, topic, deltas, seed, 0, source)
    place = 2 * pairs.same_author.astype(np.int64) + pairs.same_topic
    shares = np.bincount(place, minlength=len(SUBSETS)) / max(1, len(pairs))
    return {
        "pairs_an_epoch": len(pairs),
        "subsets": dict(zip(SUBSETS, shares.tolist(), strict=True)),
    }
