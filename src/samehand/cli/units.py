"""`samehand model units`: how a model cuts a text into units, and what it sees of its words."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samehand.cli import options
from samehand.cli.console import printed
from samehand.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from samehand.explaining.as_read import TextAsRead, View


def units(
    text: Annotated[
        Path, typer.Argument(help="The text: txt, md, html, docx, pdf; - for standard input.")
    ],
    model: options.Model = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Also draw it to this file, .svg."),
    ] = None,
    first: Annotated[
        int,
        typer.Option(
            "--first",
            min=1,
            metavar="N",
            help="How many units to show, from the first on; the last one is shown, too.",
        ),
    ] = 4,
    as_json: options.AsJson = False,
) -> None:
    """Show how a model cuts TEXT into units, windows of tokens that overlap.

    Marked are the tokens that two units have, and words that the model does
    not know, with what its networks see of them. With --json all units.

    Examples:
    $ samehand model units letter.txt
    $ samehand model units letter.txt --model RUN/model -o units.svg
    """
    from samehand.explaining.as_read import as_read
    from samehand.model.folder import read_model
    from samehand.reading import read_text
    from samehand.verifier import model_folder

    if output is not None:
        _check(output, text)
    reading = read_text(text)
    stored = read_model(model_folder(model), without_evidence=True)
    read = as_read(stored.networks, reading.text, reading.source)
    chosen = read.first_units(first)
    if output is not None:
        from samehand.io.atomic import write_whole
        from samehand.report.units_figure import units_figure

        write_whole(output, units_figure(read, chosen))
    if as_json:
        import json

        said = {
            "file_sha256": reading.sha256,
            "caution": reading.caution,
            "model": stored.description.name,
            "model_sha256": stored.sha256,
        }
        typer.echo(json.dumps(said | read.as_dict()))
        return
    printed(partial(_print, read, chosen))
    if reading.caution:
        typer.echo(f"\n{reading.caution}")


def _check(output: Path, text: Path) -> None:
    from samehand.io.atomic import check_file

    if output.suffix.lower() != ".svg":
        raise InputError(f"{output}: the figure is an SVG; give its name the ending .svg.")
    check_file(output, [text])


def _print(read: "TextAsRead", chosen: list[int], console: "Console") -> None:
    from samehand.explaining.as_read import printable

    console.print(read.in_words, style="bold")
    for view in read.views:
        if len(read.views) > 1:
            console.print(f"\nNetworks: {', '.join(map(printable, view.networks))}.")
        console.print()
        console.print(_units(read, view, chosen))
        console.print(f"\n{view.in_words}")
    if len(read.units) > 1:
        console.print("A bar (|) parts the tokens that the unit before or after has, too.")
    console.print("‿: no space between a mark and its neighbour; ↵: end of a line; ¶: blank line.")


def _units(read: "TextAsRead", view: "View", chosen: list[int]) -> "Table":
    """Each unit beside its number."""
    from rich.table import Table

    shown = Table.grid(padding=(0, 2, 0, 0))
    shown.add_column(justify="right", no_wrap=True)
    shown.add_column(overflow="fold")
    following = 0
    for unit in chosen:
        if unit > following:
            shown.add_row("…", f"{unit - following:,} more")
        shown.add_row(f"{unit + 1:,}", _unit(read, view, unit))
        following = unit + 1
    return shown


def _unit(read: "TextAsRead", view: "View", unit: int) -> "Text":
    from rich.text import Text

    from samehand.explaining.as_read import printable

    line, shared = Text(), read.shared
    first, last = read.units[unit]
    for at in range(first, last):
        if at > first:
            line.append(" | " if shared[at] != shared[at - 1] else " ")
        line.append(printable(read.names[at]), "cyan" if shared[at] else "")
        line.append(view.mark(at) or "", "yellow")
    return line
