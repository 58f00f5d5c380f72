"""`samehand search`: who in an index may have written a text."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samehand.cli import options
from samehand.cli.console import printed

if TYPE_CHECKING:
    from rich.console import Console

    from samehand.index import Found


def search(
    index: Annotated[str, typer.Argument(help="An index that samehand index made.")],
    texts: Annotated[
        list[Path],
        typer.Argument(
            metavar="TEXT", help="Questioned texts: txt, md, html, docx, pdf; - for standard input."
        ),
    ],
    top: Annotated[int, typer.Option(min=1, max=1000, help="Authors to show.")] = 20,
    none: Annotated[
        float,
        typer.Option(
            "--none",
            metavar="P",
            help="Probability, before texts are compared, that none of the authors wrote it.",
        ),
    ] = 0.5,
    expect_false: Annotated[
        float,
        typer.Option(metavar="N", help="Wrong authors who may be named in a search, on average."),
    ] = 1.0,
    as_json: options.AsJson = False,
    model: options.Model = None,
    device: options.Device = "cpu",
) -> None:
    """Which authors of INDEX may have written each TEXT?

    The nearest of many is near by chance. So each author has a probability
    beside all others and none of them, and nobody is named whose likelihood
    ratio too many wrong authors would reach.

    Examples:
    $ samehand search writers.index letter.txt
    $ samehand search writers.index a.txt b.txt --top 5 --none 0.9 --json
    """
    from samehand.index import Index
    from samehand.reading import read_text
    from samehand.verifier import Verifier

    readings = [read_text(path) for path in texts]
    opened = Index.open(index, Verifier.load(model, device=device))
    found = opened.search(
        [reading.text for reading in readings],
        top,
        prior_of_none=none,
        expect_false=expect_false,
    )
    about = list(zip(readings, found, strict=True))
    if as_json:
        told = [{"text": reading.source, **own.as_dict()} for reading, own in about]
        typer.echo(json.dumps({"index": index, "texts": told}, ensure_ascii=False, indent=2))
        return
    for place, (reading, own) in enumerate(about):
        if place:
            typer.echo()
        printed(partial(_print, reading.source, own))


def _print(name: str, found: "Found", console: "Console") -> None:
    from rich.table import Table

    from samehand.cautions.caution import plain_lr

    console.print(f"{name}: {found.among.sentence}", soft_wrap=True)
    if found.copies:
        ids = ", ".join(found.copies)
        console.print(f"This text itself is in the index: {ids}.", soft_wrap=True)
    table = Table("author", "LR", "probability", "documents", "", box=None)
    for hit in found.hits:
        remark = "reaches it" if hit.named else ""
        lr, probability = plain_lr(hit.log10_lr), _share(hit.probability)
        table.add_row(hit.author, lr, probability, f"{hit.documents:,}", remark)
    posterior = found.among.posterior
    shown = sum(hit.probability for hit in found.hits)
    others = 1.0 - shown - posterior.none
    table.add_row("all others", "", _share(max(others, 0.0)), "", "")
    table.add_row("none of them", "", _share(posterior.none), "", "")
    console.print(table)


def _share(probability: float) -> str:
    return f"{probability:.2%}" if probability >= 0.0001 else "< 0.01%"
