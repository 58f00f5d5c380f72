"""Tokens to a batch the encoder reads, on their device: units cut, each distinct type held once."""

from typing import NamedTuple

import torch
from torch import Tensor

from samehand.text.units import Windowing
from samehand.text.vocabulary import PAD


class Types(NamedTuple):
    """The network's numbers for token types; type 0 is the padding, type 1 is fully masked."""

    words: Tensor
    """(types,) word numbers"""
    characters: Tensor
    """(types, 15) character numbers"""


class Documents(NamedTuple):
    """A batch of documents. Every distinct token type is held once; the rest points to it.

    With `n_masks`, document i has dropout mask i mod n_masks: as many masks as pairs, and the two
    documents of a pair share theirs; one mask, and all documents share it.
    """

    types: Types
    """The types met in the batch; the first is the padding."""
    tokens: Tensor
    """(units, width) the type at each position of each unit"""
    unit_lengths: Tensor
    """(units,) tokens in each unit"""
    units: Tensor
    """(documents, most units) the units of each document; 0 beyond its end"""
    lengths: Tensor
    """(documents,) units in each document"""
    n_masks: int | None = None

    @property
    def of_unit(self) -> Tensor:
        """(units,) the document that each unit is of"""
        documents = torch.arange(len(self.lengths), device=self.lengths.device)
        return documents.repeat_interleave(self.lengths, output_size=len(self.tokens))


def assemble(
    tokens: Tensor, lengths: Tensor, types: Types, windowing: Windowing, n_masks: int | None = None
) -> Documents:
    """Cut documents into units.

    `tokens` (all tokens,) holds the types of all documents one after another, `lengths`
    (documents,) how many each has. An empty document becomes one unit with one padding token.
    """
    device = tokens.device
    n_units = ((lengths - windowing.width + windowing.hop - 1) // windowing.hop + 1).clamp(
        1, windowing.cap
    )
    start = lengths.cumsum(0) - lengths  # (documents,) first token
    first = n_units.cumsum(0) - n_units  # (documents,) first unit
    total, most = int(n_units.sum()), int(n_units.max())

    document = torch.arange(len(lengths), device=device).repeat_interleave(
        n_units, output_size=total
    )  # (units,)
    number = torch.arange(total, device=device) - first[document]  # of the unit in its document
    offset = windowing.hop * number
    unit_lengths = (lengths[document] - offset).clamp(0, windowing.width)
    place = torch.arange(windowing.width, device=device)
    position = (start[document] + offset)[:, None] + place  # (units, width)
    inside = place < unit_lengths[:, None]
    padded = torch.cat([tokens, tokens.new_full((1,), PAD)])
    occurring = padded[torch.where(inside, position, len(tokens))]

    numbers, met = _distinct(occurring, len(types.words))
    step = torch.arange(most, device=device)
    units = torch.where(step < n_units[:, None], first[:, None] + step, 0)
    return Documents(
        Types(types.words[met], types.characters[met]),
        numbers,
        unit_lengths.clamp(min=1),
        units,
        n_units,
        n_masks,
    )


def _distinct(types: Tensor, n_types: int) -> tuple[Tensor, Tensor]:
    """Types renumbered by their place among those that occur, padding first; and those that occur.

    Marking and counting takes one pass over the types there are, where sorting the tokens would
    take many.
    """
    met = torch.zeros(n_types, dtype=torch.bool, device=types.device)
    met[types.long()] = True
    met[PAD] = True
    place = met.cumsum(0) - 1
    return place[types.long()], met.nonzero().squeeze(1)
