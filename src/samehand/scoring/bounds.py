"""The third stage of scoring: likelihood ratios are held to what a model's validation supports."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Natural-log LRs between which validation supports an answer."""

    low: float
    high: float

    @classmethod
    def of_log10(cls, log10: tuple[float, float]) -> "Bounds":
        """From log10 LRs, in which models state them."""
        low, high = log10
        return cls(low * math.log(10), high * math.log(10))

    def hold(self, log_lr: Floats) -> Floats:
        """Each LR, or the bound that it exceeds."""
        return log_lr.clip(self.low, self.high)

    @property
    def log10(self) -> tuple[float, float]:
        """The bounds as log10 LRs."""
        return self.low / math.log(10), self.high / math.log(10)


UNVALIDATED = Bounds.of_log10((-2.0, 2.0))
"""For a model that states none."""
WIDEST = Bounds.of_log10((-100.0, 100.0))
"""For what is no answer, such as the posterior of a component."""
