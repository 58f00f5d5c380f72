"""Why a model answers as it does: what it attended to, and what moved its likelihood ratio.

Attention says where the network looked, not what that did to the answer. What a unit did is
measured: it is left out, and the likelihood ratio computed anew. Units are encoded once; only what
reads them as a document runs again.

`encode` and `levs_without` are all that is asked of the network's inside.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.cautions.sentences import firsts, plain
from samehand.errors import InputError
from samehand.network.documents import Documents
from samehand.network.doubt import amount_of_text
from samehand.network.network import Network
from samehand.text.tokenise import Tokens

if TYPE_CHECKING:
    from samehand.verifier import Verifier

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]

_VARIANTS_AT_ONCE = 64
_SUREST = 1e-7
"""Probabilities are held this far from 0 and 1, where single precision ends."""


class TokenWeight(NamedTuple):
    """A token, by its characters in the text as it was given."""

    start: int
    end: int
    attention: float
    """In its unit, times that of its unit: over a text they sum to 1."""


class UnitWeight(NamedTuple):
    """A unit, by its characters in the text as it was given. Neighbours overlap by a few tokens."""

    start: int
    end: int
    attention: float
    """Over a text they sum to 1."""
    effect: float
    """How much the unit adds to the log10 LR: that of all units less that of all but this one.

    Positive where the unit speaks for the same author. 0 for the only unit of a text.
    """


@dataclass(frozen=True)
class TextExplanation:
    """What was made of one text; of what the model does not read there is nothing here."""

    units: tuple[UnitWeight, ...]
    tokens: tuple[TokenWeight, ...]


@dataclass(frozen=True)
class Explanation:
    """What each part of each text did to the likelihood ratio of all of them."""

    log10_lr: float
    """Before it is held between the model's bounds, which would hide what moves it."""
    questioned: TextExplanation
    known: tuple[TextExplanation, ...]

    def weightiest(self, share: float) -> list[tuple[int, int]]:
        """The units that most carry the answer, as (text, unit); the questioned text is 0.

        Those whose effect is largest towards the side on which the LR lies. Units that pull the
        other way are no part of it: left out together, the two kinds would cancel.
        """
        side = 1.0 if self.log10_lr >= 0 else -1.0
        ranked = sorted(
            (-side * unit.effect, text, place)
            for text, explained in enumerate((self.questioned, *self.known))
            for place, unit in enumerate(explained.units)
        )
        return [(text, place) for _, text, place in ranked[: round(share * len(ranked))]]


class Encoded(NamedTuple):
    """A text in one network, as far as it need not run again when a unit is left out."""

    vectors: Tensor
    """(units, size)"""
    token_attention: Tensor
    """(units, width)"""
    lengths: Tensor
    """(units,) tokens"""
    told: Tensor | None
    """(1, measures) of the text's wording, which stays what it is"""


def encode(network: Network, batch: Documents) -> Encoded:
    """The units of one text, each by itself: all that comes before the document-level LSTM."""
    encoder = network.encoder
    represented = encoder.represent(batch.types)
    states = encoder.unit_lstm(represented, batch.tokens, batch.unit_lengths, None)
    vectors, attention = encoder.unit_attention(states, batch.unit_lengths)
    return Encoded(vectors, attention, batch.unit_lengths, batch.told)


def levs_without(network: Network, text: Encoded, kept: Tensor) -> tuple[Tensor, Tensor]:
    """LEVs (variants, lev) of a text of which only some units are read, and their attention.

    `kept` (variants, units) is true where a unit is read, one of each variant at least. The
    attention (variants, most units kept) is that of the units kept, in their order.
    """
    lengths = kept.sum(1)
    order = torch.argsort(kept.logical_not().byte(), dim=1, stable=True)[:, : int(lengths.max())]
    states = network.encoder.document_lstm(text.vectors, order, lengths, None)
    embeddings, attention = network.encoder.document_attention(states, lengths)
    if network.encoder.statistics is not None:
        variant, place = kept.nonzero(as_tuple=True)
        beside = network.encoder.statistics(text.vectors[place], variant, lengths)
        embeddings = torch.cat([embeddings, beside], 1)
    levs = network.metric(embeddings)
    if network.config.doubt:
        overlap = network.config.unit_width - network.config.unit_hop
        tokens = kept.to(text.lengths) @ text.lengths - overlap * (lengths - 1)
        levs = torch.cat([levs, amount_of_text(tokens).unsqueeze(1)], 1)
    if text.told is not None and network.config.wording:
        levs = torch.cat([levs, text.told.to(levs).expand(len(levs), -1)], 1)
    return levs, attention


class Read(NamedTuple):
    """A text in all networks."""

    tokens: Tokens
    encoded: list[Encoded]

    @property
    def n_units(self) -> int:
        return len(self.encoded[0].vectors)


class Evidence:
    """A questioned text and known ones, ready to be weighed with any of their units left out."""

    def __init__(self, verifier: "Verifier", questioned: str, known: Sequence[str]) -> None:
        self._verifier = verifier
        with torch.inference_mode():
            self.texts = [self._read(text) for text in (questioned, *known)]
        if not all(len(text.tokens.types) for text in self.texts):
            raise InputError("A text without a word cannot be explained; give more of it.")
        self.n_units = [text.n_units for text in self.texts]

    def _read(self, text: str) -> Read:
        tokens, batches = self._verifier.encoders.units(text)
        return Read(tokens, list(map(encode, self._verifier.networks, batches)))

    def log10_lr_without(self, left_out: Sequence[tuple[int, int]]) -> float:
        """Leave out units (text, unit), all at once; the last one left of a text stays."""
        kept = [np.ones((1, n), np.bool_) for n in self.n_units]
        for text, unit in left_out:
            if kept[text].sum() > 1:
                kept[text][0, unit] = False
        levs = [self._levs(text, rows)[0] for text, rows in zip(self.texts, kept, strict=True)]
        return float(self._log10_lrs(levs[0], [np.concatenate(levs[1:])])[0])

    def explain(self) -> Explanation:
        """Each unit left out in its turn."""
        read = [self._levs(text, _none_and_each_left_out(text)) for text in self.texts]
        levs = [levs for levs, _ in read]
        all_known = np.concatenate([rows[:1] for rows in levs[1:]])
        explained = []
        log10_lr = 0.0
        for place, (text, (variants, attention)) in enumerate(zip(self.texts, read, strict=True)):
            if place == 0:
                lrs = self._log10_lrs(variants, [all_known] * len(variants))
                log10_lr = float(lrs[0])
            else:
                known = [_replaced(all_known, place - 1, row) for row in variants]
                lrs = self._log10_lrs(levs[0][:1].repeat(len(known), axis=0), known)
            effects = lrs[0] - lrs[1:] if len(lrs) > 1 else np.zeros(1)
            explained.append(_explained(self._verifier, text, attention, effects))
        return Explanation(log10_lr, explained[0], tuple(explained[1:]))

    def _levs(self, text: Read, kept: Bools) -> tuple[Floats, Floats]:
        """LEVs of each variant, and the attention of the first, the mean over networks."""
        found, attended = [], []
        with torch.inference_mode():
            for network, encoded in zip(self._verifier.networks, text.encoded, strict=True):
                read = [
                    levs_without(network, encoded, rows)
                    for rows in torch.split(torch.from_numpy(kept), _VARIANTS_AT_ONCE)
                ]
                found.append(torch.cat([levs for levs, _ in read]))
                attended.append(read[0][1][0])
        return torch.cat(found, 1).numpy(), torch.stack(attended).mean(0).numpy()

    def _log10_lrs(self, questioned: Floats, known: Sequence[Floats]) -> NDArray[np.float64]:
        p = self._verifier.probability(questioned, known).clip(_SUREST, 1.0 - _SUREST)
        log10_lrs: NDArray[np.float64] = np.log10(p) - np.log10(1.0 - p)
        return log10_lrs


def explain(verifier: "Verifier", questioned: str, known: Sequence[str]) -> Explanation:
    """What weighed in; a known text that is given twice counts once, and is explained twice."""
    if not known:
        raise InputError("There is no known text to compare with; give at least one.")
    first = firsts([plain(text) for text in known])
    distinct = sorted(set(first))
    found = Evidence(verifier, questioned, [known[i] for i in distinct]).explain()
    of_known = tuple(found.known[distinct.index(i)] for i in first)
    return Explanation(found.log10_lr, found.questioned, of_known)


def _none_and_each_left_out(text: Read) -> Bools:
    n = text.n_units
    each = np.logical_not(np.eye(n, dtype=np.bool_)) if n > 1 else np.empty((0, 1), np.bool_)
    return np.concatenate([np.ones((1, n), np.bool_), each])


def _replaced(levs: Floats, place: int, lev: Floats) -> Floats:
    changed = levs.copy()
    changed[place] = lev
    return changed


def _explained(
    verifier: "Verifier", text: Read, attention: Floats, effects: NDArray[np.float64]
) -> TextExplanation:
    starts, ends = text.tokens.starts.tolist(), text.tokens.ends.tolist()
    bounds = verifier.encoders.windowing.bounds(len(starts))
    of_units = torch.stack([encoded.token_attention for encoded in text.encoded]).mean(0)
    of_tokens = np.zeros(len(starts))
    for (first, last), unit, weights in zip(bounds, attention, of_units, strict=True):
        of_tokens[first:last] += unit * weights[: last - first].numpy()
    units = (
        UnitWeight(starts[first], ends[last - 1], float(weight), float(effect))
        for (first, last), weight, effect in zip(bounds, attention, effects, strict=True)
    )
    tokens = map(TokenWeight, starts, ends, of_tokens.tolist())
    return TextExplanation(tuple(units), tuple(tokens))
