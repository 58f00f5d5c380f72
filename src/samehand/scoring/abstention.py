"""The last stage of scoring: a likelihood ratio near 1 decides nothing.

This is the only rule on numbers. A model that does not know says so by an LR near 1: texts unlike
all that it has met are scored as a genre it has not met, whose LRs are small.
"""

import math

import numpy as np
from numpy.typing import NDArray

LEAST = math.log(1.5)
"""Natural-log LRs nearer to 0 than this support neither side."""


def is_undecided(log_lr: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which LRs (trials,) are too near to 1 to decide anything."""
    undecided: NDArray[np.bool_] = np.abs(log_lr) < LEAST
    return undecided
