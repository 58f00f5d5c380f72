"""DET curve: the two error rates against each other, on axes that make Gaussian scores straight."""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from samehand.evaluation.discrimination import eer_of, roc, tally
from samehand.evaluation.figures.palette import GUIDE, GUIDE_LINE

_TICKS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95)
_LINES = (("#0072b2", "-"), ("#e69f00", (0, (5, 1.5))), ("#009e73", (0, (1, 1))),
          ("#d55e00", (0, (6, 1, 1, 1))), ("#000000", (0, (3, 1, 1, 1, 1, 1))))  # fmt: skip


def det_curve(ax: Axes, same: ArrayLike, score: ArrayLike, name: str = "") -> None:
    """Draw the curve of one system; call again on the same axis to add another."""
    from scipy.special import ndtri

    counted = tally(same, score)
    if not counted.has_both_kinds:
        ax.text(0.5, 0.5, "needs trials of both kinds", transform=ax.transAxes, ha="center")
        return
    false_positive, false_negative = roc(counted)
    drawn = len(ax.get_lines()) // 2
    colour, line = _LINES[drawn % len(_LINES)]
    label = f"{name + ': ' if name else ''}EER {eer_of(counted):.1%}"
    low, high = ndtri(_TICKS[0]), ndtri(_TICKS[-1])
    far = 8.0  # stands for the infinite deviates of rates 0 and 1
    x, y = (np.clip(ndtri(rate), -far, far) for rate in (false_positive, false_negative))
    ax.plot(x, y, color=colour, linestyle=line, label=label)
    ax.plot([low, high], [low, high], color=GUIDE, linestyle=GUIDE_LINE, linewidth=0.8)
    labels = [f"{100 * tick:g}" for tick in _TICKS]
    ax.set_xticks(ndtri(_TICKS), labels)
    ax.set_yticks(ndtri(_TICKS), labels)
    ax.grid(color="0.9")
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.set_aspect("equal")
    ax.set_xlabel("different authors taken for one (%)")
    ax.set_ylabel("one author taken for two (%)")
    ax.legend(loc="upper right", fontsize="small")
