"""`samehand validate`: what a model is worth on one's own kind of text."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli import options
from samehand.cli.console import printed, progress
from samehand.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_REPORTS = (".md", ".html", ".htm", ".pdf")


def validate(
    model: options.FirstModel = None,
    pairs: options.FirstPairs = None,
    truth: options.FirstTruth = None,
    named: options.Model = None,
    as_json: options.AsJson = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write a report of it to this file, .html, .pdf or .md.",
        ),
    ] = None,
    skip_repeats: options.SkipRepeats = False,
) -> None:
    """Is a MODEL fit for your own kind of text? Alone, it tells which trials to gather.

    Gather at least 50 trials by one author and 50 by two, of the genre,
    lengths and difference in subject of your case, by people who are neither
    in the case nor among those the model was adapted to. Type
    samehand validate alone for the whole of it, and how to write the two files.

    Examples:
    $ samehand validate
    $ samehand validate default pairs.jsonl truth.jsonl -o validation.html
    """
    if model is named is None:
        from samehand.casework.guide import GUIDE

        typer.echo(GUIDE, nl=False)
        return
    chosen, files = options.model_pairs_truth(named, model, pairs, truth)
    _check_report(output)
    from samehand.casework.validating import validate as run

    with progress() as watch:
        found = run(chosen, *files, skip_repeats=skip_repeats, progress=watch)
    if output is not None:
        from samehand.report.validation_report import write_report

        write_report(output, found)
    if as_json:
        import json

        from samehand.evaluation.summary import jsonable

        typer.echo(json.dumps(jsonable(found)))
        return
    printed(lambda console: _print(console, found))
    if output is not None:
        typer.echo(f"\nWrote {output}.")


def _check_report(output: Path | None) -> None:
    """Before the wait for the model."""
    from samehand.report.printing import check_document

    if output is None:
        return
    if output.suffix.lower() not in _REPORTS:
        raise InputError(f"{output}: a report is written as .html, .pdf or .md; name it so.")
    check_document(output)


def _print(console: "Console", found: dict[str, Any]) -> None:
    from samehand.report.validation_report import (
        BAND_HEAD,
        KNOWN_HEAD,
        band_rows,
        opening,
        remarks,
        rows,
    )

    console.print(found["verdict"]["sentence"], style="bold")
    console.print(f"{found['verdict']['rule']}\n")
    console.print(f"{opening(found)}\n")
    table = _table("figure", "value", "95 % interval")
    table.add_column("what it means")
    for row in rows(found):
        table.add_row(*row)
    console.print(table)
    console.print()
    for head, key in ((BAND_HEAD, "length_bands"), (KNOWN_HEAD, "known_bands")):
        bands = _table(*head)
        for cells in band_rows(found[key]):
            bands.add_row(*cells)
        console.print(bands)
        console.print()
    console.print("Words are those of the shortest text of a trial.\n")
    for remark in remarks(found):
        console.print(remark)


def _table(*heads: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left", no_wrap=True)
    return table
