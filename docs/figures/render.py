"""Render the figures of the documentation: from simulated answers, and those of the paper's model.

Run from anywhere: python docs/figures/render.py
"""

from io import BytesIO
from pathlib import Path

import numpy as np
import overview
from PIL import Image
from typer.testing import CliRunner

from samehand.cli.main import app
from samehand.evaluation import figures, log_lr
from samehand.evaluation.strata import Strata, subsets

HERE = Path(__file__).parent
ESSAY = HERE.parents[1] / "examples" / "essays" / "anna-1.txt"
DPI = 90


def simulate(rng, n=3000, overstated=1.0):
    """Answers whose log LRs are Gaussian, hence well calibrated before they are overstated."""
    same = rng.random(n) < 0.5
    topic_shared = (rng.random(n) < 0.5).astype(np.int8)
    easy = np.where(same == (topic_shared == 1), 7.0, 3.5)  # topics mislead the other half
    sign = np.where(same, 1.0, -1.0)
    llr = rng.normal(sign * easy / 2, np.sqrt(easy)) * overstated
    probability = 1 / (1 + np.exp(-llr))
    undecided = (np.abs(probability - 0.5) < 0.1) & (rng.random(n) < 0.4)
    return same, np.where(undecided, 0.5, probability), Strata(topic_shared, np.full(n, 500))


def save(figure, name):
    """As a PNG of few colours, a third of the size."""
    drawn = BytesIO()
    figure.savefig(drawn, dpi=DPI)
    few = Image.open(drawn).convert("RGB").quantize(96, dither=Image.Dither.NONE)
    few.save(HERE / f"{name}.png", optimize=True)


def draw_units():
    """Units of an essay, by the command that users have."""
    command = ["model", "units", str(ESSAY), "-o", str(HERE / "units.svg")]
    CliRunner().invoke(app, command, catch_exceptions=False)


def main():
    overview.PLACE.write_text(overview.drawing() + "\n", "utf-8")
    draw_units()
    rng = np.random.default_rng(2021)
    same, good, strata = simulate(rng)
    same_bad, bad, _ = simulate(rng, overstated=2.2)

    figure, axes = figures.new_figure(2)
    figures.reliability_diagram(axes[0], same_bad, bad)
    figures.reliability_diagram(axes[1], same, good)
    save(figure, "reliability")

    figure, axes = figures.new_figure(2, 2)
    for ax, (name, mask) in zip(axes, subsets(same, strata.topic_shared).items(), strict=True):
        figures.posterior_histogram(ax, same[mask], good[mask], name)
    save(figure, "histograms")

    figure, (ax,) = figures.new_figure()
    figures.kernel_mapping(ax, (0.09, 1.5), (0.02, 2.4))
    save(figure, "kernel")

    figure, (ax,) = figures.new_figure()
    epoch = np.arange(35)
    noise = rng.normal(0, 0.25, (2, 35))
    figures.entropy_curves(ax, 57 - 14 * (1 - np.exp(-epoch / 8)) + noise[0],
                           57 + 9 * (1 - np.exp(-epoch / 8)) + noise[1])  # fmt: skip
    save(figure, "entropy")

    figure, (ax,) = figures.new_figure()
    figures.tippett_plot(ax, same, log_lr(good))
    save(figure, "tippett")

    figure, axes = figures.new_figure(2)
    figures.pav_plot(axes[0], same_bad, log_lr(bad))
    figures.pav_plot(axes[1], same, log_lr(good))
    save(figure, "pav")

    figure, axes = figures.new_figure(2)
    figures.cross_entropy_plot(axes[0], same_bad, log_lr(bad))
    figures.cross_entropy_plot(axes[1], same, log_lr(good))
    save(figure, "cross-entropy")

    figure, (ax,) = figures.new_figure()
    figures.det_curve(ax, same, good, "system A")
    figures.det_curve(ax, same, good + rng.normal(0, 0.35, good.size), "system B")
    save(figure, "det")


if __name__ == "__main__":
    main()
