"""`samehand`: the commands, gathered. Each command's module imports what is heavy only when it runs."""

import sys
from typing import Annotated

import typer

from samehand import __version__
from samehand.cli.answer import answer
from samehand.cli.compare import compare
from samehand.cli.evaluate import evaluate
from samehand.cli.prepare import prepare
from samehand.cli.train import ablate, train
from samehand.errors import InputError

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


for command in (prepare, train, ablate, answer, evaluate, compare):
    app.command()(command)


def main() -> None:
    """Entry point of the console script: errors a user can cause end in one sentence and exit code 2."""
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
    print(f"samehand: {sentence}", file=sys.stderr)
    return 2
