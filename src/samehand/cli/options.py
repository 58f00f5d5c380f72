"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

MODEL_HELP = "Folder of a model, or the word default for the packaged one."
PAIRS_HELP = "pairs.jsonl (plain or gzip) or its folder; or a folder of PAN 2013-15 problems."
TRUTH_HELP = "truth.jsonl (plain or gzip); for PAN 2013-15 truth.txt."

Model = Annotated[
    Path | None,
    typer.Option("--model", "-m", metavar="DIR", help="A trained model instead of our own."),
]
NamedModel = Annotated[Path, typer.Argument(help=MODEL_HELP)]
Pairs = Annotated[Path, typer.Argument(help=PAIRS_HELP)]
Truth = Annotated[Path, typer.Argument(help=TRUTH_HELP)]
Device = Annotated[
    str, typer.Option(help="cpu; or cuda or another of PyTorch's, with the extra train.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
AuthorColumn = Annotated[str, typer.Option(help="The author's, in tables.")]
TopicColumn = Annotated[str, typer.Option(help="The topic's, in tables.")]
TextColumn = Annotated[str, typer.Option(help="The text's, in tables.")]
Format = Annotated[
    str | None, typer.Option(help="pan20, pan13, folders, csv, jsonl or parquet, if not clear.")
]
SkipBad = Annotated[
    bool, typer.Option("--skip-bad", help="Leave out unreadable records, and name them.")
]
SkipRepeats = Annotated[
    bool,
    typer.Option(
        "--skip-repeats",
        help="Leave out trials that repeat the texts of another, instead of refusing.",
    ),
]


def named(model: Path) -> Path | None:
    """The folder that was named, or None for the packaged model."""
    return None if str(model) == "default" else model
