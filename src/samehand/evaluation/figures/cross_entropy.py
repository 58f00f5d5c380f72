"""Empirical cross-entropy of likelihood ratios as given, and after optimal calibration."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from samehand.evaluation.cross_entropy import PRIORS, empirical_cross_entropy
from samehand.evaluation.figures.palette import (
    DIFFERENT,
    DIFFERENT_LINE,
    GUIDE,
    GUIDE_LINE,
    SAME,
    SAME_LINE,
)
from samehand.evaluation.likelihood_ratio import pav


def cross_entropy_plot(ax: Axes, same: ArrayLike, log_lrs: ArrayLike) -> None:
    """Draw what LRs leave unknown, in bits, over log10 prior odds (natural logs in).

    Above the dotted line, that of LRs of 1, they mislead; the gap to the dashed line, that of LRs
    after PAV, is what calibration could mend.
    """
    given = np.asarray(log_lrs, dtype=np.float64)
    for name, llr, colour, line in (
        ("LR = 1", np.zeros(given.size), GUIDE, GUIDE_LINE),
        ("LR as given", given, SAME, SAME_LINE),
        ("LR after PAV", pav(same, given), DIFFERENT, DIFFERENT_LINE),
    ):
        bits = empirical_cross_entropy(same, llr)
        ax.plot(PRIORS, bits, color=colour, linestyle=line, label=name)
    ax.set_ylim(0.0, None)
    ax.set_xlabel("log₁₀ prior odds")
    ax.set_ylabel("empirical cross-entropy, bits")
    ax.legend(loc="upper right", fontsize="small")
