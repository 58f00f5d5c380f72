"""Texts by others, against which the distance of a pair is measured.

How far apart two texts of one author lie depends on what they are: short ones, and odd ones, are
far from everything. Whether a text's neighbours among many texts by other people are nearer than
the text it is compared with does not.
"""

import math
from functools import cached_property

import torch
from torch import Tensor, nn

from samehand.model.doubt import SHORTEST

NEAREST = 10
"""Impostors whose distance counts: those most like the text, mostly of its own genre."""

_LEAST = 1e-6
"""Nearness at least: a text may be an impostor."""
_BENT = 0.995
"""LEVs are tanh of what the network computed; beyond this the bend cannot be undone."""


def unbend(levs: Tensor) -> Tensor:
    """What LEVs were before their tanh, which hides differences between pronounced traits."""
    return levs.clamp(-_BENT, _BENT).atanh()


class Impostors(nn.Module):
    """Vectors (impostors, size) of texts, each by somebody else."""

    vectors: Tensor

    def __init__(self, n: int, size: int, fade: int = 0) -> None:
        super().__init__()
        self._fade = fade
        self.register_buffer("vectors", torch.zeros(n, size))

    def nearness(self, x: Tensor, other: Tensor | None = None) -> Tensor:
        """Mean squared distance (texts,) to the nearest impostors of vectors (texts, size).

        `other` (texts, impostors) is false for impostors that are none, being by the same author.
        """
        d = torch.cdist(x, self.vectors.to(x)).square()
        if other is not None:
            d = d.masked_fill(~other, torch.inf)
        return d.topk(min(NEAREST, d.shape[1]), largest=False).values.mean(1)

    def unit(self, near: Tensor, amount: Tensor | None) -> Tensor:
        """What squared distances are measured in, by the mean nearness of both texts.

        In a short text that is nearness itself. With more text, `amount`, it turns into a constant,
        reached at `fade` tokens: what a long text's distance says it says by itself, while its
        nearest impostors may all be of other genres, and too far off.
        """
        near = near.clamp(min=_LEAST)
        if not self._fade or amount is None:
            return near
        most, least = math.log(self._fade), math.log(SHORTEST)
        share = ((most - amount) / (most - least)).clamp(0, 1)
        typical = self._own[len(self._own) // 2].to(near)
        return typical * (near / typical) ** share

    @cached_property
    def _own(self) -> Tensor:
        """Nearness of each impostor to the others, rising; once they are what they will be."""
        d = torch.cdist(self.vectors, self.vectors).square().fill_diagonal_(torch.inf)
        return d.topk(min(NEAREST, len(d) - 1), largest=False).values.mean(1).sort().values
