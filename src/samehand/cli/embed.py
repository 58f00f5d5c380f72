"""`samehand embed`: a corpus to vectors of style."""

from pathlib import Path
from typing import Annotated

import typer


def embed(
    corpus: Annotated[
        Path,
        typer.Argument(help="A PAN folder, an author/topic/text.txt tree, CSV, JSONL, Parquet."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="LEVS.parquet", help="File to make.")
    ],
    model: Annotated[
        Path | None,
        typer.Option("--model", "-m", metavar="DIR", help="A trained model instead of our own."),
    ] = None,
    author_column: Annotated[str, typer.Option(help="The author's, in tables.")] = "author",
    topic_column: Annotated[str, typer.Option(help="The topic's, in tables.")] = "topic",
    text_column: Annotated[str, typer.Option(help="The text's, in tables.")] = "text",
    format: Annotated[
        str | None, typer.Option(help="pan20, pan13, folders, csv, jsonl or parquet, if not clear.")
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out unreadable records, and name them.")
    ] = False,
) -> None:
    """Write the linguistic embedding vector (LEV) of each document of CORPUS to a Parquet file."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from samehand.corpus.readers import Columns
    from samehand.embedding import embed as run
    from samehand.verifier import Verifier

    verifier = Verifier.load(model)
    columns = (
        TextColumn("embedding"),
        BarColumn(),
        TextColumn("{task.completed:,} documents"),
        TimeElapsedColumn(),
    )
    errors = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=None)
        done = run(
            verifier,
            corpus,
            output,
            Columns(author_column, topic_column, text_column),
            format,
            (lambda fault: errors.print(f"skipped: {fault}")) if skip_bad else None,
            lambda count: bar.update(task, completed=count),
        )
    empty = f"; {done.without_words:,} without words have no LEV" if done.without_words else ""
    typer.echo(f"{done.documents:,} documents{empty}: {output}")
