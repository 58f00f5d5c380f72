"""`samehand answer`: PAN's contract for a submission."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli.console import answering


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
    from samehand.answering import answer as run
    from samehand.verifier import Verifier

    verifier = Verifier.load(model)
    with answering() as progress:
        done = run(verifier, trials, output / "answers.jsonl", progress)
    unsure = (
        f"; {done.without_words:,} hold a text without words and got 0.5"
        if done.without_words
        else ""
    )
    typer.echo(
        f"{done.trials:,} trials, {done.documents:,} distinct texts{unsure}: "
        f"{output / 'answers.jsonl'}"
    )
