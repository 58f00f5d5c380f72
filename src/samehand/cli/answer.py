"""`samehand answer`: PAN's contract for a submission."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import counting


def answer(
    trials: Annotated[
        Path, typer.Option("--input", "-i", metavar="DIR", help="Folder with pairs.jsonl.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for answers.jsonl.")
    ],
    model: options.Model = None,
    always: Annotated[
        bool, typer.Option(help="Give a probability even where the model had better not answer.")
    ] = False,
) -> None:
    """Answer PAN trials: pairs.jsonl in, answers.jsonl out. Each distinct text is embedded once.

    What the model had better not answer is answered 0.5, which PAN counts as a non-response.
    """
    from samehand.casework.answering import answer as run
    from samehand.verifier import Verifier

    verifier = Verifier.load(model)
    with counting("answering", "trials") as progress:
        done = run(verifier, trials, output / "answers.jsonl", progress, always=always)
    remarks = [f"{done.trials:,} trials", f"{done.documents:,} distinct texts"]
    if done.without_words:
        remarks.append(f"{done.without_words:,} with a text without words, which got 0.5")
    if done.rejected:
        remarks.append(f"{done.rejected:,} better not answered, which got 0.5")
    typer.echo(f"{', '.join(remarks)}: {output / 'answers.jsonl'}")
