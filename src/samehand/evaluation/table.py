"""Reports as tables for the terminal."""

import math
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table

from samehand.evaluation.answers import TOLERATED
from samehand.evaluation.scores import MEASURES, PAN_MEASURES

_GROUPS = {
    "PAN": (*PAN_MEASURES, "overall"),
    "calibration": ("conf", "ece", "mce"),
    "likelihood ratio": ("cllr", "cllr_min", "cllr_cal", "eer"),
}
_PART_COLUMNS = ("auc", "c@1", "conf", "brier", "ece", "cllr")


def report_table(report: dict[str, Any]) -> RenderableType:
    """One system: a figure a line, grouped, with intervals and strata where the report has them."""
    intervals = report.get("intervals")
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    table.add_column("measure")
    table.add_column("value", justify="right")
    if intervals:
        table.add_column("debiased", justify="right")
        table.add_column("95 % interval", justify="right")
    for group, names in _GROUPS.items():
        for row, name in enumerate(names):
            cells = [group if row == 0 else "", name, number(report[name])]
            if intervals:
                debiased = report["debiased"].get(name)
                cells += ["" if debiased is None else number(debiased), span(intervals[name])]
            table.add_row(*cells)
        table.add_section()
    parts: list[RenderableType] = []
    for title, key in (("subset", "subsets"), ("words", "length_bands")):
        if report.get(key):
            parts += ["", _part_table(title, report[key])]
    return Group(table, *parts, "", *_remarks(report))


def _part_table(title: str, parts: dict[str, dict[str, float]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(title, no_wrap=True)
    for name in ("n", "n_same", "at 0.5", *_PART_COLUMNS):
        table.add_column(name, justify="right")
    for part, found in parts.items():
        counts = (f"{found[name]:,}" for name in ("n", "n_same", "non_responses"))
        table.add_row(part, *counts, *(number(found[name]) for name in _PART_COLUMNS))
    return table


def _remarks(report: dict[str, Any]) -> list[str]:
    remarks = [
        f"{report['n']:,} trials, {report['n_same']:,} by one author, "
        f"{report['non_responses']:,} non-responses.",
        f"F0.5u by the rule: {report['f_05_u_rule']}. ECE and MCE: {report['ece_definition']}.",
    ]
    if "calibration_p" in report:
        remarks.append(
            f"Calibration test: p = {report['calibration_p']:.3f}, how often calibrated answers "
            "would show as large an ECE by chance."
        )
    if "overall_2020" in report:
        remarks.append(f"Overall as in 2020, without Brier: {number(report['overall_2020'])}.")
    if report.get("without_pair"):
        remarks.append(f"{report['without_pair']:,} trials are not in the pairs file.")
    return remarks + reading_remarks(report)


def reading_remarks(report: dict[str, Any]) -> list[str]:
    """Remarks on flaws forgiven in reading the answers."""
    remarks = []
    if report["missing"]:
        remarks.append(f"{report['missing']:,} trials without an answer: taken for 0.5.")
    for name, meaning in TOLERATED.items():
        if report["tolerated"][name]:
            remarks.append(f"{report['tolerated'][name]:,} answers {meaning}.")
    return remarks


def comparison_table(comparison: dict[str, Any]) -> RenderableType:
    """Several systems: a column each; under each figure its difference from the first column."""
    systems = comparison["systems"]
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("")
    for row in systems:
        table.add_column(row["system"], justify="right", overflow="fold")
    for name in (*MEASURES, "cllr_cal"):
        table.add_row(name, *(_compared(row, name) for row in systems))
    for name in ("non_responses", "missing"):
        table.add_row(name, *(f"{row[name]:,}" for row in systems))
    remarks = [f"{row['system']}: {remark}" for row in systems for remark in reading_remarks(row)]
    resamples = comparison["bootstrap"]["resamples"]
    if resamples and len(systems) > 1:
        remarks.insert(
            0,
            f"Second lines: difference from {comparison['reference']} and its 95 % interval by "
            f"{resamples:,} paired bootstrap resamples of the trials; * where it excludes 0. It "
            "is of these answers: how far another training would move them is not in it.",
        )
    first = systems[0]
    remarks.insert(0, f"F0.5u: {first['f_05_u_rule']}. ECE, MCE: {first['ece_definition']}.")
    return Group(table, "", *remarks)


def _compared(row: dict[str, Any], name: str) -> str:
    if "difference" not in row:
        return number(row[name]) + " "
    difference = row["difference"][name]
    low, high = difference["interval"]
    star = "*" if low > 0 or high < 0 else " "
    return f"{number(row[name])} \n{number(difference['by'], '+')} [{span((low, high), '+')}]{star}"


def number(value: float, sign: str = "") -> str:
    """Four digits, or a dash for a measure that is not defined on these trials."""
    return f"{value:{sign}.4f}" if math.isfinite(value) else "–"


def span(limits: tuple[float, float] | list[float], sign: str = "") -> str:
    """An interval, likewise."""
    low, high = limits
    if not (math.isfinite(low) and math.isfinite(high)):
        return "–"
    return f"{low:{sign}.4f} … {high:{sign}.4f}"
