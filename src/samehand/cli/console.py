"""What several commands do with the terminal."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console


def printed(write: Callable[["Console"], None]) -> None:
    """Print what is written to a console, without the blanks that tables pad their cells with."""
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    with console.capture() as captured:
        write(console)
    for line in captured.get().splitlines():
        typer.echo(line.rstrip())


@contextmanager
def counting(doing: str, things: str) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, if that is a terminal, that shows how many things are done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn(doing),
        BarColumn(),
        TextColumn(f"{{task.completed:,}} {things}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda count: bar.update(task, completed=count)
