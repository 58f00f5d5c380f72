"""O2D2: which trials had better stay without an answer, from the paper's follow-up.

An out-of-distribution detector (O2D2) that is trained when all else is, on trials of authors and
topics that nothing else has learned from. It is shown which of them the adaptation decides wrongly,
or hardly at all. A trial that it rejects is answered 0.5.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from samehand.network.network import Scoring

HIDDEN, NARROW, DROPOUT = 60, 30, 0.25
UNSURE = 0.3, 0.7
"""Posteriors between these decide hardly anything."""
_EPOCHS, _BATCH = 10, 40
_RATES = 1e-3, 5e-4
"""Of Adam, at the start and at the end."""


class Rejection(nn.Module):
    """One logit for each trial: whether it is undecidable."""

    def __init__(self, lev: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * lev + 4, HIDDEN), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, NARROW), nn.Tanh(), nn.Dropout(DROPOUT),
            nn.Linear(NARROW, 1),
        )  # fmt: skip

    def forward(self, y1: Tensor, y2: Tensor, log_confusion: Tensor) -> Tensor:
        """Logits (trials,) of pairs of LEVs (trials, lev) and their confusion matrices."""
        squares = (y1 - y2).square(), (y1 + y2).square(), log_confusion.exp().flatten(1)
        logits: Tensor = self.layers(torch.cat(squares, 1))
        return logits.squeeze(1)


def undecidable(probability: Tensor, same: Tensor) -> Tensor:
    """Which trials the adaptation decides wrongly, or hardly at all."""
    low, high = UNSURE
    hardly = (probability > low) & (probability < high)
    return hardly | ((probability > 0.5) != same)


def fit_rejection(scoring: Scoring, y1: Tensor, y2: Tensor, same: Tensor, seed: int) -> Rejection:
    """A detector for this scoring, from pairs of LEVs that it has not learned from."""
    with torch.no_grad():
        _, adapted = scoring.eval()(y1, y2.unsqueeze(1))
    wrong = undecidable(adapted.probability, same).to(y1.dtype)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        made = Rejection(y1.shape[1]).to(y1)
        _train(made, (y1, y2, adapted.log_confusion), wrong)
    return made.eval()


def _train(made: Rejection, seen: tuple[Tensor, Tensor, Tensor], wrong: Tensor) -> None:
    optimiser = torch.optim.Adam(made.parameters(), _RATES[0])
    fall = (_RATES[1] / _RATES[0]) ** (1 / _EPOCHS)
    rate = torch.optim.lr_scheduler.ExponentialLR(optimiser, fall)
    for _ in range(_EPOCHS):
        for rows in torch.split(torch.randperm(len(wrong)), _BATCH):
            logits = made(*(part[rows] for part in seen))
            optimiser.zero_grad()
            F.binary_cross_entropy_with_logits(logits, wrong[rows]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
        rate.step()
