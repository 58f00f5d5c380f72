"""Draws the figures of docs/paper.md from the logs beside this file.

python docs/training/render.py
"""

import io
import json
import tarfile
from pathlib import Path
from typing import Any

from samehand.evaluation.figures import entropy_curves, kernel_mapping, new_figure
from samehand.network.metric import ALPHA, GAMMA

FANFIC = Path(__file__).parent / "fanfic"


def epochs_of(training: str) -> list[Any]:
    """Measures after each epoch of a training on fan fiction."""
    with tarfile.open(FANFIC / "logs.tar.xz") as logs:
        file = logs.extractfile(f"fanfic/{training}/metrics.jsonl")
        assert file
        return [json.loads(line) for line in io.TextIOWrapper(file, "utf-8")]


def main() -> None:
    learned, fixed = epochs_of("learned-0"), epochs_of("fixed-0")
    figure, (kernel, entropy, auc) = new_figure(columns=3)
    last = learned[-1]["kernel"]
    kernel_mapping(kernel, (GAMMA, ALPHA), (last["gamma"], last["alpha"]))
    within, between = ([e["entropy"][kind] for e in learned] for kind in ("within", "between"))
    entropy_curves(entropy, within, between)
    for kind, epochs, style in (("fixed", fixed, "-"), ("learned", learned, "--")):
        for part, colour in (("dml", "black"), ("bfs", "0.55"), ("ual", "tab:blue")):
            values = [epoch["pooled"][part]["auc"] for epoch in epochs]
            at = range(1, len(values) + 1)
            auc.plot(at, values, style, color=colour, label=f"{part.upper()}, {kind}")
    auc.set(xlabel="epoch", ylabel="AUC of the trials, pooled")
    auc.legend(fontsize="small", frameon=False)
    figure.savefig(FANFIC / "training.png", dpi=110)


if __name__ == "__main__":
    main()
