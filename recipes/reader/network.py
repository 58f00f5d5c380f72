"""A language model that reads one text and then another, told whether one hand wrote both.

How much likelier the second text is if it is told so, token by token, is the evidence, and symbols
that are unlikely either way hardly count: what is new to the reader is new in all texts of a genre
that it has not met, and says little of a hand.

The texts are pieces of at most `PIECE` symbols, and a pair is laid out as

    BEGIN  first piece  SAME  second piece  OTHER  second piece

Both readings of the second piece see the first, and neither sees the other one. Pairs stand one
behind the other in rows of equal length.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, flex_attention

PIECE = 1023
SPECIAL = 3
BEGIN, SAME, OTHER = range(SPECIAL)
"""The first numbers; symbols of texts come behind them. They also name the parts of a pair."""
LONGEST = 3 * (1 + PIECE)
"""Places that a pair takes at most."""
NONE = -1
"""In place of a symbol to predict."""

_FLOOR = -6.0
"""Evidence is of likelihoods that each symbol has this much more of, as a logarithm."""
BLOCK = 128
"""Places that a GPU's kernel goes by; rows are whole blocks."""
_WIDEN = 3


class Sizes(NamedTuple):
    """Of a reader."""

    width: int = 384
    layers: int = 6
    heads: int = 6
    dropout: float = 0.1


class Rows(NamedTuple):
    """Pairs of pieces, in rows. All but the last three are (rows, places)."""

    symbols: Tensor
    place: Tensor
    """in the reading, not in the row"""
    part: Tensor
    """BEGIN (the first piece), SAME or OTHER"""
    pair: Tensor
    """which pair it belongs to, from the first on; behind the last as many as there may be"""
    target: Tensor
    """the symbol that follows, or NONE"""
    tokens: Tensor
    """(pairs,) of the second pieces; 0 for pairs that are not there"""
    same: Tensor
    """(pairs,) whether one hand wrote both"""
    given: Tensor
    """(pairs,) which of those given each is"""


class Sums(NamedTuple):
    """Log-likelihoods (pairs, parts) of the first pieces, and of both readings of the second."""

    plain: Tensor
    held: Tensor
    """above the floor"""

    @property
    def evidence(self) -> Tensor:
        """(pairs,) that one hand wrote both pieces."""
        return self.held[:, SAME] - self.held[:, OTHER]


class Block(nn.Module):
    """Attention to what was read so far, and what is made of it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.width
        self.heads, self.dropout = sizes.heads, sizes.dropout
        self.before, self.between = nn.RMSNorm(width), nn.RMSNorm(width)
        self.look = nn.Linear(width, 3 * width, bias=False)
        self.gather = nn.Linear(width, width, bias=False)
        self.widen = nn.Linear(width, _WIDEN * width, bias=False)
        self.narrow = nn.Linear(_WIDEN * width, width, bias=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor], mask: BlockMask | Tensor) -> Tensor:
        parts = self.look(self.before(x)).unflatten(2, (3, self.heads, -1))
        q, k, v = parts.permute(2, 0, 3, 1, 4)  # (rows, heads, places, size)
        q, k = (turned(F.rms_norm(side, side.shape[-1:]), turn).to(v) for side in (q, k))
        if isinstance(mask, Tensor):
            seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        else:
            seen = flex_attention(q, k, v, block_mask=mask)
        x = x + self._dropped(self.gather(seen.transpose(1, 2).flatten(2)))
        return x + self._dropped(self.narrow(F.relu(self.widen(self.between(x))).square()))

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


class Reader(nn.Module):
    """Log-likelihoods of symbols, each given all before it."""

    def __init__(self, symbols: int, sizes: Sizes = Sizes()) -> None:  # noqa: B008 - a tuple
        super().__init__()
        self.sizes = sizes
        self.symbols = nn.Embedding(SPECIAL + symbols, sizes.width)
        self.blocks = nn.ModuleList(Block(sizes) for _ in range(sizes.layers))
        self.last = nn.RMSNorm(sizes.width)
        nn.init.normal_(self.symbols.weight, 0.0, 0.02)
        for block in self.blocks:  # so that the sum over layers is as wide as one of them
            for layer in (block.gather, block.narrow):
                nn.init.normal_(layer.weight, 0.0, 0.02 / (2 * sizes.layers) ** 0.5)
        # How evidence of n tokens becomes log odds: n tokens say less than n times one.
        self.offset = nn.Parameter(torch.zeros(()))
        self.scale = nn.Parameter(torch.tensor(0.5))
        self.power = nn.Parameter(torch.tensor(0.7))

    def forward(self, rows: Rows, mask: BlockMask | Tensor) -> Sums:
        """What there is in each part of each pair."""
        turn = angles(rows.place, self.sizes.width // self.sizes.heads)
        x = self.symbols(rows.symbols)
        for block in self.blocks:
            x = block(x, turn, mask)
        logits = F.linear(self.last(x), self.symbols.weight)
        found = -F.cross_entropy(
            logits.flatten(0, 1).float(),
            rows.target.flatten(),
            reduction="none",
            ignore_index=NONE,
        )
        held = torch.logaddexp(found, found.new_tensor(_FLOOR)) * (rows.target.flatten() != NONE)
        part = (rows.pair * SPECIAL + rows.part).flatten()
        pairs = len(rows.same)
        zeros = found.new_zeros((pairs + 1) * SPECIAL)
        return Sums(
            *(
                zeros.index_add(0, part, values).view(pairs + 1, SPECIAL)[:pairs]
                for values in (found, held)
            )
        )

    def log_odds(self, evidence: Tensor, tokens: Tensor) -> Tensor:
        """Of pairs, by the sums of their evidence and the number of tokens it was read off."""
        return self.offset + self.scale.exp() * evidence / tokens.clamp(min=1) ** self.power


def angles(place: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Cosine and sine (rows, 1, places, size / 2) by which places are told apart."""
    speed = 10_000.0 ** -(torch.arange(0, size, 2, device=place.device) / size)
    angle = place[:, None, :, None] * speed
    return angle.cos(), angle.sin()


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Vectors (…, places, size), each turned by its place."""
    cos, sin = turn
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def dense_mask(rows: Rows) -> Tensor:
    """(rows, 1, places, places): what each place may look back at."""
    places = torch.arange(rows.symbols.shape[1], device=rows.symbols.device)
    before = places[:, None] >= places
    one = rows.pair[:, :, None] == rows.pair[:, None]
    part, of = rows.part[:, :, None], rows.part[:, None]
    return (before & one & ((of == BEGIN) | (of == part)))[:, None]


def block_mask(rows: Rows) -> BlockMask:
    """The same for a GPU's kernel, which goes by blocks. Rows are whole blocks long."""
    pair, part = rows.pair, rows.part

    def may_see(row: Tensor, head: Tensor, place: Tensor, back: Tensor) -> Tensor:
        one = (place >= back) & (pair[row, place] == pair[row, back])
        return one & ((part[row, back] == BEGIN) | (part[row, back] == part[row, place]))

    blocks = pair.unflatten(1, (-1, BLOCK))
    number = torch.arange(blocks.shape[1], device=pair.device)
    meet = blocks[:, None, :, -1] >= blocks[:, :, None, 0]  # (rows, blocks, blocks behind)
    needed = (meet & (number[:, None] >= number))[:, None]
    count = needed.sum(-1).int()
    order = needed.int().sort(dim=-1, descending=True, stable=True).indices.int()
    return BlockMask.from_kv_blocks(count, order, BLOCK_SIZE=BLOCK, mask_mod=may_see)
