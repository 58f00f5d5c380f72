"""O2D2: which trials not to answer.

A small network that was shown which trials the scoring decides wrongly, or hardly at all, on texts
of authors that encoder and scoring have not learned from. It sees the LEVs of both sides, the
confusion matrix, and, beyond the authors' own, what was answered and the amount of text.
"""

import torch
from torch import Tensor, nn

from samehand.model.adaptation import Adapted

HIDDEN, NARROW, DROPOUT = 60, 30, 0.25
UNSURE = 0.3, 0.7
"""Posteriors between these decide hardly anything."""


class Rejection(nn.Module):
    """One logit for each trial; above `limit` it is better not answered."""

    limit: Tensor

    def __init__(self, lev: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * lev + 6, HIDDEN), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, NARROW), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(NARROW, 1),
        )  # fmt: skip
        self.register_buffer("limit", torch.tensor(0.0))

    def forward(self, y1: Tensor, y2: Tensor, adapted: Adapted, amount: Tensor) -> Tensor:
        """Logits (trials,) that a trial is undecidable; LEVs of style (trials, lev)."""
        answered = torch.stack([adapted.log_odds, amount / 10], 1).to(y1)
        seen = [(y1 - y2).square(), (y1 + y2).square(), adapted.log_confusion.exp().flatten(1)]
        logits: Tensor = self.layers(torch.cat([*seen, answered], 1).float())
        return logits.squeeze(1)


def undecidable(probability: Tensor, same: Tensor) -> Tensor:
    """Which trials a scoring decides wrongly, or hardly at all."""
    low, high = UNSURE
    hardly = (probability > low) & (probability < high)
    return hardly | ((probability > 0.5) != same)
