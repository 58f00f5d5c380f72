"""Tokens of texts cut into units, as the kernels take them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samehand.engine.vectors import Longs
from samehand.text.tokenise import Tokens
from samehand.text.units import Windowing


class Cut(NamedTuple):
    """The units of some documents. Every distinct type is held once; the rest points to it."""

    types: Longs
    """(types,) the numbers of the types met in these documents"""
    tokens: Longs
    """(units, width) the place in `types` of each token; beyond the end of a unit, any place"""
    unit_lengths: Longs
    """(units,) tokens in each unit, one at least"""
    units: Longs
    """(documents, most units) the units of each document; 0 beyond its end"""
    lengths: Longs
    """(documents,) units in each document, one at least"""


def cut(documents: Sequence[Tokens], n_types: int, windowing: Windowing) -> Cut:
    """Cut documents into units; each has a token at least. `n_types` have been met by now."""
    lengths = np.array([len(document.types) for document in documents])
    n_units = np.array([windowing.count(n) for n in lengths.tolist()])
    first = n_units.cumsum() - n_units  # (documents,) first unit
    start = lengths.cumsum() - lengths  # (documents,) first token

    document = np.arange(len(documents)).repeat(n_units)  # (units,)
    offset = windowing.hop * (np.arange(len(document)) - first[document])  # in the document
    unit_lengths = np.minimum(lengths[document] - offset, windowing.width)
    place = np.arange(min(windowing.width, int(unit_lengths.max())))
    position = (start[document] + offset)[:, None] + place  # (units, width)
    inside = place < unit_lengths[:, None]

    numbers = np.concatenate([each.types for each in documents])
    is_met = np.zeros(n_types, np.bool_)
    is_met[numbers] = True
    at = is_met.cumsum() - 1
    tokens = at[numbers[np.where(inside, position, 0)]]
    step = np.arange(int(n_units.max()))
    units = np.where(step < n_units[:, None], first[:, None] + step, 0)
    return Cut(np.flatnonzero(is_met), tokens, unit_lengths, units, n_units)
