"""Terminal output for several commands."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

import typer

from samehand.errors import InputError
from samehand.io.progress import Progress

if TYPE_CHECKING:
    from rich.console import Console

_WIDTH = 80
"""Of a terminal that does not know its own."""
_BAR = 20
"""Columns of a bar."""
EVERY = 30.0
"""Seconds from one line to the next where stderr is no terminal."""


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
    """A handler for records that cannot be used, by fault: the option `--skip-bad`."""
    errors = terminal(stderr=True, soft_wrap=True)

    def report(fault: str) -> None:
        if not skip:
            raise InputError(f"{fault}, or pass --skip-bad to leave it out")
        errors.print(f"skipped: {fault}")

    return report


@contextmanager
def progress() -> Iterator[Progress]:
    """Show on stderr how far along a job is: a bar on a terminal, elsewhere a line now and then."""
    watch, console = _Watch(), terminal(stderr=True)
    with _bar(watch, console) if console.is_terminal else _lines(watch):
        yield watch


@contextmanager
def _bar(watch: "_Watch", console: "Console") -> Iterator[None]:
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    def shown() -> "Table":
        line = Table.grid(padding=(0, 1))
        if watch.doing:
            bar = ProgressBar(watch.total, watch.done, width=_BAR, pulse=not watch.total)
            line.add_row(bar, watch.told())
        return line

    with Live(console=console, get_renderable=shown, transient=True):
        yield


@contextmanager
def _lines(watch: "_Watch") -> Iterator[None]:
    ended = Event()

    def tell() -> None:
        while not ended.wait(EVERY):
            if watch.doing:
                typer.echo(watch.told(), err=True)

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


class _Watch:
    """How far along a job is, and since when its present step is at work."""

    def __init__(self) -> None:
        self.doing, self.note = "", ""
        self.done, self.total = 0, 0
        self._first, self._since = 0, 0.0

    def __call__(self, doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        if doing != self.doing:
            self._first, self._since = done, monotonic()
        self.doing, self.note = doing, note
        self.done, self.total = done, max(total or 0, done if total else 0)

    def told(self) -> str:
        """All of it on one line."""
        gone = monotonic() - self._since
        told = self.doing
        if self.total:
            told += f": {self.done:,} of {self.total:,}"
        elif self.done:
            told += f": {self.done:,}"
        times = [_clock(gone)]
        if self.total and self.done > self._first:
            left = gone * (self.total - self.done) / (self.done - self._first)
            times.append(f"about {_clock(left)} left")
        return f"{told}{f', {self.note}' if self.note else ''} ({', '.join(times)})"


def _clock(seconds: float) -> str:
    """A duration as 0:02:10."""
    return str(timedelta(seconds=round(seconds)))
