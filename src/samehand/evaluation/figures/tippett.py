"""Tippett plot: how often the likelihood ratio exceeds a value, for either kind of trial."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from samehand.evaluation.figures.palette import (
    DIFFERENT,
    DIFFERENT_LINE,
    GUIDE,
    GUIDE_LINE,
    SAME,
    SAME_LINE,
)


def tippett_plot(ax: Axes, same: ArrayLike, log_lrs: ArrayLike) -> None:
    """Draw the share of trials whose LR is at least the one on the axis (log10 of natural logs in).

    The legend states how many trials of each kind point the wrong way.
    """
    truth = np.asarray(same, dtype=bool).ravel()
    log10_lr = np.asarray(log_lrs, dtype=np.float64).ravel() / np.log(10)
    for kind, misleading, name, colour, line in (
        (truth, log10_lr < 0, "same author, LR < 1", SAME, SAME_LINE),
        (~truth, log10_lr > 0, "different authors, LR > 1", DIFFERENT, DIFFERENT_LINE),
    ):
        values = np.sort(log10_lr[kind])
        if values.size == 0:
            continue
        reached = np.arange(values.size, 0, -1) / values.size
        label = f"{name}: {misleading[kind].mean():.1%}"
        x = np.r_[log10_lr.min(), values, values[-1], log10_lr.max()]
        y = np.r_[1.0, reached, 0.0, 0.0]
        ax.step(x, y, where="pre", color=colour, linestyle=line, label=label)
    ax.axvline(0.0, color=GUIDE, linestyle=GUIDE_LINE)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("log₁₀ LR")
    ax.set_ylabel("share of trials with at least this LR")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.18), fontsize="small", frameon=False)
