"""A language model that reads a text beside another one, as by the same hand and as by another.

How much likelier the same hand makes the text, symbol by symbol, is the evidence. Symbols that are
unlikely either way hardly count, nor do the endings of rare words: what is new to the reader is new
in all texts of a genre that it has not met, and says little of a hand.

Each text is first read alone, each symbol after those before it. What is then in mind of the one
text is laid beside the other, whichever way round: every place of either text looks at all of the
other, and what comes next is foretold twice, from what it saw there. So most of the work is done
once a text, however many others it is compared with.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Attend = Callable[[Tensor, Tensor, Tensor], Tensor]
"""Queries, keys and values (texts, heads, places, size) to what is seen."""
Turn = tuple[Tensor, Tensor]

NONE = -1
"""In place of a symbol to foretell."""

_FLOOR = -6.0
"""Evidence is of likelihoods that each symbol has this much more of, as a logarithm."""
_MOST = 1.0
"""Nats that a symbol says at most."""
_WIDEN = 3


class Sizes(NamedTuple):
    """Of a reader."""

    width: int = 256
    alone: int = 4
    """layers that read a text by itself"""
    across: int = 2
    """layers that look at the other text"""
    heads: int = 4
    dropout: float = 0.1


class Gate(nn.Module):
    """What is made of a place by itself."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.norm = nn.RMSNorm(sizes.width)
        self.widen = nn.Linear(sizes.width, _WIDEN * sizes.width, bias=False)
        self.narrow = nn.Linear(_WIDEN * sizes.width, sizes.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.narrow(F.relu(self.widen(self.norm(x))).square())
        return found


class Block(nn.Module):
    """Attention to what is in mind, and what is made of it."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width = sizes.width
        self.heads, self.dropout = sizes.heads, sizes.dropout
        self.norm = nn.RMSNorm(width)
        self.look = nn.Linear(width, width, bias=False)
        self.keep = nn.Linear(width, 2 * width, bias=False)
        self.gather = nn.Linear(width, width, bias=False)
        self.gate = Gate(sizes)

    def forward(self, x: Tensor, mind: Tensor | None, attend: Attend, turn: Turn | None) -> Tensor:
        """`mind` (texts, places, width) is what is looked at: x itself, unless another is given."""
        seen = self.norm(x)
        q = self._split(self.look(seen), 1)[0]
        k, v = self._split(self.keep(seen if mind is None else mind), 2)
        q, k = (turned(F.rms_norm(side, side.shape[-1:]), turn).to(v) for side in (q, k))
        x = x + self._dropped(self.gather(attend(q, k, v).transpose(1, 2).flatten(2)))
        return x + self._dropped(self.gate(x))

    def _split(self, x: Tensor, parts: int) -> tuple[Tensor, ...]:
        """Of each part (texts, heads, places, size)."""
        return x.unflatten(2, (parts, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


class Reader(nn.Module):
    """Log-likelihoods of symbols, each given all before it and another text."""

    def __init__(self, symbols: int, sizes: Sizes) -> None:
        super().__init__()
        self.sizes = sizes
        self.symbols = nn.Embedding(symbols, sizes.width)
        self.alone = nn.ModuleList(Block(sizes) for _ in range(sizes.alone))
        self.kept = nn.RMSNorm(sizes.width)
        self.across = nn.ModuleList(Block(sizes) for _ in range(sizes.across))
        self.told = nn.ModuleList(Gate(sizes) for _ in range(2))
        """If the same hand wrote the other text; and if another did."""
        self.last = nn.RMSNorm(sizes.width)
        nn.init.normal_(self.symbols.weight, 0.0, 0.02)
        layers = sizes.alone + sizes.across
        for name, weight in self.named_parameters():  # so that their sum is as wide as one of them
            if name.endswith(("gather.weight", "narrow.weight")):
                nn.init.normal_(weight, 0.0, 0.02 / (2 * layers) ** 0.5)
        # How evidence of n tokens becomes log odds: n tokens say less than n times one.
        self.offset = nn.Parameter(torch.zeros(()))
        self.scale = nn.Parameter(torch.tensor(0.5))
        self.power = nn.Parameter(torch.tensor(0.7))

    def read(self, symbols: Tensor, place: Tensor, attend: Attend) -> Tensor:
        """What is in mind at each place (texts, places, width) of texts that are read alone."""
        turn = angles(place, self.sizes.width // self.sizes.heads)
        x = self.symbols(symbols)
        for block in self.alone:
            x = block(x, None, attend, turn)
        return x

    def beside(self, x: Tensor, mind: Tensor, attend: Attend) -> Tensor:
        """The same of texts that look at what is in mind of others."""
        mind = self.kept(mind)
        for block in self.across:
            x = block(x, mind, attend, None)
        return x

    def foretold(self, x: Tensor, target: Tensor, same: bool) -> Tensor:
        """Log-likelihoods (texts, places) of what follows by one hypothesis, or 0."""
        x = self.last(x + self.told[0 if same else 1](x))
        logits = F.linear(x, self.symbols.weight).flatten(0, 1).float()
        return -F.cross_entropy(
            logits, target.flatten(), reduction="none", ignore_index=NONE
        ).view_as(target)

    def log_odds(self, evidence: Tensor, tokens: Tensor) -> Tensor:
        """Of pairs, by the mean over both texts of evidence, and of tokens it was read off."""
        return self.offset + self.scale.exp() * evidence / tokens.clamp(min=1) ** self.power


def evidence(same: Tensor, other: Tensor) -> Tensor:
    """That one hand wrote both texts, of each symbol by its log-likelihoods."""
    floor = same.new_tensor(_FLOOR)
    found = torch.logaddexp(same, floor) - torch.logaddexp(other, floor)
    return found.clamp(-_MOST, _MOST)


def angles(place: Tensor, size: int) -> Turn:
    """Cosine and sine (texts, 1, places, size / 2) by which places are told apart."""
    speed = 10_000.0 ** -(torch.arange(0, size, 2, device=place.device) / size)
    angle = place[:, None, :, None] * speed
    return angle.cos(), angle.sin()


def turned(x: Tensor, turn: Turn | None) -> Tensor:
    """Vectors (…, places, size), each turned by its place, if places are told apart."""
    if turn is None:
        return x
    cos, sin = turn
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
