"""`samehand answer`: PAN's contract for a submission."""

from pathlib import Path
from typing import Annotated

import typer


def answer(
    trials: Annotated[
        Path, typer.Option("--input", "-i", metavar="DIR", help="Folder with pairs.jsonl.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for answers.jsonl.")
    ],
    model: Annotated[
        Path | None,
        typer.Option("--model", "-m", metavar="DIR", help="A trained model instead of our own."),
    ] = None,
) -> None:
    """Answer PAN trials: pairs.jsonl in, answers.jsonl out. Each distinct text is embedded once."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from samehand.answering import answer as run
    from samehand.verifier import Verifier

    verifier = Verifier.load(model)
    columns = (
        TextColumn("answering"),
        BarColumn(),
        TextColumn("{task.completed:,} trials"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None)
        done = run(
            verifier,
            trials,
            output / "answers.jsonl",
            lambda count: bar.update(task, completed=count),
        )
    unsure = (
        f"; {done.without_words:,} hold a text without words and got 0.5"
        if done.without_words
        else ""
    )
    typer.echo(
        f"{done.trials:,} trials, {done.documents:,} distinct texts{unsure}: "
        f"{output / 'answers.jsonl'}"
    )
