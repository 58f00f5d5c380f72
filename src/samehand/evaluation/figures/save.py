"""Draw into files, without a display and without pyplot's global state."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.evaluation.calibration_error import PAPER_BINNING, Binning
from samehand.evaluation.figures.cross_entropy import cross_entropy_plot
from samehand.evaluation.figures.det import det_curve
from samehand.evaluation.figures.histogram import posterior_histogram
from samehand.evaluation.figures.pav import pav_plot
from samehand.evaluation.figures.reliability import reliability_diagram
from samehand.evaluation.figures.tippett import tippett_plot
from samehand.evaluation.likelihood_ratio import log_lr
from samehand.evaluation.strata import Strata, subsets
from samehand.io.atomic import whole_file


def new_figure(columns: int = 1, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """An empty figure with a grid of axes, row by row."""
    figure = Figure(figsize=(4.6 * columns, 3.6 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, list(axes.flat)


def save_figures(
    folder: Path,
    same: NDArray[np.bool_],
    probability: NDArray[np.float64],
    *,
    strata: Strata | None = None,
    binning: Binning = PAPER_BINNING,
) -> list[Path]:
    """Draw the figures of one system into `folder`."""
    llr = log_lr(probability)
    single: dict[str, Callable[[Axes], None]] = {
        "reliability": lambda ax: reliability_diagram(ax, same, probability, binning),
        "tippett": lambda ax: tippett_plot(ax, same, llr),
        "pav": lambda ax: pav_plot(ax, same, llr),
        "cross-entropy": lambda ax: cross_entropy_plot(ax, same, llr),
        "det": lambda ax: det_curve(ax, same, probability),
    }
    figures = {"histograms": _histograms(same, probability, strata)}
    for name, draw in single.items():
        figures[name], (ax,) = new_figure()
        draw(ax)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise InputError(f"{folder}: this is a file; name a folder for the figures.") from error
    paths = []
    for name, figure in figures.items():
        paths.append(folder / f"{name}.png")
        with whole_file(paths[-1]) as file:
            figure.savefig(file, format="png", dpi=150)
    return paths


def _histograms(
    same: NDArray[np.bool_], probability: NDArray[np.float64], strata: Strata | None
) -> Figure:
    masks = subsets(same, None if strata is None else strata.topic_shared)
    figure, axes = new_figure(2, (len(masks) + 1) // 2)
    for ax, (name, mask) in zip(axes, masks.items(), strict=False):
        posterior_histogram(ax, same[mask], probability[mask], name)
    for ax in axes[len(masks) :]:
        ax.set_visible(False)
    return figure
