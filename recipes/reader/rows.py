"""Pairs of texts one behind the other in rows of equal length, for a GPU to read."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from alphabet import BEGIN, Symbols
from network import NONE, Attend, Reader, evidence
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, flex_attention

BLOCK = 128
"""Places that a GPU's kernel goes by; rows are whole blocks."""


class Pair(NamedTuple):
    """Two texts, and whether one hand wrote them."""

    first: Symbols
    second: Symbols
    same: bool

    @property
    def places(self) -> int:
        """How many it takes in a row."""
        return 2 + len(self.first) + len(self.second)


class Rows(NamedTuple):
    """Pairs of texts, in rows. All but the last three are (rows, places)."""

    symbols: Tensor
    place: Tensor
    """in the text, not in the row"""
    text: Tensor
    """twice the pair that it belongs to, plus 1 for the second; beyond all pairs where none is"""
    target: Tensor
    """the symbol that follows, or NONE"""
    tokens: Tensor
    """(pairs,) of both texts; 0 for pairs that are not there"""
    same: Tensor
    """(pairs,) whether one hand wrote both"""
    given: Tensor
    """(pairs,) which of those given each is"""


class Layout(NamedTuple):
    """How pairs are laid out: in so many rows of one length, at most so many pairs at a time."""

    rows: int
    places: int
    pairs: int

    def lots(self, pairs: Iterable[Pair]) -> Iterator[Rows]:
        """All of the pairs, as many at a time as there is room for."""
        lots: list[list[tuple[int, Pair]]] = [[] for _ in range(self.rows)]
        free, count = [self.places] * self.rows, 0
        for number, pair in enumerate(pairs):
            if pair.places > max(free) or count == self.pairs:
                yield self._laid_out(lots)
                lots = [[] for _ in range(self.rows)]
                free, count = [self.places] * self.rows, 0
            row = next(row for row, places in enumerate(free) if places >= pair.places)
            lots[row].append((number, pair))
            free[row] -= pair.places
            count += 1
        if count:
            yield self._laid_out(lots)

    def _laid_out(self, lots: list[list[tuple[int, Pair]]]) -> Rows:
        shape = self.rows, self.places
        symbols, place = (np.zeros(shape, np.int64) for _ in range(2))
        text, target = np.full(shape, 2 * self.pairs), np.full(shape, NONE)
        tokens, same, given = (np.zeros(self.pairs, np.int64) for _ in range(3))
        count = 0
        for row, lot in enumerate(lots):
            at = 0
            for number, pair in lot:
                for side, read in enumerate((pair.first, pair.second)):
                    end = at + 1 + len(read)
                    symbols[row, at], symbols[row, at + 1 : end] = BEGIN, read
                    place[row, at:end] = np.arange(end - at)
                    text[row, at:end] = 2 * count + side
                    target[row, at : end - 1] = read
                    at = end
                tokens[count], same[count], given[count] = pair.places - 2, pair.same, number
                count += 1
        columns = symbols, place, text, target, tokens, same.astype(np.bool_), given
        return Rows(*map(torch.from_numpy, columns))


class Sums(NamedTuple):
    """What there is in pairs."""

    likelihood: Tensor
    """(2, pairs) the logarithm of it, if the same hand wrote both texts, and if another did"""
    evidence: Tensor
    """(pairs,) that one hand wrote both, mean over the texts"""


class RowReader(nn.Module):
    """A reader of rows."""

    counted: Tensor

    def __init__(self, reader: Reader, counted: Tensor) -> None:
        """`counted` (symbols,) tells which symbols are evidence."""
        super().__init__()
        self.reader = reader
        self.register_buffer("counted", counted)

    def forward(self, rows: Rows, alone: BlockMask | Tensor, across: BlockMask | Tensor) -> Sums:
        """What there is in each pair."""
        reader = self.reader
        x = reader.read(rows.symbols, rows.place, attending(alone))
        x = reader.beside(x, x, attending(across))
        same, other = (reader.foretold(x, rows.target, told) for told in (True, False))
        found = evidence(same, other) * self.counted[rows.target.clamp(min=0)] / 2
        pair, pairs = (rows.text // 2).flatten(), len(rows.same)
        sums = same.new_zeros(3, pairs + 1)
        sums = sums.index_add(1, pair, torch.stack([same, other, found]).flatten(1))[:, :pairs]
        return Sums(sums[:2], sums[2])


def attending(mask: BlockMask | Tensor) -> Attend:
    """Attention to what a mask leaves."""
    if isinstance(mask, Tensor):
        return lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return lambda q, k, v: flex_attention(q, k, v, block_mask=mask)


def dense_masks(rows: Rows) -> tuple[Tensor, Tensor]:
    """(rows, 1, places, places): what each place may look at in its own text, and in the other."""
    places = torch.arange(rows.text.shape[1], device=rows.text.device)
    text, of = rows.text[:, :, None], rows.text[:, None]
    alone = (places[:, None] >= places) & (text == of)
    across = (text == of ^ 1) | ((text == of) & (text == 2 * len(rows.same)))
    return alone[:, None], across[:, None]


def block_masks(rows: Rows) -> tuple[BlockMask, BlockMask]:
    """The same for a GPU's kernel, which goes by blocks. Rows are whole blocks long."""
    text, none = rows.text, 2 * len(rows.same)

    def own(row: Tensor, head: Tensor, place: Tensor, of: Tensor) -> Tensor:
        return (place >= of) & (text[row, place] == text[row, of])

    def other(row: Tensor, head: Tensor, place: Tensor, of: Tensor) -> Tensor:
        here, there = text[row, place], text[row, of]
        return (here == there ^ 1) | ((here == none) & (there == none))

    blocks = text.unflatten(1, (-1, BLOCK))
    number = torch.arange(blocks.shape[1], device=text.device)

    def meeting(of: Tensor) -> Tensor:
        """(rows, blocks, blocks) that have some of the same."""
        first, last = of[..., 0], of[..., -1]
        return (first[:, :, None] <= last[:, None]) & (last[:, :, None] >= first[:, None])

    def mask(needed: Tensor, rule) -> BlockMask:  # type: ignore[no-untyped-def]
        count = needed.sum(-1)[:, None].int()
        order = needed.int().sort(dim=-1, descending=True, stable=True).indices[:, None].int()
        return BlockMask.from_kv_blocks(count, order, BLOCK_SIZE=BLOCK, mask_mod=rule)

    causal = number[:, None] >= number
    return mask(meeting(blocks) & causal, own), mask(meeting(blocks // 2), other)
