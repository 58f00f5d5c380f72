"""`samehand acquaint`: make a model acquainted with a kind of text."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.calibrate import MODEL_HELP, named
from samehand.cli.console import counting


def acquaint(
    model: Annotated[Path, typer.Argument(help=MODEL_HELP)],
    texts: Annotated[
        list[Path],
        typer.Argument(
            help="Texts of the kind at hand by other people: files, folders of them, corpora."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the new model.")
    ],
    text_column: options.TextColumn = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a model in that place.")] = False,
) -> None:
    """Make a MODEL acquainted with a kind of text: its genre, period and lengths.

    At least 20 TEXTS of that kind, of 100 words or more, by people who have
    nothing to do with the case; who they are need not be known. What the model
    has not met before it tells apart better then. The new model holds vectors
    of the texts, none of their words.
    """
    from samehand.casework.adapting import SHORTEST
    from samehand.casework.adapting import acquaint as run

    with counting("embedding", "texts") as progress:
        found = run(named(model), texts, output, column=text_column, force=force, progress=progress)
    if as_json:
        import json

        typer.echo(json.dumps(found))
        return
    remarks = [f"Acquainted with {found['texts']:,} texts"]
    if found["found"] > found["texts"]:
        remarks.append(f"a random choice of {found['found']:,}")
    if found["too_short"]:
        remarks.append(f"{found['too_short']:,} of fewer than {SHORTEST} words left out")
    if found["repeats"]:
        remarks.append(f"{found['repeats']:,} repeats left out")
    typer.echo(f"{'; '.join(remarks)}: {found['output']}")
