"""A language model that reads one text and then another, told whether one hand wrote both.

How much likelier the second text is if it is told so, token by token, is the evidence. The texts
are pieces of at most `PIECE` symbols; a sequence is

    BEGIN  first piece  SAME or OTHER  second piece  BEGIN …

What stands behind the second piece is never looked back at, and so needs no mask.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

PIECE = 511
SPECIAL = 3
BEGIN, SAME, OTHER = range(SPECIAL)
"""The first numbers; symbols of texts come behind them."""


class Sizes(NamedTuple):
    """Of a reader."""

    width: int = 384
    layers: int = 6
    heads: int = 6
    dropout: float = 0.1


class Block(nn.Module):
    """Attention to what was read so far, and what is made of it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.width
        self.heads, self.dropout = sizes.heads, sizes.dropout
        self.before, self.between = nn.RMSNorm(width), nn.RMSNorm(width)
        self.look = nn.Linear(width, 3 * width, bias=False)
        self.gather = nn.Linear(width, width, bias=False)
        self.widen = nn.Linear(width, 4 * width, bias=False)
        self.narrow = nn.Linear(4 * width, width, bias=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        parts = self.look(self.before(x)).unflatten(2, (3, self.heads, -1))
        q, k, v = parts.permute(2, 0, 3, 1, 4)  # (sequences, heads, places, size)
        seen = F.scaled_dot_product_attention(
            turned(q, turn), turned(k, turn), v, is_causal=True,
            dropout_p=self.dropout if self.training else 0.0,
        )  # fmt: skip
        x = x + self._dropped(self.gather(seen.transpose(1, 2).flatten(2)))
        return x + self._dropped(self.narrow(F.gelu(self.widen(self.between(x)))))

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

    def forward(self, sequences: Tensor) -> Tensor:
        """(sequences, places − 1) of the symbols (sequences, places), from the second on."""
        turn = angles(sequences.shape[1] - 1, self.sizes.width // self.sizes.heads, sequences)
        x = self.symbols(sequences[:, :-1])
        for block in self.blocks:
            x = block(x, turn)
        logits = F.linear(self.last(x), self.symbols.weight)
        return -F.cross_entropy(
            logits.flatten(0, 1).float(), sequences[:, 1:].flatten(), reduction="none"
        ).view(len(sequences), -1)

    def log_odds(self, evidence: Tensor, tokens: Tensor) -> Tensor:
        """Of pairs, by the sums of their evidence and the number of tokens it was read off."""
        return self.offset + self.scale.exp() * evidence / tokens.clamp(min=1) ** self.power


def angles(places: int, size: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Cosine and sine (places, size / 2) by which places are told apart."""
    speed = 10_000.0 ** -(torch.arange(0, size, 2, device=like.device) / size)
    angle = torch.arange(places, device=like.device)[:, None] * speed
    return angle.cos(), angle.sin()


def turned(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Vectors (…, places, size), each turned by its place."""
    cos, sin = (part.to(x) for part in turn)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


class Pieces(NamedTuple):
    """Pieces of texts, side by side."""

    symbols: Tensor
    """(pieces, PIECE) numbered behind the special ones; anything behind the end"""
    lengths: Tensor
    """(pieces,)"""


class Read(NamedTuple):
    """What a reader made of pairs of pieces."""

    first: Tensor
    """(pairs,) sums of log-likelihoods of the first pieces"""
    second: Tensor
    """(pairs,) the same of the second ones"""


def read(reader: Reader, first: Pieces, second: Pieces, told: Tensor) -> Read:
    """Read the first pieces and then the second ones, told SAME or OTHER (pairs,)."""
    sequences, begins = sequence(first, second, told)
    found = reader(sequences)  # of the symbol at place + 1
    place = torch.arange(1, sequences.shape[1], device=told.device)
    of_first = place < begins[:, None] - 1
    of_second = (place >= begins[:, None]) & (place < (begins + second.lengths)[:, None])
    return Read((found * of_first).sum(1), (found * of_second).sum(1))


def sequence(first: Pieces, second: Pieces, told: Tensor) -> tuple[Tensor, Tensor]:
    """(pairs, places) all in a row, and where the second pieces begin."""
    pairs, begins = len(told), first.lengths + 2
    longest = int((begins + second.lengths).max())
    row = torch.full((pairs, longest), BEGIN, device=told.device)
    place = torch.arange(longest, device=told.device).expand(pairs, -1)
    one, other = place - 1, place - begins[:, None]
    in_one = (one >= 0) & (one < first.lengths[:, None])
    in_other = (other >= 0) & (other < second.lengths[:, None])
    row = torch.where(in_one, first.symbols.gather(1, one.clamp(0, PIECE - 1)), row)
    row = torch.where(in_other, second.symbols.gather(1, other.clamp(0, PIECE - 1)), row)
    return torch.where(place == begins[:, None] - 1, told[:, None], row), begins


def read_both(reader: Reader, first: Pieces, second: Pieces) -> tuple[Read, Read]:
    """The same, told that one hand wrote both pieces, and told that it did not."""
    twice = (Pieces(*(torch.cat([part, part]) for part in side)) for side in (first, second))
    told = torch.tensor([SAME, OTHER], device=first.lengths.device)
    found = read(reader, *twice, told.repeat_interleave(len(first.lengths)))
    same, other = zip(*(part.chunk(2) for part in found), strict=True)
    return Read(*same), Read(*other)
