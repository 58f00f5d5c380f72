"""The forward pass of a network: types → units → documents → LEVs, by compiled kernels.

It is the encoder and the metric of `network/`, for inference. What words alone add to the gates of
the LSTM over tokens is computed once for the whole vocabulary. A distinct type of a batch then
costs a look-up and a product with its character features, a token a look-up and its part of the
recurrence, and padding nothing.

Each method does its work for some rows, `chosen`, of arrays that others may be filling elsewhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine import dense, kernels
from samehand.engine.reading import Types
from samehand.engine.vectors import Longs
from samehand.model.folder import StoredNetwork, Weights

Floats = NDArray[np.float32]

_GATES = 4


class Units(NamedTuple):
    """Units that are encoded, as a network reads them in documents."""

    vectors: Floats
    """(units, size)"""
    gates: Floats
    """(units, 2 · 4 · hidden) input gates of the LSTM over units"""
    features: Floats
    """(units, features) of which mean and spread are taken; of some networks there are none"""
    attention: Floats
    """(units, width) how much each token weighs in its unit; the rows sum to 1"""


class CompiledNetwork:
    """The weights of a network as the kernels take them: sizes padded to whole vectors."""

    def __init__(self, network: StoredNetwork) -> None:
        config, weights = network.config, network.tensors
        self.size = config.lev_size
        self._hidden = tuple(
            _rounded(n, kernels.VECTOR) for n in (config.unit_hidden, config.document_hidden)
        )
        self._features = _rounded(config.unit_features, dense.COLUMNS)
        of_units, of_documents = self._hidden
        self._speller = _Speller(network, of_units)
        self._read_units = _Reader(weights, "unit", of_units)
        self._read_documents = _Reader(weights, "document", of_documents)
        self._project = _Layer(
            _states_padded(weights["encoder.document_lstm.project.weight"], of_units),
            weights["encoder.document_lstm.project.bias"],
            2 * _GATES,
            of_documents,
            "none",
        )
        self._describe = self._layer_of_features(weights) if config.unit_features else None
        self._summarise = dense.summariser()
        metric = weights["metric.dense.weight"]
        states, statistics = np.split(metric, [2 * config.document_hidden], 1)
        statistics = _padded(statistics, 2, self._features)
        self._metric = _Layer(
            np.concatenate([_states_padded(states, of_documents), statistics], 1),
            weights["metric.dense.bias"],
            1,
            _rounded(config.lev_size, dense.COLUMNS),
            "tanh",
        )

    def _layer_of_features(self, weights: Weights) -> "_Layer":
        weight, bias = (
            weights[f"encoder.statistics.features.{name}"] for name in ("weight", "bias")
        )
        return _Layer(_states_padded(weight, self._hidden[0]), bias, 1, self._features, "relu")

    def room_for_types(self, n: int) -> Floats:
        """A table that `fill_types` fills."""
        return np.empty((n, 2 * _GATES * self._hidden[0]), np.float32)

    def fill_types(self, table: Floats, types: Types, part: slice) -> None:
        """Put the input gates of some types into the table."""
        self._speller(types.at(part), table[part])

    def room_for_units(self, n: int, width: int) -> Units:
        """Arrays that `fill_units` fills."""
        of_units, of_documents = self._hidden
        return Units(
            np.zeros((n, 2 * of_units), np.float32),
            np.empty((n, 2 * _GATES * of_documents), np.float32),
            np.empty((n, self._features), np.float32),
            np.zeros((n, width), np.float32),
        )

    def fill_units(
        self, units: Units, table: Floats, tokens: Longs, lengths: Longs, chosen: Longs
    ) -> None:
        """Encode some of the units (units, width) whose tokens are rows of the table."""
        vectors, gates, features, attention = units
        self._read_units(table, tokens, lengths, chosen, vectors, attention)
        self._project(vectors, chosen, gates)
        if self._describe is not None:
            self._describe(vectors, chosen, features)

    def describe(self, units: Units, index: Longs, lengths: Longs) -> tuple[Floats, Floats]:
        """LEVs (documents, size) of documents, and how their units weigh (documents, most units).

        `index` (documents, most units) says of which units each consists, `lengths` of how many.
        """
        n, size = len(index), 2 * self._hidden[1]
        totals, attention = np.zeros((n, size), np.float32), np.zeros(index.shape, np.float32)
        every = np.arange(n)
        self._read_documents(units.gates, index, lengths, every, totals, attention)
        summary = np.empty((n, size + 2 * self._features), np.float32)
        self._summarise(totals, units.features, index, lengths, every, summary)
        levs = np.empty((n, self._metric.width), np.float32)
        self._metric(summary, every, levs)
        return levs[:, : self.size], attention


class _Speller:
    """Input gates of types: what their words add is kept for the whole vocabulary."""

    def __init__(self, network: StoredNetwork, hidden: int) -> None:
        config, weights = network.config, network.tensors
        filters = _rounded(config.filters, kernels.VECTOR)
        more = (0, filters - config.filters)
        letters = np.einsum(
            "ce,fet->ctf",
            weights["encoder.characters.weight"],
            weights["encoder.convolve.weight"],
        )
        letters = np.pad(letters, ((0, 0), (0, 0), more))[:, ::-1]
        project = _gates_padded(weights["encoder.unit_lstm.project.weight"].T, hidden)
        of_words, of_characters = np.split(project, [config.word_size])
        known = _Layer(
            of_words.T,
            _gates_padded(weights["encoder.unit_lstm.project.bias"], hidden),
            1,
            of_words.shape[1],
            "none",
        )
        self._weights = (
            _contiguous(letters.reshape(len(letters), -1)),
            np.pad(weights["encoder.convolve.bias"], more),
            known.all(weights["encoder.words.weight"]),
            np.pad(of_characters, (more, (0, 0))),
        )
        self._spell = kernels.speller(filters, config.filter_width, hidden)

    def __call__(self, types: Types, table: Floats) -> None:
        self._spell(types.characters, types.words, *self._weights, table)


class _Reader:
    """A bidirectional LSTM and the attention over its states."""

    def __init__(self, weights: Weights, level: str, hidden: int) -> None:
        lstm, attention = f"encoder.{level}_lstm", f"encoder.{level}_attention"
        weight = weights[f"{lstm}.weight"]  # (2, its hidden, 4 · its hidden)
        own = weight.shape[1]
        weight = _padded(weight, _GATES, hidden)
        bend = _states_padded(weights[f"{attention}.bend.weight"].T, hidden)
        vectors = weights[f"{attention}.bend.bias"], weights[f"{attention}.score.weight"][0]
        self._weights = [
            np.pad(weight, ((0, 0), (0, hidden - own), (0, 0))),
            _contiguous(_states_padded(bend.T, hidden).T),
            *(_states_padded(vector, hidden) for vector in vectors),
        ]
        self._shape = 2, _GATES * hidden
        self._read = kernels.reader(hidden)

    def __call__(
        self, table: Floats, index: Longs, lengths: Longs, chosen: Longs,
        totals: Floats, attention: Floats,
    ) -> None:  # fmt: skip
        order = chosen[np.argsort(-lengths[chosen], kind="stable")]  # neighbours alike in length
        rows = table.reshape(-1, *self._shape)
        self._read(rows, index, lengths, order, *self._weights, totals, attention)


class _Layer:
    """A dense layer, whose outputs are in `parts` of `size` each, padded to that."""

    def __init__(
        self, weight: Floats, bias: Floats, parts: int, size: int, bend: dense.Bend
    ) -> None:
        """`weight` (outputs, inputs) and `bias` (outputs,) have outputs not padded yet."""
        self.width = parts * size
        self._weight = _contiguous(_padded(weight.T, parts, size))
        self._bias = _contiguous(_padded(bias, parts, size))
        self._apply = dense.layer(bend)

    def __call__(self, rows: Floats, chosen: Longs, out: Floats) -> None:
        self._apply(rows, chosen, self._weight, self._bias, out)

    def all(self, rows: Floats) -> Floats:
        """The activations of all rows."""
        out = np.empty((len(rows), self.width), np.float32)
        self(_contiguous(rows), np.arange(len(rows)), out)
        return out


def _rounded(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def _contiguous(array: Floats) -> Floats:
    return np.ascontiguousarray(array)


def _gates_padded(gates: Floats, hidden: int) -> Floats:
    """(..., 2 · 4 · some hidden) to (..., 2 · 4 · hidden)."""
    return _padded(gates, 2 * _GATES, hidden)


def _states_padded(states: Floats, hidden: int) -> Floats:
    """(..., 2 · some hidden) to (..., 2 · hidden)."""
    return _padded(states, 2, hidden)


def _padded(array: Floats, parts: int, size: int) -> Floats:
    """Each part of the last dimension, padded with zeros to a size."""
    before = array.shape[:-1]
    parted = array.reshape(*before, parts, array.shape[-1] // parts)
    widths = [(0, 0)] * len(before) + [(0, 0), (0, size - parted.shape[-1])]
    return np.pad(parted, widths).reshape(*before, parts * size)
