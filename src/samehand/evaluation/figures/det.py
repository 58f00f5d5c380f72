"""DET curve: the two error rates against each other, on axes that make Gaussian scores straight."""

from statistics import NormalDist

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from samehand.evaluation.discrimination import eer_of, roc, tally
from samehand.evaluation.figures.palette import GUIDE, GUIDE_LINE

_TICKS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95)
_FAR = 1e-15
"""Rates are kept this far from 0 and 1, whose deviates are infinite."""
_LINES = (("#0072b2", "-"), ("#e69f00", (0, (5, 1.5))), ("#009e73", (0, (1, 1))),
          ("#d55e00", (0, (6, 1, 1, 1))), ("#000000", (0, (3, 1, 1, 1, 1, 1))))  # fmt: skip


def det_curve(ax: Axes, same: ArrayLike, score: ArrayLike, name: str = "") -> None:
    """Draw the curve of one system; call again on the same axis to add another."""
    counted = tally(same, score)
    if not counted.has_both_kinds:
        ax.text(0.5, 0.5, "needs trials of both kinds", transform=ax.transAxes, ha="center")
        return
    false_positive, false_negative = roc(counted)
    drawn = len(ax.get_lines()) // 2
    colour, line = _LINES[drawn % len(_LINES)]
    label = f"{name + ': ' if name else ''}EER {eer_of(counted):.1%}"
    ticks = _deviates(_TICKS)
    low, high = ticks[0], ticks[-1]
    x, y = _deviates(false_positive), _deviates(false_negative)
    ax.plot(x, y, color=colour, linestyle=line, label=label)
    ax.plot([low, high], [low, high], color=GUIDE, linestyle=GUIDE_LINE, linewidth=0.8)
    labels = [f"{100 * tick:g}" for tick in _TICKS]
    ax.set_xticks(ticks, labels)
    ax.set_yticks(ticks, labels)
    ax.grid(color="0.9")
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")
    ax.set_xlabel("different authors taken for one (%)")
    ax.set_ylabel("one author taken for two (%)")
    ax.legend(loc="upper right", fontsize="small")


def _deviates(rates: ArrayLike) -> NDArray[np.float64]:
    """Standard normal deviates of rates."""
    inverse = NormalDist().inv_cdf
    kept = np.clip(np.asarray(rates, np.float64), _FAR, 1 - _FAR)
    return np.fromiter(map(inverse, kept.tolist()), np.float64, kept.size)
