"""Posterior histogram of one subset (the paper's Figs. `fig:cal_his_all` and `fig:cal_his_ual`)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter
from numpy.typing import ArrayLike

from samehand.evaluation.calibration_error import confidence
from samehand.evaluation.figures.palette import DIFFERENT, GUIDE, GUIDE_LINE, SAME


def posterior_histogram(
    ax: Axes, same: ArrayLike, probability: ArrayLike, title: str = "", bins: int = 20
) -> None:
    """Draw the posteriors of the trials, wrong decisions hatched, with accuracy and confidence.

    Meant for a subset of one kind (SA_DF, …). Non-responses are stated, not drawn.
    """
    truth = np.asarray(same, dtype=bool)
    p = np.asarray(probability, dtype=np.float64)
    answered = p != 0.5
    truth, p = truth[answered], p[answered]
    right = truth == (p > 0.5)
    weight = np.full(p.size, 1.0 / max(answered.size, 1))
    ax.hist(
        [p[right], p[~right]],
        bins=np.linspace(0.0, 1.0, bins + 1).tolist(),
        weights=[weight[right], weight[~right]],
        stacked=True,
        color=[SAME, DIFFERENT],
        hatch=["", "////"],
        edgecolor="white",
        linewidth=0.6,
        label=["right", "wrong"],
    )
    ax.axvline(0.5, color=GUIDE, linestyle=GUIDE_LINE)
    ax.set_xlim(0.0, 1.0)
    ax.margins(y=0.3)  # room for the text
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    ax.set_xlabel("p(same author)")
    ax.set_ylabel("share of trials")
    ax.set_title(title, fontsize="medium")
    mostly_same = 2 * np.count_nonzero(truth) > truth.size
    ax.legend(loc="upper left" if mostly_same else "upper right", fontsize="small", frameon=False)
    said = [f"{answered.size:,} trials"]
    if p.size:
        said += [f"accuracy {right.mean():.3f}", f"confidence {confidence(p).mean():.3f}"]
    if p.size < answered.size:
        said.append(f"{answered.size - p.size:,} non-responses")
    ax.text(0.5, 0.96, "\n".join(said), ha="center", va="top", fontsize="small",
            transform=ax.transAxes, bbox={"facecolor": "white", "edgecolor": "0.8"})  # fmt: skip
