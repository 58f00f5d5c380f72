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
        bool, typer.Option(help="Give a probability even where nothing is decided.")
    ] = False,
    device: options.Device = "cpu",
) -> None:
    """Answer PAN trials: pairs.jsonl in, answers.jsonl out. Memory does not grow with their number.

    A trial in which nothing is decided is answered 0.5, which PAN counts as a non-response.
    """
    from samehand.casework.answering import answer as run
    from samehand.verifier import Verifier

    verifier = Verifier.load(model, device=device)
    with counting("answering", "trials") as progress:
        done = run(verifier, trials, output / "answers.jsonl", progress, always=always)
    remarks = [f"{done.trials:,} trials"]
    if done.undecided:
        got = "" if always else ", which got 0.5"
        remarks.append(f"{done.undecided:,} undecided{got}")
    if done.too_short:
        remarks.append(
            f"{done.too_short:,} of them with a text too short to compare, which got 0.5"
        )
    typer.echo(f"{'; '.join(remarks)}: {output / 'answers.jsonl'}")
