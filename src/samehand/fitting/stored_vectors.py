"""Vectors of texts that are kept in a store, by the networks that judge."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.store import Store
from samehand.engine.embed import Embedder
from samehand.engine.reading import TextsRead, Types
from samehand.engine.vectors import TextVectors, joined
from samehand.io.progress import Progress, unwatched
from samehand.model.folder import StoredNetwork
from samehand.text.tokenise import Tokens
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]

_AT_ONCE = 4_096
"""Texts that are embedded together: enough of them to find others of the same length."""


def embed_stored(
    store: Store,
    networks: Sequence[StoredNetwork],
    texts: Texts,
    chosen: Ints,
    progress: Progress = unwatched,
) -> TextVectors:
    """Vectors of the chosen texts; the store's vocabulary need not be the networks'."""
    starts, lengths = texts.runs(chosen)
    tokens = store.array("tokens")
    runs = [tokens[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    used, numbers = np.unique(np.concatenate(runs), return_inverse=True)
    names = [store.types[i] for i in used.tolist()]
    documents = np.split(numbers.astype(np.int32), np.cumsum(texts.lengths[chosen])[:-1])
    whole = [Tokens(document, document, document) for document in documents]  # no offsets are read
    known = [_known_types(network, names) for network in networks]
    ends = texts.lengths[chosen].tolist()
    embedder, vectors = Embedder(networks), []
    for start in range(0, len(whole), _AT_ONCE):
        progress("embedding texts", start, len(whole))
        some = slice(start, start + _AT_ONCE)
        vectors.append(embedder.embed_read(TextsRead(whole[some], known, ends[some])))
    return joined(vectors)


def _known_types(network: StoredNetwork, names: list[str]) -> Types:
    """The types in a store as a network knows them."""
    vocabulary = network.vocabulary
    words, spelt = vocabulary.word_ids(names), vocabulary.character_ids(names)
    shown = vocabulary.mask(words, spelt, network.config.masking)
    return Types(words.astype(np.int64), shown)
