"""Deep metric learning (DML): linguistic embedding vectors (LEVs) and their distance.

Runs in float32 (or in the parameters' dtype, where they are double) even under autocast.
"""

import torch
from torch import Tensor, nn

from samehand.model.config import MetricLoss

GAMMA, ALPHA = 0.09, 1.5
"""Where the kernel starts: in r = √d it is exp(−0.09 r³), which follows (1 + cos(π r / 4)) / 2."""

EPSILON = 1e-8
"""Added to squared distances, so that powers of them have finite gradients at zero."""


def squared_distance(y1: Tensor, y2: Tensor) -> Tensor:
    """d = ‖y1 − y2‖² of each pair (eq. `ED`)."""
    return (y1 - y2).square().sum(dim=-1)  # (pairs,)


def probabilistic_contrastive(
    p: Tensor, same: Tensor, tau_s: float = 0.91, tau_d: float = 0.09
) -> Tensor:
    """Loss of each pair (eq. `lossdml2`): p should reach τ_s, or stay below τ_d."""
    pulled = (tau_s - p).clamp(min=0).square()
    pushed = (p - tau_d).clamp(min=0).square()
    return torch.where(same.bool(), pulled, pushed)  # (pairs,)


def contrastive(d: Tensor, same: Tensor, tau_s: float = 1.0, tau_d: float = 3.0) -> Tensor:
    """Loss of each pair (eq. `lossdml1`) from its *squared* distance d.

    The thresholds are on the distance r = √d, although the equation prints d: its operating
    interval is r ∈ [0, 4], and r = 1 and r = 3 are where the kernel gives 0.91 and 0.09. So both
    losses pull and push at the same distances, and the kernel reads either of them.
    """
    r = (d + EPSILON).sqrt()
    pulled = (r - tau_s).clamp(min=0).square()
    pushed = (tau_d - r).clamp(min=0).square()
    return torch.where(same.bool(), pulled, pushed)  # (pairs,)


class Metric(nn.Module):
    """The layer that yields LEVs, and the kernel that turns their distance into p(H1).

    Trained with the older contrastive loss it has no probability of its own. The kernel then stays
    at its initial values, whatever `learn_kernel` says, and serves as the map to p(H1).
    """

    log_gamma: Tensor
    log_alpha: Tensor

    def __init__(
        self,
        in_features: int,
        size: int = 60,
        *,
        loss: MetricLoss = "probabilistic",
        learn_kernel: bool = True,
    ) -> None:
        super().__init__()
        self.kind = loss
        self.dense = nn.Linear(in_features, size)
        nn.init.uniform_(self.dense.weight, -0.4, 0.4)
        nn.init.zeros_(self.dense.bias)
        # Logarithms keep both positive. One name for both cases: weights load into either.
        learned = learn_kernel and loss == "probabilistic"
        for name, start in (("log_gamma", GAMMA), ("log_alpha", ALPHA)):
            value = torch.tensor(start).log()
            if learned:
                self.register_parameter(name, nn.Parameter(value))
            else:
                self.register_buffer(name, value)

    @property
    def gamma(self) -> Tensor:
        return self.log_gamma.exp()

    @property
    def alpha(self) -> Tensor:
        return self.log_alpha.exp()

    def forward(self, x: Tensor) -> Tensor:
        """LEV of each document, tanh(W x + b)."""
        with torch.autocast(x.device.type, enabled=False):
            x = x.to(self.dense.weight.dtype)  # (documents, features)
            return torch.tanh(self.dense(x))  # (documents, lev)

    def distance(self, y1: Tensor, y2: Tensor) -> Tensor:
        """Squared distance of each pair of LEVs."""
        with torch.autocast(y1.device.type, enabled=False):
            dtype = self.dense.weight.dtype
            return squared_distance(y1.to(dtype), y2.to(dtype))  # (pairs,)

    def log_kernel(self, d: Tensor) -> Tensor:
        """log p(H1) of squared distances."""
        with torch.autocast(d.device.type, enabled=False):
            return -self.gamma * (d.to(self.log_gamma.dtype) + EPSILON) ** self.alpha

    def kernel(self, d: Tensor) -> Tensor:
        """p(H1) = exp(−γ d^α) of squared distances (eq. `DMLl`)."""
        return self.log_kernel(d).exp()

    def probability(self, y1: Tensor, y2: Tensor) -> Tensor:
        """p(H1) of each pair of LEVs, under either loss."""
        return self.kernel(self.distance(y1, y2))  # (pairs,)

    def loss(self, y1: Tensor, y2: Tensor, same: Tensor) -> Tensor:
        """Loss of each pair of LEVs, of the kind this layer was made with."""
        d = self.distance(y1, y2)
        if self.kind == "contrastive":
            return contrastive(d, same)
        return probabilistic_contrastive(self.kernel(d), same)
