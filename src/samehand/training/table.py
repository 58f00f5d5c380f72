"""Tables of an ablation: measures in percent, with their deviation, as Markdown, CSV and LaTeX."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samehand.errors import InputError

MEASURES = ("auc", "c@1", "f_05_u", "f1", "brier", "overall", "conf", "ece", "mce")


class Row(NamedTuple):
    """A row of a table: which training it is read from, and which of its outputs."""

    component: str
    setting: str
    training: str
    output: str


class Cell(NamedTuple):
    """Mean and standard deviation, in percent."""

    mean: float
    deviation: float


Cells = dict[str, Cell]
Table = dict[Row, Cells]


def summary(measured: Sequence[dict[str, float | None] | None]) -> Cells:
    """The cells of a row, from what was measured in several epochs and runs."""
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


def write_table(folder: Path, name: str, table: Table) -> None:
    """Write a table in all formats."""
    for ending, write in (("md", markdown), ("csv", as_csv), ("tex", latex)):
        (folder / f"{name}.{ending}").write_text(write(table), "utf-8")


def markdown(table: Table) -> str:
    """The table as Markdown."""
    lines = [f"| | | {' | '.join(MEASURES)} |", "|---|---|" + "---|" * len(MEASURES)]
    for row, cells in table.items():
        figures = " | ".join(
            f"{cells[key].mean:.1f} ± {cells[key].deviation:.1f}" for key in MEASURES
        )
        lines.append(f"| {row.component} | {row.setting} | {figures} |")
    return "\n".join(lines) + "\n"


def as_csv(table: Table) -> str:
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


def latex(table: Table) -> str:
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
