"""Draws the figures of docs/paper.md from the logs beside this file.

python docs/training/render.py
"""

import json
from pathlib import Path

from samehand.evaluation.figures import entropy_curves, kernel_mapping, new_figure
from samehand.network.metric import ALPHA, GAMMA

HERE = Path(__file__).parent


def main() -> None:
    lines = (HERE / "learned-0.metrics.jsonl").read_text("utf-8").splitlines()
    epochs = [json.loads(line) for line in lines]
    figure, (kernel, entropy) = new_figure(columns=2)
    last = epochs[-1]["kernel"]
    kernel_mapping(kernel, (GAMMA, ALPHA), (last["gamma"], last["alpha"]))
    within, between = ([e["entropy"][kind] for e in epochs] for kind in ("within", "between"))
    entropy_curves(entropy, within, between)
    figure.savefig(HERE / "kernel-and-entropy.png", dpi=110)

    figure, (ax,) = new_figure()
    for kind, style in (("fixed", "-"), ("learned", "--")):
        path = HERE / f"{kind}-0.metrics.jsonl"
        runs = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for part, colour in (("dml", "black"), ("bfs", "0.55"), ("ual", "tab:blue")):
            values = [run["pooled"][part]["auc"] for run in runs]
            ax.plot(
                range(1, len(values) + 1),
                values,
                style,
                color=colour,
                label=f"{part.upper()}, {kind}",
            )
    ax.set(xlabel="epoch", ylabel="AUC on the dev trials, pooled")
    ax.legend(fontsize="small", frameon=False)
    figure.savefig(HERE / "auc.png", dpi=110)


if __name__ == "__main__":
    main()
