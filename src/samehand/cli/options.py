"""Arguments and options that several commands have."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from samehand.errors import InputError

MODEL_HELP = "Folder of a model; default: the packaged one (./default: a folder of that name)."
PAIRS_HELP = "pairs.jsonl (plain or gzip) or its folder; or a folder of PAN 2013-15 problems."
TRUTH_HELP = "truth.jsonl (plain or gzip); for PAN 2013-15 truth.txt."

Model = Annotated[str | None, typer.Option("--model", "-m", metavar="MODEL", help=MODEL_HELP)]
FirstModel = Annotated[
    str | None, typer.Argument(metavar="MODEL", help=f"{MODEL_HELP} Not with --model.")
]
FirstPairs = Annotated[str | None, typer.Argument(metavar="PAIRS", help=PAIRS_HELP)]
FirstTruth = Annotated[str | None, typer.Argument(metavar="TRUTH", help=TRUTH_HELP)]
Device = Annotated[
    str,
    typer.Option(
        help="Where the networks run: cpu; or cuda or another device of PyTorch, which the extra "
        "train brings."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")]
AuthorColumn = Annotated[str, typer.Option(help="The column of tables that names the author.")]
TopicColumn = Annotated[str, typer.Option(help="The column of tables that names the topic.")]
TextColumn = Annotated[str, typer.Option(help="The column of tables that holds the text.")]
Format = Annotated[
    str | None,
    typer.Option(
        help="What the corpus is, where samehand does not see it by itself: pan20, pan13, folders, "
        "csv, jsonl or parquet."
    ),
]
SkipBad = Annotated[
    bool,
    typer.Option("--skip-bad", help="Leave out records that cannot be read, and name each."),
]
SkipRepeats = Annotated[
    bool,
    typer.Option(
        "--skip-repeats",
        help="Leave out trials that repeat the texts of another, instead of refusing.",
    ),
]


def model_and_rest(
    named: str | None, places: Sequence[str | None], n_rest: int | None = None
) -> tuple[str | None, list[Path]]:
    """The model, which --model names or else the first argument, and the other arguments.

    `n_rest`: how many others there are; where no more are given, the model is the packaged one.
    """
    given = [place for place in places if place is not None]
    if named is None and given and len(given) != n_rest:
        named, *given = given
    return named, list(map(Path, given))


def model_pairs_truth(
    named: str | None, *places: str | None
) -> tuple[str | None, tuple[Path, Path]]:
    """The model, named as above, and both files of labelled pairs."""
    model, rest = model_and_rest(named, places, 2)
    if len(rest) != 2:
        raise InputError("Give PAIRS and TRUTH, and MODEL before them or as --model MODEL.")
    return model, (rest[0], rest[1])
