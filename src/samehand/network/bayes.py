"""Bayes factor scoring (BFS): LEVs reduced, and compared by the two-covariance model."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from samehand.model.config import Activation, Domain
from samehand.network.two_covariance import TwoCovariance

LINEAR_ZONE: dict[Activation, tuple[float, float]] = {
    "swish": (4.0, 0.5),
    "tanh": (0.0, 0.3),
    "none": (0.0, 1.0),
}
"""Mean and deviation of its input at which each activation is nearly linear."""


class BayesFactor(nn.Module):
    """Reduction of LEVs (eq. `nllbfs`) and their two-covariance log-likelihood ratio.

    The posterior at a prior of 1:1 is its sigmoid (eq. `scorefinal`).
    """

    def __init__(
        self,
        lev: int,
        size: int = 40,
        activation: Activation = "swish",
        domain: Domain = "unknown",
    ) -> None:
        super().__init__()
        self.activation = activation
        self.reduction = nn.Linear(lev, size)
        nn.init.uniform_(self.reduction.weight, -0.4, 0.4)
        nn.init.zeros_(self.reduction.bias)
        self.covariances = TwoCovariance(size, domain)

    def reduce(self, y: Tensor) -> Tensor:
        """y^BFS of each document."""
        with torch.autocast(y.device.type, enabled=False):
            y = self.reduction(y.to(self.reduction.weight.dtype))  # (documents, size)
            if self.activation == "swish":
                return functional.silu(y)
            return torch.tanh(y) if self.activation == "tanh" else y

    def forward(self, y1: Tensor, y2: Tensor) -> Tensor:
        """Log-likelihood ratio of each pair of LEVs."""
        return self.covariances.log_lr(self.reduce(y1), self.reduce(y2))  # (pairs,)

    def log_lr_known(self, questioned: Tensor, known: Tensor, mask: Tensor | None = None) -> Tensor:
        """Log-likelihood ratio of questioned LEVs against all known ones of one author."""
        reduced = self.reduce(questioned), self.reduce(known)
        return self.covariances.log_lr_known(*reduced, mask)  # (trials,)

    @torch.no_grad()
    def start_from_pairs(self, y1: Tensor, y2: Tensor, same: Tensor) -> None:
        """Start from pairs of LEVs, not at random: ranking, and calibrated, as their distance.

        The reduction becomes the directions in which pairs differ most, scaled to where the
        activation is nearly linear; B and W are alike in all directions, at the values for which
        the log-LR is the logistic regression on the squared distance. Training refines this.
        Estimated covariances would be the textbook start, but LEVs are no Gaussians: two short
        texts are far apart in all directions at once, and a full covariance counts that as many
        times over. Does nothing for a known domain, or pairs of one kind only.
        """
        if self.covariances.domain == "known" or same.all() or not same.any():
            return
        difference = (y1 - y2).double().cpu()
        spread, axes = torch.linalg.eigh(difference.T @ difference / len(difference))  # rising
        centre, deviation = LINEAR_ZONE[self.activation]
        widest = float(spread[-1].clamp(min=1e-12)) ** 0.5
        weight = axes[:, -len(self.covariances.mean) :].T * (deviation / widest)  # (size, lev)
        levs = torch.cat((y1, y2)).to(self.reduction.weight)
        self.reduction.weight.copy_(weight)
        self.reduction.bias.copy_(centre - self.reduction.weight @ levs.mean(dim=0))
        reduced = self.reduce(levs)
        self.covariances.mean.copy_(reduced.mean(dim=0))
        distance = (reduced[: len(y1)] - reduced[len(y1) :]).square().sum(dim=-1)
        self.covariances.start_isotropic(*logistic(distance.double().cpu(), same.cpu()))


def logistic(distance: Tensor, same: Tensor) -> tuple[float, float]:
    """Positive offset and slope of log odds = offset − slope · distance; both kinds weigh alike."""
    scale = float(distance.mean().clamp(min=1e-12))
    inputs = torch.stack((torch.ones_like(distance), -distance / scale), dim=1)  # (pairs, 2)
    share = same.double().mean()
    weight = torch.where(same, 0.5 / share, 0.5 / (1.0 - share)) / len(same)
    solution = torch.ones(2, dtype=torch.float64)
    ridge = 1e-4 * torch.eye(2, dtype=torch.float64)  # finite, even where the kinds are separable
    for _ in range(50):  # Newton's method
        p = torch.sigmoid(inputs @ solution)
        gradient = inputs.T @ (weight * (p - same.double())) + ridge @ solution
        curvature = (inputs * (weight * p * (1.0 - p)).unsqueeze(1)).T @ inputs + ridge
        solution = solution - torch.linalg.solve(curvature, gradient).clamp(-1.0, 1.0)
    offset, slope = solution.clamp(min=0.05).tolist()
    return offset, slope / scale


def bayes_factor_loss(log_lr: Tensor, same: Tensor) -> Tensor:
    """Binary cross entropy of each pair: eq. `loss2` with its sign put right."""
    return functional.binary_cross_entropy_with_logits(
        log_lr, same.to(log_lr.dtype), reduction="none"
    )
