"""O2D2: which trials not to answer.

A small network that was shown which trials the scoring decides wrongly, or hardly at all, on texts
of authors that the encoder has not learned from. It sees the LEVs of both sides and the confusion
matrix, and, beyond the original, what was answered and the amount of text: on the former alone it
was no better than leaving out what lies nearest to 0.5.
"""

import torch
from torch import Tensor, nn

from samehand.network.adaptation import Adapted

HIDDEN, NARROW, DROPOUT = 60, 30, 0.25
_SCALE = 0.1
"""Of the LEVs' squares: hundreds of them shall not drown what was answered."""
_USUAL = 6.0
"""The usual amount of text."""
UNSURE = 0.3, 0.7
"""Posteriors between these decide hardly anything."""


class Rejection(nn.Module):
    """One logit for each trial; above `limit` it is better not answered."""

    limit: Tensor

    def __init__(self, lev: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * lev + 7, HIDDEN), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, NARROW), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(NARROW, 1),
        )  # fmt: skip
        self.register_buffer("limit", torch.tensor(0.0))

    def forward(self, y1: Tensor, y2: Tensor, adapted: Adapted, amount: Tensor) -> Tensor:
        """Logits (trials,) that a trial is undecidable; LEVs of style (trials, lev)."""
        odds = adapted.log_odds
        answered = torch.stack([odds.abs(), odds, amount - _USUAL], 1).to(y1)
        squares = _SCALE * torch.cat([(y1 - y2).square(), (y1 + y2).square()], 1)
        confusion = adapted.log_confusion.exp().flatten(1).to(y1)
        logits: Tensor = self.layers(torch.cat([squares, confusion, answered], 1).float())
        return logits.squeeze(1)


def undecidable(probability: Tensor, same: Tensor) -> Tensor:
    """Which trials a scoring decides wrongly, or hardly at all."""
    low, high = UNSURE
    hardly = (probability > low) & (probability < high)
    return hardly | ((probability > 0.5) != same)
