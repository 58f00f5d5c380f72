"""`samehand embed`: a corpus to vectors of style."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import progress, unusable_records


def embed(
    corpus: Annotated[
        Path,
        typer.Argument(help="A PAN folder, an author/topic/text.txt tree, CSV, JSONL, Parquet."),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="File to make, .parquet or .jsonl."),
    ],
    model: options.Model = None,
    author_column: options.AuthorColumn = "author",
    topic_column: options.TopicColumn = "topic",
    text_column: options.TextColumn = "text",
    format: options.Format = None,
    skip_bad: options.SkipBad = False,
    device: options.Device = "cpu",
) -> None:
    """Write the vector of style (LEV) of each document of CORPUS to a file.

    Beside it stands how many tokens were read. Parquet needs the extra tables,
    JSON Lines (.jsonl) nothing.

    Examples:
    $ samehand embed posts.jsonl -o vectors.jsonl
    $ samehand embed novels.csv --text-column body -o vectors.parquet
    """
    from samehand.casework.embedding import embed as run
    from samehand.corpus.readers import Columns
    from samehand.verifier import Verifier

    verifier = Verifier.load(model, device=device)
    with progress() as watch:
        done = run(
            verifier,
            corpus,
            output,
            Columns(author_column, topic_column, text_column),
            format,
            unusable_records(skip_bad),
            watch,
        )
    empty = f"; {done.without_words:,} without words have no LEV" if done.without_words else ""
    typer.echo(f"{done.documents:,} documents{empty}: {output}")
