"""`samehand calibrate`: fit the last stage of a model to one's own kind of text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli.console import counting, printed

if TYPE_CHECKING:
    from rich.console import Console

MODEL_HELP = "Folder of a trained model, or the word default for the packaged one."
PAIRS_HELP = "pairs.jsonl (plain or gzip) or its folder; or a folder of PAN 2013-15 problems."
TRUTH_HELP = "truth.jsonl (plain or gzip); for PAN 2013-15 truth.txt."
REPEATS_HELP = "Leave out trials that repeat the texts of another, instead of refusing."


def calibrate(
    model: Annotated[Path, typer.Argument(help=MODEL_HELP)],
    pairs: Annotated[Path, typer.Argument(help=PAIRS_HELP)],
    truth: Annotated[Path, typer.Argument(help=TRUTH_HELP)],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the new model.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a model in that place.")] = False,
    skip_repeats: Annotated[bool, typer.Option("--skip-repeats", help=REPEATS_HELP)] = False,
) -> None:
    """Fit a MODEL's last stage to your own kind of text, by trials whose truth you know.

    At least 50 trials by one author and 50 by two; `samehand validate` alone
    tells how to gather them. Figures are cross-validated: trials that share a
    text fall in one fold. A model that was calibrated before is calibrated
    anew from what it was, not on top. Validate the new model on other trials.
    """
    from samehand.casework.calibrating import calibrate as run

    with counting("answering", "trials") as progress:
        found = run(
            named(model), pairs, truth, output,
            force=force, skip_repeats=skip_repeats, progress=progress,
        )  # fmt: skip
    if as_json:
        import json

        from samehand.evaluation.summary import jsonable

        typer.echo(json.dumps(jsonable(found)))
        return
    printed(lambda console: _print(console, found))


def named(model: Path) -> Path | None:
    """The folder that was named, or None for the packaged model."""
    return None if str(model) == "default" else model


def _print(console: "Console", found: dict[str, Any]) -> None:
    from samehand.cautions.sentences import plain_lr
    from samehand.evaluation.table import number, span

    table = _table()
    for name, title in _FIGURES.items():
        cells = []
        for when in ("before", "after"):
            cells += [number(found[when][name]), span(found[when]["intervals"][name])]
        table.add_row(title, *cells)
    console.print(_outcome(found), style="bold")
    console.print()
    console.print(table)
    by = found["difference"]["cllr"]
    console.print(
        f"Fitting changes Cllr by {number(by['by'], '+')} (95 % interval "
        f"{span(by['interval'], '+')}). Cllr: 0 is best, 1 says nothing, more misleads."
    )
    console.print()
    for remark in _remarks(found):
        console.print(remark)
    low, high = (plain_lr(bound) for bound in found["log10_lr_bounds"])
    console.print(f"Likelihood ratios are held between {low} and {high}, by these trials.")
    console.print(f"\nWrote {found['output']}. Now validate it, on other trials than these.")


_FIGURES = {"cllr": "Cllr", "cllr_min": "Cllr min", "ece": "ECE", "auc": "AUC"}


def _outcome(found: dict[str, Any]) -> str:
    if not found["fitted"]:
        return (
            "Already calibrated for texts like these: the last stage stays as it is, and only the "
            "bounds are new."
        )
    offset, slope = found["offset"], found["slope"]
    return f"Calibrated: log LR' = {offset:+.3f} {slope:+.3f} · log LR (natural logarithms)."


def _remarks(found: dict[str, Any]) -> list[str]:
    from samehand.report.validation_report import left_out

    trials = found["trials"]
    remarks = [
        f"{trials['same']:,} trials by one author, {trials['different']:,} by two, weighing alike.",
        f"Cross-validated in {found['folds']} folds that share no {found['kept_apart']}.",
    ]
    remarks += left_out(trials)
    if found["calibrated_before"]:
        remarks.append(
            "The model was calibrated before: that was undone first, and 'before' is without it."
        )
    if found["after"]["intervals"]["cllr"][1] >= 1.0:
        remarks.append(
            "The interval of Cllr reaches 1: these trials do not show that the model says anything "
            "about texts like these."
        )
    return remarks


def _table() -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, head in enumerate(("", "before", "95 % interval", "after", "95 % interval")):
        table.add_column(head, justify="right" if place else "left")
    return table
