"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[
    Path | None,
    typer.Option("--model", "-m", metavar="DIR", help="A trained model instead of our own."),
]
AuthorColumn = Annotated[str, typer.Option(help="The author's, in tables.")]
TopicColumn = Annotated[str, typer.Option(help="The topic's, in tables.")]
TextColumn = Annotated[str, typer.Option(help="The text's, in tables.")]
Format = Annotated[
    str | None, typer.Option(help="pan20, pan13, folders, csv, jsonl or parquet, if not clear.")
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out unreadable records, and name them.")
]
