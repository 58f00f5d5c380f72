"""Reliability diagram (the paper's Fig. `fig:rel2021`)."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.ticker import LogLocator, NullLocator
from numpy.typing import ArrayLike, NDArray

from samehand.evaluation.calibration_error import PAPER_BINNING, Binning, reliability
from samehand.evaluation.figures.palette import GUIDE, GUIDE_LINE

_SHADES = ListedColormap(
    np.linspace((0.86, 0.92, 0.97), (0.0, 0.22, 0.42), 256).tolist(), name="trials"
)


def reliability_diagram(
    ax: Axes, same: ArrayLike, probability: ArrayLike, binning: Binning = PAPER_BINNING
) -> None:
    """Draw what came true in each bin as a bar, darker with more trials, and the promise as a mark.

    A mark above its bar is over-confidence, one inside it under-confidence. Trials answered 0.5
    exactly are a bar of their own, left of the rest.
    """
    bins = reliability(same, probability, binning)
    shade = ScalarMappable(_decades(bins.count), _SHADES)
    ax.bar(
        bins.lower,
        bins.observed,
        np.maximum(bins.upper - bins.lower, 0.005),
        align="edge",
        color=shade.to_rgba(bins.count),
        edgecolor="white",
        linewidth=0.8,
    )
    ax.plot([0, 1], [0, 1], color=GUIDE, linestyle=GUIDE_LINE, label="perfect")
    centre = (bins.lower + bins.upper) / 2
    promise = bins.predicted
    ax.scatter(centre, promise, s=420, color="white", marker="_", linewidth=4.5, zorder=3)
    ax.scatter(
        centre,
        promise,
        s=320,
        color="#d55e00",
        marker="_",
        linewidth=2.4,
        zorder=4,
        label="promised",
    )
    of_decision = binning.of == "confidence"
    left = min(0.5, float(bins.lower.min(initial=0.5))) if of_decision else 0.0
    if of_decision and bins.upper.size and np.isclose(bins.upper[0], 0.5):
        ax.text(centre[0], 0.02, "p = 0.5", rotation=90, ha="center", va="bottom", fontsize="small",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})  # fmt: skip
    ax.set_xlim(left, 1.0)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("confidence max(p, 1 − p)" if of_decision else "p(same author)")
    ax.set_ylabel("accuracy" if of_decision else "share of same-author trials")
    ax.set_title(f"ECE {bins.ece:.3f}   MCE {bins.mce:.3f}", fontsize="medium")
    ax.legend(loc="upper left", fontsize="small", framealpha=0.9)
    bar = ax.figure.colorbar(shade, ax=ax, label="trials in the bin")
    bar.ax.yaxis.set_major_locator(LogLocator(10))
    bar.ax.yaxis.set_minor_locator(NullLocator())


def _decades(count: NDArray[np.int64]) -> LogNorm:
    """Shades from the power of ten below the fewest trials to the one above the most."""
    fewest, most = (count.min(), count.max()) if count.size else (1, 1)
    lightest = np.floor(np.log10(fewest))
    return LogNorm(10.0**lightest, 10.0 ** max(lightest + 1, np.ceil(np.log10(most))))
