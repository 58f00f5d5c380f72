"""`samehand`: the commands, gathered. What is heavy is imported where a command uses it."""

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from samehand import __version__
from samehand.cli.acquaint import acquaint
from samehand.cli.answer import answer
from samehand.cli.calibrate import calibrate
from samehand.cli.compare import compare
from samehand.cli.embed import embed
from samehand.cli.evaluate import evaluate
from samehand.cli.model import model
from samehand.cli.prepare import prepare
from samehand.cli.serve import serve
from samehand.cli.train import ablate, train
from samehand.cli.validate import validate
from samehand.cli.verify import verify
from samehand.errors import InputError

# Read when torch is loaded. Its threads would else spin for a while after each of its operations,
# on cores that ours then wait for: a verdict took half as long again.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

app = typer.Typer(
    name="samehand",
    help="Did the same hand write these texts?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"samehand {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Did the same hand write these texts?"""


for command in (
    verify,
    serve,
    prepare,
    train,
    ablate,
    acquaint,
    calibrate,
    validate,
    answer,
    embed,
    evaluate,
    compare,
):
    app.command()(command)
app.add_typer(model)


def main() -> None:
    """The console script: an error that a user can cause ends in one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it cannot show is spelt out
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except InputError as error:
        sys.exit(_fail(str(error)))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.exit(_fail(f"{where}{error.strerror or error}"))
    except KeyboardInterrupt:
        sys.exit(130)


def _fail(sentence: str) -> int:
    print("samehand:", *sentence.splitlines(), file=sys.stderr)
    return 2
