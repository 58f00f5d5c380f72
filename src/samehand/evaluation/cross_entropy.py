"""Empirical cross-entropy: what likelihood ratios leave unknown, at any prior odds.

Ramos and Gonzalez-Rodriguez, "Reliable support: measuring calibration of likelihood ratios",
Forensic Science International 230 (2013). All log likelihood ratios are natural logarithms.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

PRIORS = np.round(np.arange(-25, 26) / 10, 1)
"""log10 prior odds at which it is drawn."""


def empirical_cross_entropy(
    same: ArrayLike, log_lrs: ArrayLike, log10_prior_odds: ArrayLike = PRIORS
) -> Floats:
    """Bits that remain to be known of a trial, at each of the prior odds.

    At 1:1 it is Cllr. LRs of 1 leave the entropy of the prior; LRs that leave more mislead there.
    NaN where one kind of trial is missing.
    """
    is_same = np.asarray(same, dtype=bool).ravel()
    llr = np.asarray(log_lrs, dtype=np.float64).ravel()
    odds = np.atleast_1d(np.asarray(log10_prior_odds, dtype=np.float64)) * np.log(10)
    if is_same.all() or not is_same.any():
        return np.full(odds.size, np.nan)
    return np.array([_at(one, llr[is_same], llr[~is_same]) for one in odds.tolist()])


def _at(log_odds: float, same: Floats, different: Floats) -> float:
    prior = 1.0 / (1.0 + np.exp(-log_odds))
    cost_same = np.logaddexp2(0.0, -(same + log_odds) / np.log(2)).mean()
    cost_different = np.logaddexp2(0.0, (different + log_odds) / np.log(2)).mean()
    return float(prior * cost_same + (1.0 - prior) * cost_different)
