"""The two-covariance model: the log-likelihood ratio of "one author" against "two authors".

What is known of a document is y = s + n, with s ~ N(μ, B⁻¹) the author's style and n ~ N(0, W⁻¹)
the document's noise. B and W are precisions.

In the paper all authors scatter around one known μ, which holds for one genre. Over several, LEVs
also tell genres apart, and as both texts of a trial come from one genre, two authors of an unusual
genre look like one: the ratio rewards "both far from μ", and ranks worse than the plain distance.
Where `domain` is "unknown", μ is what the texts at hand have in common, whatever that is:
integrated out under a flat prior it leaves the likelihood ratio of the texts' differences, as exact
as the other.

B and W are never multiplied out or inverted, since both would square their condition. From their
triangular factors, B = L_B L_Bᵀ and W = L_W L_Wᵀ, the sums B + tW follow by orthogonal steps alone:

    (L_Bᵀ; √t L_Wᵀ) = (C; A) R  with orthonormal columns (C; A), so that B + tW = RᵀR,

and every term of a log-likelihood ratio is a log determinant, or the length of a projection on C or
A.
Autocast is switched off throughout; the ratio itself is computed in double precision.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from samehand.errors import InputError
from samehand.model.config import Domain

WITHIN_START, BETWEEN_START = 1.02, 0.98
WORST_CONDITION = 1e10
"""Condition of the root of B + W, its columns scaled, beyond which scores lose digits that count.
Either of B and W may be far worse conditioned than that."""


class _Sums(NamedTuple):
    """Parts of B + tW, for several t."""

    between: Tensor
    """(sums, dim, dim) L_B C"""
    within: Tensor
    """(sums, dim, dim) L_W A / √t"""
    log_det: Tensor
    """(sums,) log |B + tW|"""
    root: Tensor
    """(dim, dim) L_B"""
    log_det_between: Tensor
    """log |B|"""


class TwoCovariance(nn.Module):
    """The two-covariance model of `dim` features, scored exactly.

    B and W are held as lower triangular factors whose diagonal is exponentiated.
    """

    def __init__(self, dim: int, domain: Domain = "known") -> None:
        super().__init__()
        self.domain = domain
        # Where it plays no part it must not wait for a gradient: several processes would, for ever.
        self.mean = nn.Parameter(torch.zeros(dim), requires_grad=domain == "known")
        self.between = nn.Parameter(torch.eye(dim) * (0.5 * math.log(BETWEEN_START)))
        self.within = nn.Parameter(torch.eye(dim) * (0.5 * math.log(WITHIN_START)))

    @torch.no_grad()
    def start_isotropic(self, offset: float, slope: float) -> None:
        """Set the B and W, alike in all directions, of log-LR = offset − slope · squared distance.

        This is for an unknown domain; `offset` and `slope` are positive.
        """
        dim = len(self.mean)
        ratio = math.expm1(2.0 * offset / dim)  # of W to B
        w = 4.0 * slope * (1.0 + ratio) / ratio
        for stored, value in ((self.within, w), (self.between, w / ratio)):
            stored.copy_(torch.eye(dim) * (0.5 * math.log(value)))

    def factors(self) -> tuple[Tensor, Tensor]:
        """L_B and L_W, lower triangular, in double precision and where that can be computed."""
        device = "cpu" if self.mean.device.type == "mps" else self.mean.device
        stored = torch.stack((self.between, self.within)).to(device).double()
        diagonal = stored.diagonal(dim1=-2, dim2=-1).exp()
        b, w = (stored.tril(-1) + diagonal.diag_embed()).unbind()  # (dim, dim)
        return b, w

    def entropies(self) -> tuple[Tensor, Tensor]:
        """Gaussian entropies ½ log |2πe Σ| in nats, of W⁻¹ (within) and of B⁻¹ (between)."""
        unit = 0.5 * math.log(2.0 * math.pi * math.e) * len(self.mean)
        return unit - self.within.diagonal().sum(), unit - self.between.diagonal().sum()

    @property
    def _precise(self) -> torch.dtype:
        """Double, wherever a device has it: the variances of saturated LEVs span many orders."""
        return torch.float32 if self.mean.device.type == "mps" else torch.float64

    def _sums(self, times: Sequence[float]) -> _Sums:
        """Parts of B + tW for each t of `times`."""
        b, w = self.factors()
        roots = [math.sqrt(t) for t in times]
        stacked = torch.stack([torch.cat((b.mT, root * w.mT)) for root in roots])
        q, r = torch.linalg.qr(stacked)  # (sums, 2 dim, dim), (sums, dim, dim)
        if not torch.is_grad_enabled():
            _check_condition(r[0])
        c, a = q.split(len(b), dim=1)
        within = torch.stack([w @ part / root for part, root in zip(a, roots, strict=True)])
        log_det = 2.0 * r.diagonal(dim1=-2, dim2=-1).abs().log().sum(dim=-1)
        found = b @ c, within, log_det, b, 2.0 * b.diagonal().log().sum()
        return _Sums(*(part.to(self._precise).to(self.mean.device) for part in found))

    def log_lr(self, y1: Tensor, y2: Tensor) -> Tensor:
        """log p(y1, y2 | H1) − log p(y1, y2 | H0) of each pair."""
        return self.log_lr_known(y1, y2.unsqueeze(1))  # (pairs,)

    def log_lr_known(self, questioned: Tensor, known: Tensor, mask: Tensor | None = None) -> Tensor:
        """log p(q, known | H1) − log p(q) − log p(known), for known documents of one author.

        `questioned` (dim,) and `known` (documents, dim); or a batch (trials, dim) and
        (trials, documents, dim), with `mask` (trials, documents) true where there is a document.
        A trial without known documents scores 0.
        """
        if questioned.dim() == 1:
            row = None if mask is None else mask.unsqueeze(0)
            return self.log_lr_known(questioned.unsqueeze(0), known.unsqueeze(0), row).squeeze(0)
        most = known.shape[1]
        if not most:
            return questioned.new_zeros(len(questioned))
        with torch.autocast(questioned.device.type, enabled=False):
            known = mean_of_known(known.to(self._precise), mask)  # (trials, dim)
            difference = questioned.to(self._precise) - known
            if mask is None:  # to ask a GPU which trials have how many is to wait for all its work
                return self._log_lr_of(difference, known, most).to(self.mean.dtype)
            count = mask.sum(dim=1)  # (trials,)
            score = torch.zeros_like(difference[:, 0])
            for n in torch.unique(count[count > 0]).tolist():
                rows = (count == n).nonzero().squeeze(-1)
                score = score.index_add(0, rows, self._log_lr_of(difference[rows], known[rows], n))
            return score.to(self.mean.dtype)  # (trials,)

    def _log_lr_of(self, difference: Tensor, known: Tensor, n: int) -> Tensor:
        """Log-LRs (trials,) of questioned texts less the mean of n known ones, and of that mean."""
        if self.domain == "known":
            return self._log_lr_around_mean(difference, known - self.mean.to(known), n)
        return self._log_lr_of_differences(difference, n)

    def _log_lr_of_differences(self, difference: Tensor, n: int) -> Tensor:
        """Differences are N(0, cW⁻¹) under H1 and N(0, cW⁻¹ + 2B⁻¹) under H0, with c = 1 + 1/n."""
        c = 1.0 + 1.0 / n
        sums = self._sums([2.0 / c])
        most = 0.5 * (sums.log_det[0] - sums.log_det_between)
        score: Tensor = most - (difference @ sums.within[0] / c).square().sum(dim=-1)
        return score

    def _log_lr_around_mean(self, difference: Tensor, known: Tensor, n: int) -> Tensor:
        """Log-LRs of differences δ (trials, dim) from means k of n known texts, less μ.

        With f(t) = ½ log |B + tW| and g(t) = ½ ‖R_t⁻ᵀ (W δ − B k)‖² they are
        f(1) + f(n) − f(n + 1) − f(0) + g(n + 1) − g(1) + ½ kᵀ B k − ½ ‖R_n⁻ᵀ B k‖².
        """
        times = sorted({1, n, n + 1})
        at_n = times.index(n)
        sums = self._sums(times)
        f = 0.5 * sums.log_det
        projected = known @ sums.between  # (sums, trials, dim)
        g = 0.5 * (difference @ sums.within - projected).square().sum(dim=-1)  # (sums, trials)
        length = (known @ sums.root).square().sum(dim=-1)
        rest = 0.5 * (length - projected[at_n].square().sum(dim=-1))
        constant = f[0] + f[at_n] - f[-1] - 0.5 * sums.log_det_between
        score: Tensor = constant + g[-1] - g[0] + rest
        return score  # (trials,)


def mean_of_known(known: Tensor, mask: Tensor | None) -> Tensor:
    """Mean (trials, dim) of texts (trials, texts, dim); 0 where a trial has none."""
    if mask is None:
        return known.mean(dim=1)
    present = known.masked_fill(~mask.unsqueeze(-1), 0)
    return present.sum(dim=1) / mask.sum(dim=1).clamp(min=1).unsqueeze(-1)


def _check_condition(root: Tensor) -> None:
    """Raise where B + W, whose upper triangular root this is, is singular but for rounding."""
    scaled = root / root.norm(dim=0)
    inverse = torch.linalg.solve_triangular(scaled, torch.eye(len(root)).to(root), upper=True)
    if not inverse.norm() < WORST_CONDITION:
        raise InputError(
            "The Bayes factor's covariances are nearly singular: its scores would be wrong; "
            "train the model again, with a lower learning rate."
        )
