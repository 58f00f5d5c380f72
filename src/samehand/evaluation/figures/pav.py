"""PAV plot: likelihood ratios before and after optimal monotone calibration."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from samehand.evaluation.discrimination import tally
from samehand.evaluation.figures.palette import GUIDE, GUIDE_LINE, SAME
from samehand.evaluation.likelihood_ratio import pav_of


def pav_plot(ax: Axes, same: ArrayLike, log_lrs: ArrayLike) -> None:
    """Draw log10 LR after PAV over log10 LR as given (natural logs in).

    On the diagonal the LRs mean what they say; a flatter line is over-statement. LRs that PAV makes
    infinite are triangles on the upper and lower edge.
    """
    counted = tally(same, log_lrs)
    given, pooled = counted.score / np.log(10), pav_of(counted) / np.log(10)
    finite = np.isfinite(pooled)
    reach = 1.05 * max(1.0, np.abs(given).max(initial=0.0), np.abs(pooled[finite]).max(initial=0.0))
    ax.plot(
        [-reach, reach], [-reach, reach], color=GUIDE, linestyle=GUIDE_LINE, label="LR as given"
    )
    ax.plot(given[finite], pooled[finite], color=SAME, label="LR after PAV")
    for infinite, edge, mark in ((pooled == np.inf, reach, "^"), (pooled == -np.inf, -reach, "v")):
        if infinite.any():
            ax.scatter(
                given[infinite],
                np.full(np.count_nonzero(infinite), edge),
                marker=mark,
                color=SAME,
                s=22,
                clip_on=False,
                zorder=3,
                label="+∞ after PAV" if mark == "^" else "−∞ after PAV",
            )
    ax.axhline(0.0, color="0.85", linewidth=0.8, zorder=0)
    ax.axvline(0.0, color="0.85", linewidth=0.8, zorder=0)
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-reach, reach)
    ax.set_aspect("equal")
    ax.set_xlabel("log₁₀ LR as given")
    ax.set_ylabel("log₁₀ LR after PAV")
    ax.legend(loc="lower right", fontsize="small")
