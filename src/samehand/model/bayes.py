"""Bayes factor scoring (BFS): the log-likelihood ratio of "one author" against "two authors".

A LEV is y = s + n, with s ~ N(μ, B⁻¹) the author's style and n ~ N(0, W⁻¹) the document's noise.
B and W are precisions.

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
from torch.nn import functional

Activation = Literal["swish", "tanh", "none"]
Domain = Literal["known", "unknown"]

WITHIN_START, BETWEEN_START = 1.02, 0.98
LINEAR_ZONE: dict[Activation, tuple[float, float]] = {
    "swish": (4.0, 0.5),
    "tanh": (0.0, 0.3),
    "none": (0.0, 1.0),
}
"""Mean and deviation of its input at which each activation is nearly linear."""


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

    def _ratios(self) -> tuple[Tensor, Tensor]:
        """L_B, and M = L_B⁻¹ W L_B⁻ᵀ: what W is in coordinates v = L_Bᵀ y, where B is 1.

        M holds ratios of between- to within-author variance, whatever the scale of the LEVs.
        Double, wherever a device has it: the variances of saturated LEVs span many orders.
        """
        precise = torch.float32 if self.mean.device.type == "mps" else torch.float64
        b, w = (factor.to(precise) for factor in self.factors())
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
            there = known.new_ones(known.shape[:2]).bool() if mask is None else mask.bool()
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
        n = known.shape[1]
        project, most = self.log_lr_as_distance(max(1, n))
        if mask is None and n:
            # As in training. To ask a GPU which trials have how many would be to wait for all its
            # work.
            difference = questioned.to(project) - known.to(project).mean(dim=1)
            return most - (difference @ project).square().sum(dim=-1)
        there = known.new_ones(known.shape[:2]).bool() if mask is None else mask.bool()
        count = there.sum(dim=1)  # (trials,)
        total = known.to(project).masked_fill(~there.unsqueeze(-1), 0.0).sum(dim=1)
        difference = questioned.to(project) - total / count.clamp(min=1).unsqueeze(-1)
        score = torch.zeros_like(difference[:, 0])
        for n in torch.unique(count[count > 0]).tolist():
            rows = (count == n).nonzero().squeeze(-1)
            project, most = self.log_lr_as_distance(n)
            distance = (difference[rows] @ project).square().sum(dim=-1)
            score = score.index_add(0, rows, most - distance)
        return score


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
        if activation not in LINEAR_ZONE:
            raise ValueError(f"activation is 'swish', 'tanh' or 'none', not {activation!r}")
        if size > lev:
            raise ValueError(f"a reduction of {lev} features cannot have {size}")
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
