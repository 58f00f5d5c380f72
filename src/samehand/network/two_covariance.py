"""The two-covariance model: the log-likelihood ratio of "one author" against "two authors".

What is known of a document is y = s + n, with s ~ N(μ, B⁻¹) the author's style and n ~ N(0, W⁻¹)
the document's noise. B and W are precisions.

In the paper all authors scatter around one known μ, which holds for one genre. Over several, LEVs
also tell genres apart, and as both texts of a trial come from one genre, two authors of an unusual
genre look like one: the ratio rewards "both far from μ", and ranks worse than the plain distance.
Where `domain` is "unknown", μ is what the texts at hand have in common, whatever that is:
integrated out under a flat prior it leaves the likelihood ratio of the texts' differences, as exact
as the other.

Autocast is switched off throughout; the ratio itself is computed in double precision.
"""

import math
from typing import Literal

import torch
from torch import Tensor, nn

from samehand.network.known import mean_of_known

Domain = Literal["known", "unknown"]

WITHIN_START, BETWEEN_START = 1.02, 0.98


def _cholesky(matrix: Tensor) -> Tensor:
    """Lower factor of positive definite matrices, with a jitter of rounding size; never raises."""
    trace = matrix.detach().diagonal(dim1=-2, dim2=-1).sum(dim=-1)  # bounds the norm
    jitter = torch.finfo(matrix.dtype).eps * trace[..., None, None]
    eye = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    factor: Tensor = torch.linalg.cholesky_ex(matrix + jitter * eye).L
    return factor


def _log_det(factor: Tensor) -> Tensor:
    return 2.0 * factor.diagonal(dim1=-2, dim2=-1).log().sum(dim=-1)


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
        self._distances: dict[int, tuple[object, tuple[Tensor, Tensor]]] = {}

    @torch.no_grad()
    def start_isotropic(self, offset: float, slope: float) -> None:
        """The B and W, alike in all directions, for log-LR = offset − slope · squared distance.

        For an unknown domain; `offset` and `slope` are positive.
        """
        dim = len(self.mean)
        ratio = math.expm1(2.0 * offset / dim)  # of W to B
        w = 4.0 * slope * (1.0 + ratio) / ratio
        for stored, value in ((self.within, w), (self.between, w / ratio)):
            stored.copy_(torch.eye(dim) * (0.5 * math.log(value)))

    def factors(self) -> tuple[Tensor, Tensor]:
        """Lower triangular L_B and L_W of B = L_B L_Bᵀ and W = L_W L_Wᵀ."""
        lower = torch.stack((self.between, self.within))  # (2, dim, dim)
        b, w = (lower.tril(-1) + lower.diagonal(dim1=-2, dim2=-1).exp().diag_embed()).unbind()
        return b, w

    def entropies(self) -> tuple[Tensor, Tensor]:
        """Gaussian entropies ½ log |2πe Σ| in nats, of W⁻¹ (within) and of B⁻¹ (between)."""
        unit = 0.5 * math.log(2.0 * math.pi * math.e) * len(self.mean)
        return unit - self.within.diagonal().sum(), unit - self.between.diagonal().sum()

    @property
    def _precise(self) -> torch.dtype:
        """Double, wherever a device has it: the variances of saturated LEVs span many orders."""
        return torch.float32 if self.mean.device.type == "mps" else torch.float64

    def _ratios(self) -> tuple[Tensor, Tensor]:
        """L_B, and M = L_B⁻¹ W L_B⁻ᵀ: what W is in coordinates v = L_Bᵀ y, where B is 1.

        M holds ratios of between- to within-author variance, whatever the scale of the LEVs.
        """
        b, w = (factor.to(self._precise) for factor in self.factors())
        root = torch.linalg.solve_triangular(b, w, upper=False)
        return b, root @ root.mT

    def log_lr(self, y1: Tensor, y2: Tensor) -> Tensor:
        """log p(y1, y2 | H1) − log p(y1, y2 | H0) of each pair.

        The textbook formula, turned to the sum and the difference of the centred pair, so that no
        large quadratic forms are subtracted. With v = L_Bᵀ (y − μ) it is
        ¼ ‖K⁻¹ M (v1 + v2)‖² − ¼ ‖C⁻¹ M (v1 − v2)‖² + log|1 + M| − ½ log|1 + 2M|,
        where C Cᵀ = 1 + M and K Kᵀ = (1 + M)(1 + 2M).
        """
        if self.domain == "unknown":
            return self.log_lr_known(y1, y2.unsqueeze(1))
        with torch.autocast(y1.device.type, enabled=False):
            b, m = self._ratios()
            y1, y2 = y1.to(b), y2.to(b)  # (pairs, dim)
            one = torch.eye(len(m), dtype=m.dtype, device=m.device)
            roots = _cholesky(torch.stack((one + 3.0 * m + 2.0 * m @ m, one + m)))
            k, c = torch.linalg.solve_triangular(roots, m @ b.mT, upper=False).unbind()
            both, single = _log_det(roots).unbind()
            agreement = ((y1 + y2 - 2.0 * self.mean.to(b)) @ k.mT).square().sum(dim=-1)
            disagreement = ((y1 - y2) @ c.mT).square().sum(dim=-1)
            score: Tensor = 0.25 * (agreement - disagreement) + 1.5 * single - 0.5 * both
            return score.to(self.mean.dtype)  # (pairs,)

    def log_lr_as_distance(self, n: int = 1) -> tuple[Tensor, Tensor]:
        """A and a of log-LR = a − ‖(y − ȳ) A‖², the form it has where the domain is unknown.

        ȳ is the mean of n known texts. Where nothing is learned, they are computed once.
        """
        stored = self.between, self.within
        if torch.is_grad_enabled() or any(t.is_inference() for t in stored):
            return self._as_distance(n)
        now = tuple((t.data_ptr(), t._version) for t in stored)
        found = self._distances.get(n)
        if found is None or found[0] != now:
            found = self._distances[n] = now, self._as_distance(n)
        return found[1]

    def _as_distance(self, n: int) -> tuple[Tensor, Tensor]:
        b, m = self._ratios()
        projected, most = _difference_weighed(m, n)
        return b @ projected.mT, most

    def log_lr_known(self, questioned: Tensor, known: Tensor, mask: Tensor | None = None) -> Tensor:
        """log p(q, known | H1) − log p(q) − log p(known), for known documents of one author.

        `questioned` (dim,) and `known` (documents, dim); or a batch (trials, dim) and
        (trials, documents, dim), with `mask` (trials, documents) true where there is a document.
        A trial without known documents scores 0.
        """
        if questioned.dim() == 1:
            row = None if mask is None else mask.unsqueeze(0)
            return self.log_lr_known(questioned.unsqueeze(0), known.unsqueeze(0), row).squeeze(0)
        with torch.autocast(questioned.device.type, enabled=False):
            if self.domain == "unknown":
                return self._log_lr_of_differences(questioned, known, mask).to(self.mean.dtype)
            there = known.new_ones(known.shape[:2]).bool() if mask is None else mask
            b, m = self._ratios()
            q = (questioned.to(b) - self.mean.to(b)) @ b  # (trials, dim)
            z = (known.to(b) - self.mean.to(b)).masked_fill(~there.unsqueeze(-1), 0.0)
            total, count = z.sum(dim=1) @ b, there.sum(dim=1)  # (trials, dim), (trials,)
            score: Tensor = -_log_predictive(m, q, torch.zeros_like(q), 0)
            for n in torch.unique(count).tolist():
                rows = (count == n).nonzero().squeeze(-1)
                score = score.index_add(0, rows, _log_predictive(m, q[rows], total[rows], n))
            return score.to(self.mean.dtype)  # (trials,)

    def _log_lr_of_differences(
        self, questioned: Tensor, known: Tensor, mask: Tensor | None
    ) -> Tensor:
        """The ratio where the texts share an unknown mean.

        The questioned text less the mean of n known ones is N(0, cW⁻¹) under H1 and
        N(0, cW⁻¹ + 2B⁻¹) under H0, with c = 1 + 1/n. How the known ones differ among themselves
        says the same under both.
        """
        most = known.shape[1]
        if not most:
            return questioned.new_zeros(len(questioned))
        precise = self._precise
        difference = questioned.to(precise) - mean_of_known(known.to(precise), mask)
        if (
            mask is None
        ):  # to ask a GPU which trials have how many would be to wait for all its work
            return self._log_lr_of_difference(difference, most)
        count = mask.sum(dim=1)  # (trials,)
        score = torch.zeros_like(difference[:, 0])
        for n in torch.unique(count[count > 0]).tolist():
            rows = (count == n).nonzero().squeeze(-1)
            score = score.index_add(0, rows, self._log_lr_of_difference(difference[rows], n))
        return score

    def _log_lr_of_difference(self, difference: Tensor, n: int) -> Tensor:
        """The same of differences (trials, dim) from the mean of n known texts."""
        project, most = self.log_lr_as_distance(n)
        return most - (difference @ project).square().sum(dim=-1)


def _difference_weighed(m: Tensor, n: int) -> tuple[Tensor, Tensor]:
    """P and the log-LR of no difference: a difference d from n known texts takes ‖P d‖² off it."""
    scaled = m / (1.0 + 1.0 / n)
    root = _cholesky(torch.eye(len(m), dtype=m.dtype, device=m.device) + 2.0 * scaled)
    return torch.linalg.solve_triangular(root, scaled, upper=False), 0.5 * _log_det(root)


def _log_predictive(m: Tensor, q: Tensor, total: Tensor, n: int) -> Tensor:
    """log p(q | n known documents that sum to `total`), less a constant, where B is 1 and W is M.

    s has precision P = 1 + nM and mean a = P⁻¹ M total, so q ~ N(a, P⁻¹ + M⁻¹), whose precision
    is P (P + M)⁻¹ M. At n = 0 nothing is known.
    """
    before = torch.eye(len(m), dtype=m.dtype, device=m.device) + n * m
    roots = _cholesky(torch.stack((before, before + m)))
    gain, rest = torch.cholesky_solve(m, roots).unbind()
    error = q - total @ gain.mT  # (trials, dim)
    distance = ((error @ (before @ rest)) * error).sum(dim=-1)
    known, joint = _log_det(roots).unbind()
    return 0.5 * (known - joint - distance)  # (trials,)
