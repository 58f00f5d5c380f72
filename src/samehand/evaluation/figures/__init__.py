"""Figures as free functions on a matplotlib axis, for print in grey and for every kind of eye."""

from samehand.evaluation.figures.cross_entropy import cross_entropy_plot
from samehand.evaluation.figures.det import det_curve
from samehand.evaluation.figures.entropy import entropy_curves
from samehand.evaluation.figures.histogram import posterior_histogram
from samehand.evaluation.figures.kernel import kernel_mapping
from samehand.evaluation.figures.pav import pav_plot
from samehand.evaluation.figures.reliability import reliability_diagram
from samehand.evaluation.figures.save import new_figure, save_figures
from samehand.evaluation.figures.tippett import tippett_plot

__all__ = [
    "cross_entropy_plot",
    "det_curve",
    "entropy_curves",
    "kernel_mapping",
    "new_figure",
    "pav_plot",
    "posterior_histogram",
    "reliability_diagram",
    "save_figures",
    "tippett_plot",
]
