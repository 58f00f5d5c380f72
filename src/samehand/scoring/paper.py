"""Evidence as the paper has it: the network's own Bayes factor (BFS) and adaptation (UAL).

LEVs are reduced, compared by the two-covariance model (eq. `scorefinal`), and the posterior is
corrected by a confusion matrix for each trial (eq. `UAL`). The posterior that metric learning
(DML) itself has, of which neither makes use, is there to be compared with them. `network/` has all
three with gradients.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors
from samehand.errors import InputError
from samehand.model.config import Activation
from samehand.model.folder import StoredNetwork
from samehand.scoring.distance import Trials

Floats = NDArray[np.float64]
Component = Literal["dml", "bfs", "ual"]
"""Whose posterior is meant: that of metric learning, the Bayes factor, or the adaptation."""

WORST_CONDITION = 1e10
"""Condition of the root of B + W, its columns scaled, beyond which scores lose digits that count.
Either of B and W may be far worse conditioned than that."""
_NEAREST = 1e-8
"""Added to squared distances, as in training."""
_FARTHEST = 700.0
"""Logarithms beyond this have no exponential that is a number."""


class TwoCovariance(NamedTuple):
    """The two-covariance model along directions in which B and W are diagonal and B + W is 1."""

    mean: Floats | None
    """(size,) μ around which all authors scatter; none where it is unknown and integrated out"""
    by_between: Floats
    """(size, size) to √B times the coordinates"""
    by_within: Floats
    """(size, size) to W times the coordinates"""
    between: Floats
    """(size,) B"""
    within: Floats
    """(size,) W"""
    log_det_between: float
    """log |B|, which counts where single directions of B are too small to be told beside W"""

    @classmethod
    def of(cls, between: Floats, within: Floats, mean: Floats | None) -> "TwoCovariance":
        """From the lower triangular factors of the precisions B and W.

        Neither is inverted or multiplied out, so either may be ill-conditioned. Both together may
        not: they raise `InputError` where B + W is nearly singular.
        """
        q, root = np.linalg.qr(np.concatenate([between.T, within.T]))
        _check_condition(root)
        of_between, of_within = np.split(q, 2)
        turned_between, lengths, axes = np.linalg.svd(of_between)
        turned_within = of_within @ axes.T
        ratios = np.diagonal(between) / np.diagonal(root)
        return cls(
            mean,
            between @ turned_between,
            within @ turned_within,
            np.square(lengths),
            np.square(turned_within).sum(0),
            float(2.0 * np.log(np.abs(ratios)).sum()),
        )

    def log_lr(self, questioned: Floats, known: Floats, n: NDArray[np.int64]) -> Floats:
        """Log LRs (trials,) of texts (trials, size) and means (trials, size) of n known texts."""
        apart = np.square((questioned - known) @ self.by_within)
        count = n[:, None].astype(np.float64)
        b, w = self.between, self.within
        if self.mean is None:
            # Differences are N(0, c / W) under H1 and N(0, c / W + 2 / B) under H0.
            c = 1.0 + 1.0 / count
            ratio = b + 2.0 * w / c
            gained = -apart / (np.square(c) * ratio)
        else:
            q, k = ((side - self.mean) @ self.by_between for side in (questioned, known))
            fewer = b + count * w
            ratio = fewer / (1.0 + count * w)
            agreement = q * k - 0.5 * (count - 1.0) * w / fewer * np.square(k)
            gained = count * w / (1.0 + count * w) * (w * agreement - 0.5 * apart)
        log_det_ratio = np.log(ratio).sum(1) - self.log_det_between
        summed: Floats = gained.sum(1) + 0.5 * log_det_ratio
        return summed


def _check_condition(root: Floats) -> None:
    """Raise where B + W, whose upper triangular root this is, is singular but for rounding."""
    scaled = root / np.linalg.norm(root, axis=0)
    if not np.linalg.cond(scaled) < WORST_CONDITION:
        raise InputError(
            "The Bayes factor's covariances are nearly singular: its scores would be wrong; "
            "train the model again, with a lower learning rate."
        )


class Kernel(NamedTuple):
    """The map from the squared distance d of two LEVs to p(H1) = exp(−γ d^α) (eq. `DMLl`)."""

    log_gamma: float
    log_alpha: float

    def log_odds(self, difference: Floats) -> Floats:
        """Log odds (trials,) of H1 by differences of LEVs (trials, lev)."""
        d = np.square(difference).sum(1) + _NEAREST
        log_cost = self.log_gamma + np.exp(self.log_alpha) * np.log(d)
        log_p = -np.exp(log_cost.clip(-_FARTHEST, _FARTHEST))
        odds: Floats = log_p - np.log(-np.expm1(log_p))
        return odds


class Adaptation(NamedTuple):
    """The layers that make a confusion matrix of a trial's squared difference."""

    hidden: Floats
    hidden_bias: Floats
    confusion: Floats
    confusion_bias: Floats

    def log_confusion(self, difference: Floats) -> Floats:
        """log p(H_j | Ĥ_i) at [:, j, i] of differences (trials, lev)."""
        y = np.tanh(np.square(difference) @ self.hidden.T + self.hidden_bias)
        raw = (y @ self.confusion.T + self.confusion_bias).reshape(-1, 2, 2)
        normalised: Floats = raw - np.logaddexp(raw[:, :1], raw[:, 1:])
        return normalised

    def log_odds(self, log_lr: Floats, difference: Floats) -> Floats:
        """Log odds (trials,) of the corrected posteriors of log LRs (trials,) at odds of 1:1."""
        confusion = self.log_confusion(difference)
        beside = np.stack([-np.logaddexp(0, log_lr), -np.logaddexp(0, -log_lr)], 1)
        joint = confusion + beside[:, None]  # (trials, j, i)
        posterior = np.logaddexp(joint[:, :, 0], joint[:, :, 1])
        odds: Floats = posterior[:, 1] - posterior[:, 0]
        return odds


class PaperEvidence(NamedTuple):
    """The kernel, the Bayes factor and the adaptation of one network."""

    kernel: Kernel
    reduction: Floats
    reduction_bias: Floats
    activation: Activation
    model: TwoCovariance
    adaptation: Adaptation

    @classmethod
    def of(cls, network: StoredNetwork) -> "PaperEvidence":
        """The evidence of a network that was trained with Bayes factor and adaptation."""
        config = network.config

        def get(name: str) -> Floats:
            return network.tensors[f"scoring.{name}"].astype(np.float64)

        kernel = Kernel(*(float(network.tensors[f"metric.{name}"]) for name in Kernel._fields))

        def factor(name: str) -> Floats:
            stored = get(f"bayes.covariances.{name}")
            lower: Floats = np.tril(stored, -1) + np.diag(np.exp(np.diag(stored)))
            return lower

        mean = get("bayes.covariances.mean") if config.bfs_domain == "known" else None
        layers = (
            f"adaptation.{layer}.{part}"
            for layer in ("hidden", "confusion")
            for part in ("weight", "bias")
        )
        return cls(
            kernel,
            get("bayes.reduction.weight"),
            get("bayes.reduction.bias"),
            config.bfs_activation,
            TwoCovariance.of(factor("between"), factor("within"), mean),
            Adaptation(*map(get, layers)),
        )

    def log_odds(
        self, vectors: TextVectors, trials: Trials, component: Component = "ual"
    ) -> Floats:
        """Log odds (trials,) of one author by a component, at odds of 1:1 before."""
        levs = vectors.style.astype(np.float64)
        difference = levs[trials.questioned] - _mean_of_known(levs, trials)
        if component == "dml":
            return self.kernel.log_odds(difference)
        bfs = self._log_lr(levs, trials)
        return bfs if component == "bfs" else self.adaptation.log_odds(bfs, difference)

    def _log_lr(self, levs: Floats, trials: Trials) -> Floats:
        """Log LRs (trials,) by the Bayes factor alone."""
        reduced = _activated(levs @ self.reduction.T + self.reduction_bias, self.activation)
        known = _mean_of_known(reduced, trials)
        return self.model.log_lr(reduced[trials.questioned], known, (trials.known >= 0).sum(1))


def _mean_of_known(of_texts: Floats, trials: Trials) -> Floats:
    """The mean (trials, size) of each trial's known texts."""
    mask = trials.known >= 0
    known = of_texts[trials.known] * mask[:, :, None]
    mean: Floats = known.sum(1) / mask.sum(1)[:, None]
    return mean


def _activated(values: Floats, activation: Activation) -> Floats:
    bent: Floats = values
    if activation == "tanh":
        bent = np.tanh(values)
    elif activation == "swish":
        bent = values * (0.5 * (1.0 + np.tanh(0.5 * values)))
    return bent
