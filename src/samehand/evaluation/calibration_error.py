"""Can a probability be taken at its word (eq. `eqn:calibration`)? Reliability, ECE and MCE."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Binning:
    """Which of the calibration errors called "ECE" is meant.

    `of`: "confidence" compares max(p, 1-p) with the accuracy of the decisions; "probability"
    compares p itself with the share of same-author trials. `spacing`: "equal" cuts [0, 1] into bins
    of equal width, closed on the right; "adaptive" makes bins of about equally many trials, equal
    values always together.
    """

    of: Literal["confidence", "probability"] = "confidence"
    spacing: Literal["equal", "adaptive"] = "equal"
    count: int = 10

    def __str__(self) -> str:
        where = "over [0, 1]" if self.spacing == "equal" else "of equal size"
        what = "confidence max(p, 1-p)" if self.of == "confidence" else "probability p(same author)"
        return f"{self.count} {self.spacing} bins {where} of the {what}"


PAPER_BINNING = Binning()
"""10 equal bins of the confidence: the ECE and MCE of the paper's table."""


@dataclass(frozen=True)
class Reliability:
    """The filled bins: their limits, their trials, and the means of promise and outcome in each."""

    lower: Floats
    upper: Floats
    count: NDArray[np.int64]
    predicted: Floats
    observed: Floats

    @property
    def gap(self) -> Floats:
        return np.abs(self.predicted - self.observed)

    @property
    def ece(self) -> float:
        """Expected calibration error: the mean gap, each bin weighted by its trials."""
        n = self.count.sum()
        return float(self.gap @ self.count / n) if n else float("nan")

    @property
    def mce(self) -> float:
        """Maximum calibration error: the largest gap of any filled bin."""
        return float(self.gap.max()) if self.gap.size else float("nan")


def confidence(probability: ArrayLike) -> Floats:
    """Probability of the decision taken, max(p, 1-p)."""
    p = np.asarray(probability, dtype=np.float64)
    return np.maximum(p, 1.0 - p)


def reliability(
    same: ArrayLike, probability: ArrayLike, binning: Binning = PAPER_BINNING
) -> Reliability:
    """Sort the trials into bins and compare, in each, what was promised with what came true.

    With equal bins non-responses (p = 0.5) are the only trials of the bin that ends at 0.5.
    """
    truth = np.asarray(same, dtype=bool).ravel()
    p = np.asarray(probability, dtype=np.float64).ravel()
    if binning.of == "confidence":
        predicted, observed = confidence(p), truth == (p > 0.5)
    else:
        predicted, observed = p, truth
    if binning.spacing == "equal":
        edges = np.linspace(0.0, 1.0, binning.count + 1)
        bins = np.digitize(predicted, edges[1:-1], right=True)
        lower, upper = edges[:-1], edges[1:]
    else:
        bins, lower, upper = _adaptive_bins(predicted, binning.count)
    count = np.bincount(bins, minlength=binning.count)
    filled = count > 0
    size = count[filled]
    return Reliability(
        lower[filled],
        upper[filled],
        size.astype(np.int64),
        np.bincount(bins, predicted, binning.count)[filled] / size,
        np.bincount(bins, observed, binning.count)[filled] / size,
    )


def _adaptive_bins(value: Floats, count: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Bin of each value by its mean rank, and the smallest and largest value of each bin."""
    _, inverse, repeats = np.unique(value, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(repeats) - (repeats + 1) / 2  # of each distinct value, from 0
    bins = np.floor(mean_rank * count / max(value.size, 1)).astype(np.int64)[inverse]
    lower, upper = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lower, bins, value)
    np.maximum.at(upper, bins, value)
    return bins, lower, upper


def ece(same: ArrayLike, probability: ArrayLike, binning: Binning = PAPER_BINNING) -> float:
    """Expected calibration error."""
    return reliability(same, probability, binning).ece


def mce(same: ArrayLike, probability: ArrayLike, binning: Binning = PAPER_BINNING) -> float:
    """Maximum calibration error."""
    return reliability(same, probability, binning).mce
