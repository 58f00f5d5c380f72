"""How far a likelihood ratio could move if more were known of the genre, or by other networks.

How alike texts are in a genre is not known exactly: better of a known genre, little of a new one.
Evidence averages over what it may be, by points that stand for the effects of genres. Here it is
said how wide that is. Each point has a log LR of its own, log p(s | same) − log p(s | different),
and a weight: that of its genre and point, times p(s | same) + p(s | different), for the trial
itself says something of its genre. At even odds the probability by the LR is the mean of the
points' probabilities with these weights. The interval is

    mean ± 1.645 standard deviations of the points' log LRs,

the middle 90 % were they normal. `benchmarks/interval.py` counts how often the LR by a genre's own
effects lies inside, for genres that were left out.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.scoring.distance import Compared
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.numerics import log_sum_exp

Floats = NDArray[np.float64]

_REACH = 1.645
"""Standard deviations that hold the middle 90 % of a normal distribution."""
_TOLD = 0.05
"""Probability of a genre, below which it is not told."""
NEW, TWO = "a new genre", "two genres"
"""Names of a trial's genre where it is none of the known ones."""


GenreShare = tuple[str, float]
"""A genre, and the probability that texts are of it."""


class Uncertainty(NamedTuple):
    """The uncertainty of the LRs of trials; natural logarithms, held to the bounds."""

    by_network: Floats
    """(networks, trials) by the distances of each network alone"""
    interval: Floats | None = None
    """(2, trials) lower and upper ends; none where evidence does not know genres"""
    genres: tuple[str, ...] = ()
    """Names of the genres that the texts may be of"""
    shares: Floats | None = None
    """(trials, genres) how likely each of them is"""

    def log10_interval_of(self, trial: int) -> tuple[float, float] | None:
        """The interval of a trial, as log10 LRs."""
        if self.interval is None:
            return None
        low, high = (self.interval[:, trial] / np.log(10)).tolist()
        return low, high

    def genres_of(self, trial: int) -> tuple[GenreShare, ...]:
        """The likely genres of a trial, the likeliest first."""
        shares = [] if self.shares is None else self.shares[trial].tolist()
        told = [each for each in zip(self.genres, shares, strict=True) if each[1] >= _TOLD]
        return tuple(sorted(told, key=lambda each: -each[1]))


def interval(evidence: GenreEvidence, compared: Compared, log_lr: Floats) -> Floats:
    """Ends (2, trials) of the interval around `log_lr`, which is never outside."""
    points = evidence.points
    low, high = evidence.supported(compared)
    similarity = compared.similarity.clip(low, high)[:, None]
    different, same = evidence.log_densities(compared, similarity, points.effects)
    weight = evidence.log_weights(compared) + np.logaddexp(different, same)[:, 0]
    share = np.exp(weight - log_sum_exp(weight, 1)[:, None])
    of_point = (same - different)[:, 0]
    mean = (share * of_point).sum(1)
    deviation = np.sqrt((share * np.square(of_point - mean[:, None])).sum(1))
    ends = mean - _REACH * deviation, mean + _REACH * deviation
    return np.stack([np.minimum(ends[0], log_lr), np.maximum(ends[1], log_lr)])


def genre_shares(evidence: GenreEvidence, compared: Compared) -> tuple[tuple[str, ...], Floats]:
    """Names of genres, and shares (trials, genres); none where a case has a genre of its own."""
    if evidence.of_case is not None:
        return (), np.zeros((len(compared.similarity), 0))
    names = (*evidence.genres.names, TWO, NEW)
    return names, np.exp(evidence.genres.log_shares(compared))
