"""Uncertainty adaptation (UAL): the Bayes factor's posterior, corrected by a confusion matrix.

Runs in float32 (or in the parameters' dtype, where they are double) even under autocast.
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class Adapted(NamedTuple):
    """Logarithms of what the adaptation says of each pair. Index 1 is H1, the same author."""

    log_posterior: Tensor  # (pairs, 2): log p_UAL(H_j)
    log_confusion: Tensor  # (pairs, 2, 2): log p(H_j | Ĥ_i) at [:, j, i]

    @property
    def probability(self) -> Tensor:
        """p_UAL(H1) of each pair."""
        return self.log_posterior[:, 1].exp()  # (pairs,)

    @property
    def log_odds(self) -> Tensor:
        """Log odds of H1, that is the log-likelihood ratio at a prior of 1:1."""
        return self.log_posterior[:, 1] - self.log_posterior[:, 0]  # (pairs,)


class Adaptation(nn.Module):
    """A 2 × 2 confusion matrix for each pair, from the squared difference of its LEVs.

    `trust` is where p(H_j | Ĥ_j) starts, for every pair alike. So training begins from the Bayes
    factor's own ranking, slightly pulled to the middle. Nearer to 1 the softmax saturates and
    learns slowly; at 0.5 the adaptation would have to rediscover what the Bayes factor says.
    """

    def __init__(self, lev: int, hidden: int = 120, *, trust: float = 0.9) -> None:
        super().__init__()
        self.hidden = nn.Linear(lev, hidden)
        self.confusion = nn.Linear(hidden, 4)
        self._trust = trust
        self.reset()

    @torch.no_grad()
    def reset(self) -> None:
        """Go back to where training begins."""
        nn.init.xavier_uniform_(self.hidden.weight)
        nn.init.zeros_(self.hidden.bias)
        nn.init.zeros_(self.confusion.weight)
        logit = math.log(self._trust / (1.0 - self._trust))
        self.confusion.bias.copy_(logit * torch.eye(2).flatten())

    def forward(self, y1: Tensor, y2: Tensor, log_lr: Tensor) -> Adapted:
        """Adapt the posteriors Sigmoid(±log_lr) of pairs of LEVs (eq. `UAL`)."""
        with torch.autocast(y1.device.type, enabled=False):
            dtype = self.hidden.weight.dtype
            difference = (y1.to(dtype) - y2.to(dtype)).square()  # (pairs, lev)
            y = torch.tanh(self.hidden(difference))  # (pairs, hidden)
            # Normalised over j and fed with y^UAL; eq. `ualC` prints i and y^BFS.
            log_confusion = functional.log_softmax(self.confusion(y).unflatten(-1, (2, 2)), dim=1)
            log_lr = log_lr.to(dtype)
            log_bfs = functional.logsigmoid(torch.stack((-log_lr, log_lr), dim=-1))  # (pairs, i)
            log_posterior = torch.logsumexp(log_confusion + log_bfs.unsqueeze(1), dim=2)
            return Adapted(log_posterior, log_confusion)


def adaptation_loss(adapted: Adapted, same: Tensor, beta: float = 0.105) -> Tensor:
    """Loss of each pair (eq. `lossual`): −log p_UAL of the truth, less β times the entropies."""
    truth = same.long().unsqueeze(-1)  # (pairs, 1)
    log_loss = -adapted.log_posterior.gather(-1, truth).squeeze(-1)
    negative_entropy = (adapted.log_confusion.exp() * adapted.log_confusion).sum(dim=(1, 2))
    return log_loss + beta * negative_entropy  # (pairs,)
