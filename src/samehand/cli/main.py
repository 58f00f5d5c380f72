"""`samehand`: the commands, each imported when it is asked for."""

import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from samehand import __version__
from samehand.errors import InputError

PANELS = {
    "Compare texts": {"verify": "verify", "serve": "serve", "log": "log"},
    "Fit to a case": {"adapt": "adapt", "validate": "validate", "model": "model"},
    "Answer many, and measure": {
        "answer": "answer",
        "evaluate": "evaluate",
        "compare": "compare",
        "embed": "embed",
    },
    "Search a collection": {"index": "index", "search": "search", "link": "link"},
    "Make a model": {"prepare": "prepare", "train": "train", "fit": "fit", "ablate": "train"},
}
"""The commands, as help lists them, and the modules that they are in."""
COMMANDS = {name: module for own in PANELS.values() for name, module in own.items()}
_OTHER_NAMES = {"acquaint": "adapt", "calibrate": "adapt"}


class _Commands(TyperGroup):
    """Commands that are imported when they are asked for."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_named(parameter) for parameter in super().get_params(ctx)]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        module = (COMMANDS | _OTHER_NAMES).get(cmd_name)
        if module is None:
            return None
        found = getattr(import_module(f"samehand.cli.{module}"), cmd_name)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command(cmd_name)(found)
            found = alone
        command = _in_plain_words(get_command(found))
        command.rich_help_panel = next((p for p, own in PANELS.items() if cmd_name in own), None)
        return command


def _in_plain_words(command: Any) -> Any:
    """A command whose help names what it is given, and not the types of the program."""
    for inner in getattr(command, "commands", {}).values():
        _in_plain_words(inner)
    parameters = command.get_params
    command.get_params = lambda ctx: [_named(parameter) for parameter in parameters(ctx)]
    return command


def _named(parameter: Any) -> Any:
    if parameter.param_type_name == "argument":
        parameter.metavar = parameter.metavar or parameter.name.upper()
        parameter.display_type_rich = lambda ctx: None
    elif parameter.metavar is None:
        is_flag = getattr(parameter, "is_flag", False)
        parameter.metavar = "" if is_flag else parameter.name.split("_")[-1].upper()
    parameter._get_number_range_help_str = lambda: None
    return parameter


app = typer.Typer(
    cls=_Commands,
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


def main() -> None:
    """The console script: an error that a user can cause ends in one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # what it cannot show is spelt out
            stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _end)
    try:
        app()
    except InputError as error:
        sys.exit(_fail(str(error)))
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        sys.exit(_fail(f"{where}{error.strerror or error}"))
    except KeyboardInterrupt:
        sys.exit(130)


def _end(number: int, _: object) -> None:
    """End as Ctrl-C does: what is unfinished is taken away."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _fail(sentence: str) -> int:
    print("samehand:", *sentence.splitlines(), file=sys.stderr)
    return 2
