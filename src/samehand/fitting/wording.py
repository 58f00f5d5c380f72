"""The wording of a store's texts: counted for a model, and measured."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.text.ngrams import MEASURES, NgramModel
from samehand.training.data import PairData
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]

_TOKENS = 1_000_000
"""Of each source, at most, so that all count about alike."""
_KNOWN = 300
"""Texts of each source by which what is usual is measured."""


def count_wording(data: PairData) -> NgramModel:
    """From the authors that the encoder learns from; what is usual, from those kept from it."""
    rng = np.random.default_rng(0)
    store = data.store
    sources, known = [], []
    texts = data.whole(rng.permutation(data.documents))
    met = ~data.kept_from_encoder(texts.author)
    for source in np.unique(texts.source):
        inside = np.flatnonzero((texts.source == source) & met)
        n = np.searchsorted(np.cumsum(texts.lengths[inside]), _TOKENS)
        sources.append(_tokens(store, texts, inside[: max(1, int(n))]))
        others = np.flatnonzero((texts.source == source) & ~met)[:_KNOWN]
        known += [_tokens(store, texts, others[i : i + 1]) for i in range(len(others))]
    if not known:
        raise InputError(
            f"{store.folder}: no texts of authors kept from the encoder; train with "
            "scoring.authors above 0."
        )
    return NgramModel.count(store.types, sources, known)


class WordingReader:
    """Measures of texts in a store."""

    def __init__(self, store: Store, wording: NgramModel | None) -> None:
        self._store, self._wording = store, wording
        self._symbols = None if wording is None else wording.classes(store.types)
        self.measures = 0 if wording is None else MEASURES

    def __call__(self, texts: Texts, chosen: Ints) -> Tensor:
        """(chosen, measures); of no measures without a wording."""
        if self._wording is None or self._symbols is None:
            return torch.zeros(len(chosen), 0)
        told = [
            self._wording.covariates(self._symbols[_tokens(self._store, texts, chosen[i : i + 1])])
            for i in range(len(chosen))
        ]
        return torch.tensor(np.array(told), dtype=torch.float32).view(-1, MEASURES)


def _tokens(store: Store, texts: Texts, chosen: Ints) -> NDArray[np.int64]:
    """The tokens of some texts one after another."""
    tokens = store.array("tokens")
    starts, lengths = texts.runs(chosen)
    runs = [tokens[start : start + n] for start, n in zip(starts, lengths, strict=True)]
    return np.concatenate(runs).astype(np.int64) if runs else np.zeros(0, np.int64)
