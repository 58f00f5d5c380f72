"""The shapes that the weights of a network must have, by its configuration."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from samehand.model.config import NetworkConfig
from samehand.text.vocabulary import Vocabulary

Shapes = dict[str, tuple[int, ...]]

_GATES = 4
_MOST_KNOWN = 1 << 29
"""Numbers in what the words of a vocabulary add to the gates, which is held in memory: 2 GiB."""


def fault(
    tensors: Mapping[str, NDArray[Any]], config: NetworkConfig, known: Vocabulary, *, scoring: bool
) -> str | None:
    """A fault in a network's weights, by their names and shapes alone; None if there is none.

    The encoder and the metric have to be there, and with `scoring` Bayes factor and adaptation.
    """
    if len(known.words) * 2 * _GATES * config.unit_hidden > _MOST_KNOWN:
        return f"{len(known.words):,} words are too many for states of {config.unit_hidden} numbers"
    needed, possible = needed_shapes(config, known, scoring=scoring), _of_kernel()
    if not scoring:
        possible |= _of_scoring(config)
    missing = needed.keys() - tensors.keys()
    if missing:
        return f"{min(missing)} is missing"
    for name, tensor in tensors.items():
        shape = needed.get(name) or possible.get(name)
        if shape is None and name not in possible:
            return f"{name[:80]!r} is no part of such a network"
        if tensor.shape != shape:
            return f"{name} has the shape {tensor.shape}, not {shape}"
    return None


def needed_shapes(config: NetworkConfig, known: Vocabulary, *, scoring: bool) -> Shapes:
    """The weights that a network has to have: its encoder and metric, and `scoring` if asked."""
    shapes = _of_encoder(config, known)
    return shapes | _of_kernel() | _of_scoring(config) if scoring else shapes


def _of_encoder(config: NetworkConfig, known: Vocabulary) -> Shapes:
    hidden, size = config.unit_hidden, config.character_size
    shapes: Shapes = {
        "encoder.words.weight": (len(known.words), config.word_size),
        "encoder.characters.weight": (len(known.characters), size),
        "encoder.convolve.weight": (config.filters, size, config.filter_width),
        "encoder.convolve.bias": (config.filters,),
        **_of_reader("unit", config.word_size + config.filters, hidden),
        **_of_reader("document", 2 * hidden, config.document_hidden),
        **_of_layer("metric.dense", config.embedding_width, config.lev_size),
    }
    if config.unit_features:
        shapes |= _of_layer("encoder.statistics.features", 2 * hidden, config.unit_features)
    return shapes


def _of_reader(level: str, size: int, hidden: int) -> Shapes:
    """A bidirectional LSTM and the attention over its states."""
    return {
        **_of_layer(f"encoder.{level}_lstm.project", size, 2 * _GATES * hidden),
        f"encoder.{level}_lstm.weight": (2, hidden, _GATES * hidden),
        **_of_layer(f"encoder.{level}_attention.bend", 2 * hidden, 2 * hidden),
        f"encoder.{level}_attention.score.weight": (1, 2 * hidden),
    }


def _of_kernel() -> Shapes:
    """The kernel of the metric, which only learning uses."""
    return {"metric.log_gamma": (), "metric.log_alpha": ()}


def _of_scoring(config: NetworkConfig) -> Shapes:
    lev, reduced = config.lev_size, config.bfs_size
    return {
        **_of_layer("scoring.bayes.reduction", lev, reduced),
        "scoring.bayes.covariances.between": (reduced, reduced),
        "scoring.bayes.covariances.within": (reduced, reduced),
        "scoring.bayes.covariances.mean": (reduced,),
        **_of_layer("scoring.adaptation.hidden", lev, config.ual_size),
        **_of_layer("scoring.adaptation.confusion", config.ual_size, 4),
    }


def _of_layer(name: str, size: int, outputs: int) -> Shapes:
    return {f"{name}.weight": (outputs, size), f"{name}.bias": (outputs,)}
