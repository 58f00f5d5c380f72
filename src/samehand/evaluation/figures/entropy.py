"""Entropy of the two covariances during training (the paper's Fig. `fig:loss`)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from samehand.evaluation.figures.palette import DIFFERENT, DIFFERENT_LINE, SAME


def entropy_curves(ax: Axes, within: ArrayLike, between: ArrayLike) -> None:
    """Draw the Gaussian entropies (in nats) within an author and between authors, one per epoch."""
    for values, name, colour, line, mark in (
        (between, "between authors, ½ log |2πe B⁻¹|", SAME, "-", "o"),
        (within, "within an author, ½ log |2πe W⁻¹|", DIFFERENT, DIFFERENT_LINE, "s"),
    ):
        curve = np.asarray(values, dtype=np.float64).ravel()
        epochs = np.arange(1, curve.size + 1)
        ax.plot(epochs, curve, color=colour, linestyle=line, marker=mark, markersize=3, label=name)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("epoch")
    ax.set_ylabel("entropy (nats)")
    ax.legend(loc="best", fontsize="small")
