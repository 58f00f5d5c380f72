"""Trials as all networks of a model see them, and which of them had better not be answered."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.verdict import UNDECIDED_MARGIN

WEAK = 0.14
"""Evidence that lies within so much of 0.5 is too weak to answer by."""
REJECTED, UNSURE = 0.6, 0.16
"""So is evidence within so much of 0.5 where so many of the networks vote against an answer. Surer
answers of all together are right more often than each of them can know."""


class Considered(NamedTuple):
    """Trials as all networks see them."""

    probability: NDArray[np.float64]
    """(trials,)"""
    evidence: NDArray[np.float64]
    """(trials,) the probability as it would be if all wording were usual"""
    opinions: NDArray[np.float64]
    """(networks, trials) the probability by each alone"""
    votes: NDArray[np.float64]
    """(trials,) the share of networks that had rather not answer"""
    unfamiliar: NDArray[np.bool_]
    """(trials,) whether the texts are unlike any that the model was validated on"""
    strange: NDArray[np.bool_]
    """(trials,) whether they are unlike those that it was acquainted with"""

    @property
    def weak(self) -> NDArray[np.bool_]:
        """(trials,) where answers are wrong too often."""
        distance = np.abs(self.evidence - 0.5)
        weak: NDArray[np.bool_] = distance < WEAK
        return weak | ((self.votes >= REJECTED) & (distance < UNSURE))

    @property
    def rejected(self) -> NDArray[np.bool_]:
        """Which had better not be answered: (trials,)."""
        undecided = np.abs(self.probability - 0.5) < UNDECIDED_MARGIN
        rejected: NDArray[np.bool_] = self.weak | undecided | self.unfamiliar | self.strange
        return rejected
