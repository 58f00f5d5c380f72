"""What several commands do with the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from samehand.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 80
"""Of a terminal that does not know its own."""


def terminal(**options: bool) -> "Console":
    """A console that shows what it is given as it is, be it as narrow as it may."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False, **options)  # type: ignore[arg-type]
    if console.width < 1:
        console.width = _WIDTH
    return console


def printed(write: Callable[["Console"], None]) -> None:
    """Print what is written to a console, without the blanks that tables pad their cells with."""
    console = terminal()
    with console.capture() as captured:
        write(console)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())


def unusable_records(skip: bool) -> Callable[[str], None]:
    """What becomes of each record that cannot be used, by its fault: the option `--skip-bad`."""
    errors = terminal(stderr=True, soft_wrap=True)

    def report(fault: str) -> None:
        if not skip:
            raise InputError(f"{fault}, or pass --skip-bad to leave it out")
        errors.print(f"skipped: {fault}")

    return report


@contextmanager
def counting(doing: str, things: str) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, if that is a terminal, that shows how many things are done."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn(doing),
        BarColumn(),
        TextColumn(f"{{task.completed:,}} {things}"),
        TimeElapsedColumn(),
    )
    console = terminal(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda count: bar.update(task, completed=count)
