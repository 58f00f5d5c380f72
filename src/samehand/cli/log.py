"""`samehand log`: the log of verdicts that `samehand verify --log` keeps."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options

log = typer.Typer(
    name="log",
    help="The log of verdicts that samehand verify --log keeps.",
    no_args_is_help=True,
    add_completion=False,
)


@log.callback()
def _group() -> None:
    """The log of verdicts that samehand verify --log keeps."""


@log.command()
def check(
    file: Annotated[Path, typer.Argument(help="A log that samehand verify --log keeps.")],
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256",
            metavar="DIGEST",
            help="SHA-256 of a line that must be in the log, as it was noted.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Check that no line of a log was altered or taken out.

    Whoever can write the file can write it anew, or cut off its end. So note
    the SHA-256 of its last line somewhere else, and give it here.

    Examples:
    $ samehand log check case.log
    $ samehand log check case.log --sha256 8b1f3c
    """
    from samehand.io.chained_log import check as run

    last = run(file, None if sha256 is None else sha256.lower())
    if as_json:
        import json

        typer.echo(json.dumps({"lines": last.number, "sha256": last.digest}))
        return
    lines = "1 line, which is" if last.number == 1 else f"{last.number:,} lines, which are"
    typer.echo(f"{lines} as written; the last has the SHA-256 {last.digest}.")
