"""`samehand model`: what there is to know of a model."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli import options
from samehand.cli.console import printed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

model = typer.Typer(name="model", help="What there is to know of a model.", no_args_is_help=True)

_SHOWN = ("n", "auc", "c@1", "brier", "ece", "cllr", "eer")
"""Figures that fit on a line of 80 columns; `--json` has all."""

_MASKED = {
    "rare": "others as spelt",
    "suffix": "others by shape and ending",
    "shape": "others by shape",
    "full": "no others",
}
"""What a network sees of words beyond those it knows."""


@model.callback()
def _group() -> None:
    """What there is to know of a model."""


@model.command()
def show(
    folder: options.Model = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what a model is, what it learnt from, how it did, and what it is for."""
    from samehand.report.model_card import describe
    from samehand.verifier import model_folder

    found = describe(model_folder(folder))
    if as_json:
        import json

        from samehand.evaluation.summary import jsonable

        typer.echo(json.dumps(jsonable(found)))
        return
    printed(lambda console: _print(console, found))


def _print(console: "Console", found: dict[str, Any]) -> None:
    console.print(found["name"], style="bold")
    console.print(f"SHA-256 {found['sha256']}")
    reads = min(member["most_tokens"] for member in found["members"])
    console.print(f"Made by {found['made_by']}; reads the first {reads:,} tokens of a text.")
    console.print()
    console.print(_members(found["members"]))
    console.print()
    _print_data(console, found["data"])
    console.print()
    _print_validation(console, found["validation"])
    if found["population"]:
        from samehand.network.acquaintance import in_words as told

        console.print("\nPopulation", style="bold")
        console.print(told(found["population"]))
    if found["calibration"]:
        from samehand.network.last_stage import in_words

        console.print("\nCalibration", style="bold")
        console.print(in_words(found["calibration"]))
    for title in ("limits", "use"):
        console.print(f"\n{title.capitalize()}", style="bold")
        console.print(found[title])


def _members(members: list[dict[str, Any]]) -> "Table":
    several = len(members) > 1
    title = f"{len(members)} members, whose posteriors are averaged" if several else "One network"
    table = _table(title, "", "size", "weights", "LEV", "impostors", "words known")
    for member in members:
        table.add_row(
            member["name"],
            f"{member['bytes'] / 1e6:.1f} MB",
            f"{member['parameters']:,}",
            str(member["lev_size"]),
            f"{member['impostors']:,}" if member["impostors"] else "none",
            f"{member['words']:,}; {_MASKED[member['masking']]}",
        )
    table.columns[-1].justify = "left"
    return table


def _print_data(console: "Console", data: dict[str, Any]) -> None:
    trained = data["training"] or {
        name: counts
        for name, counts in data["parts"].items()
        if name != "trials" and counts.get("documents")
    }
    if not trained:
        console.print("Training data", style="bold")
        console.print("The model does not say what it learnt from.")
        return
    title = "Training data" if data["training"] else "Training data and what was kept apart"
    table = _table(title, "", "documents", "authors", "words")
    total = data["parts"].get("train") if data["training"] else None
    for name, counts in (trained | ({"all": total} if total else {})).items():
        table.add_row(name, *(_count(counts, key) for key in ("documents", "authors", "words")))
    console.print(table)
    if not data["training"] and data["sources"]:
        console.print(f"Sources of all of these: {', '.join(map(str, data['sources']))}.")


def _print_validation(console: "Console", validation: dict[str, Any]) -> None:
    from samehand.cautions.sentences import plain_lr
    from samehand.evaluation.validation import FIGURES, figure

    rows = {"all trials": validation["figures"]} if validation["figures"] else {}
    rows |= validation["sets"]
    shown = [name for name in _SHOWN if any(name in row for row in rows.values())]
    if rows:
        table = _table("Validation", "", *(FIGURES[name] for name in shown))
        for title, row in rows.items():
            table.add_row(title, *(figure(name, row.get(name)) for name in shown))
        console.print(table)
        console.print(
            "AUC: 1 is best, 0.5 is chance. Cllr: 0 is best, 1 says nothing, more misleads. "
            "ECE: 0 is best."
        )
    else:
        console.print("Validation", style="bold")
        console.print("The model states no figures.")
    if validation["on"]:
        console.print(f"On {validation['on'].rstrip('.')}.")
    low, high = (plain_lr(bound) for bound in validation["log10_lr_bounds"])
    why = "by these trials" if validation["validated"] else "as every model without validation is"
    console.print(f"Likelihood ratios are held between {low} and {high}, {why}.")


def _table(title: str, *heads: str) -> "Table":
    """Names to the left, numbers to the right, no lines."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left", overflow="fold")
    return table


def _count(counts: dict[str, Any], key: str) -> str:
    """A dash where it was not counted."""
    value = counts.get(key)
    return f"{value:,}" if isinstance(value, int) else "–"
