"""The rows of the paper's Table 1 (`tab:results:pan`), from as few trainings as they need.

Nothing that BFS and UAL learn reaches the encoder, so all rows with learned kernel parameters are
read off one training with several scoring heads side by side. Only the fixed kernel needs an
encoder of its own.
"""

import csv
import io
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.network.config import NetworkConfig
from samehand.training.config import TrainingConfig
from samehand.training.run import is_main_process, train

MEASURES = ("auc", "c@1", "f_05_u", "f1", "brier", "overall", "conf", "ece", "mce")


class Row(NamedTuple):
    """A row of the table: which training it is read from, and which of its outputs."""

    component: str
    setting: str
    kernel: str
    output: str


class Cell(NamedTuple):
    """Mean and standard deviation, in percent."""

    mean: float
    deviation: float


HEADS = {
    "tanh_b0": ("tanh", 0.0),
    "tanh_b050": ("tanh", 0.05),
    "tanh_b100": ("tanh", 0.1),
    "tanh_b200": ("tanh", 0.2),
    "swish_b100": ("swish", 0.1),
    "swish_b125": ("swish", 0.125),
}
ROWS = (
    Row("DML", "fixed", "fixed", "dml"),
    Row("DML", "learned", "learned", "dml"),
    Row("BFS", "swish", "learned", "bfs swish_b100"),
    Row("BFS", "tanh", "learned", "bfs tanh_b100"),
    *(
        Row(f"UAL {f}", f"β = {beta:g}", "learned", f"ual {name}")
        for name, (f, beta) in HEADS.items()
    ),
)


def ablate(
    store: Store,
    folder: Path,
    config: TrainingConfig,
    runs: int = 4,
    last: int = 4,
    only: str | None = None,
    **trainer_options: Any,
) -> dict[Row, dict[str, Cell]] | None:
    """Train what the table needs, going on where an earlier call was interrupted, and write it.

    Figures are over all trials that the config names, pooled; means and deviations over runs and
    the last epochs. To spread the work over devices, let each call do one training by `only`, then
    call once more for the table. None where there is no table: by `only`, and in all processes of
    several but the first.
    """
    plan = {
        f"{kernel}-{run}": (kernel, run) for run in range(runs) for kernel in ("fixed", "learned")
    }
    if only is not None and only not in plan:
        raise InputError(
            f"--only {only}: there is no such training; choose one of {', '.join(plan)}."
        )
    for name in [only] if only else plan:
        kernel, run = plan[name]
        network = config.network.model_copy(update={"learn_kernel": kernel == "learned"})
        chosen = config.model_copy(update={"network": network, "seed": config.seed + run})
        if not (folder / name / "model" / "model.json").exists():
            heads = _heads(chosen) if kernel == "learned" else {}
            begun = (folder / name / "config.json").exists()
            train(store, folder / name, chosen, begun, heads, **trainer_options)
    if only or not is_main_process():
        return None
    table = {row: _summary(_records(folder, plan, row, last)) for row in ROWS}
    for name, content in (("md", markdown(table)), ("csv", as_csv(table)), ("tex", latex(table))):
        (folder / f"table.{name}").write_text(content, "utf-8")
    return table


def _records(folder: Path, plan: dict[str, tuple[str, int]], row: Row, last: int) -> list[Any]:
    """The row's figures in the last epochs of each of its trainings."""
    found = []
    for name, (kernel, _) in plan.items():
        if kernel == row.kernel:
            lines = (folder / name / "metrics.jsonl").read_text("utf-8").splitlines()
            found += [json.loads(line)["pooled"].get(row.output) for line in lines[-last:]]
    return found


def _heads(config: TrainingConfig) -> dict[str, NetworkConfig]:
    return {
        name: config.network.model_copy(update={"bfs_activation": activation, "beta": beta})
        for name, (activation, beta) in HEADS.items()
    }


def _summary(measured: list[dict[str, float | None] | None]) -> dict[str, Cell]:
    if not measured or any(m is None for m in measured):
        raise InputError(
            "The trials that were scored give no figures; name sets with pairs of both kinds "
            "under `trials` in the config."
        )
    columns = {key: np.array([m[key] for m in measured if m], np.float64) for key in MEASURES}
    return {
        key: Cell(100 * float(values.mean()), 100 * float(values.std()))
        for key, values in columns.items()
    }


def markdown(table: dict[Row, dict[str, Cell]]) -> str:
    """The table as Markdown."""
    lines = [f"| | | {' | '.join(MEASURES)} |", "|---|---|" + "---|" * len(MEASURES)]
    for row, cells in table.items():
        figures = " | ".join(
            f"{cells[key].mean:.1f} ± {cells[key].deviation:.1f}" for key in MEASURES
        )
        lines.append(f"| {row.component} | {row.setting} | {figures} |")
    return "\n".join(lines) + "\n"


def as_csv(table: dict[Row, dict[str, Cell]]) -> str:
    """The table as CSV, a column for each mean and each deviation."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [
            "component",
            "setting",
            *(f"{key}{what}" for key in MEASURES for what in ("", "_deviation")),
        ]
    )
    for row, cells in table.items():
        figures = (f"{value:.4f}" for key in MEASURES for value in cells[key])
        writer.writerow([row.component, row.setting, *figures])
    return text.getvalue()


def latex(table: dict[Row, dict[str, Cell]]) -> str:
    """The table as a LaTeX tabular."""
    names = " & ".join(rf"\texttt{{{key}}}" for key in MEASURES).replace("_", r"\_")
    lines = [rf"\begin{{tabular}}{{ll{'c' * len(MEASURES)}}}", rf"\hline & & {names} \\ \hline"]
    for row, cells in table.items():
        figures = " & ".join(
            rf"${cells[key].mean:.1f} \pm {cells[key].deviation:.1f}$" for key in MEASURES
        )
        setting = row.setting.replace("β", r"$\beta$")
        lines.append(rf"{row.component} & {setting} & {figures} \\")
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])
