"""Figures of a training: the kernel it learned, and the entropies epoch by epoch.

These are the paper's Figs. `fig:mapping` and `fig:loss`.
"""

import json
from pathlib import Path

from samehand.network.metric import ALPHA, GAMMA
from samehand.training.config import TrainingConfig


def draw_figures(run: Path, config: TrainingConfig) -> None:
    """Draw what this run has learned of both into its folder, where matplotlib is installed."""
    try:
        from samehand.evaluation.figures import entropy_curves, kernel_mapping, new_figure
    except ModuleNotFoundError:  # the numbers are in metrics.jsonl all the same
        return
    lines = (run / "metrics.jsonl").read_text("utf-8").splitlines()
    epochs = [json.loads(line) for line in lines]
    if config.network.learn_kernel:
        figure, (ax,) = new_figure()
        learned = epochs[-1]["kernel"]
        kernel_mapping(ax, (GAMMA, ALPHA), (learned["gamma"], learned["alpha"]))
        figure.savefig(run / "kernel.png", dpi=150)
    if config.scoring.batch_pairs:
        figure, (ax,) = new_figure()
        within, between = ([e["entropy"][kind] for e in epochs] for kind in ("within", "between"))
        entropy_curves(ax, within, between)
        figure.savefig(run / "entropies.png", dpi=150)
