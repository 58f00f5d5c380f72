"""`samehand answer`: PAN's contract for a submission."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from samehand.cli import options
from samehand.cli.console import progress


class Component(StrEnum):
    """The components of the paper's system."""

    dml = "dml"
    bfs = "bfs"
    ual = "ual"


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
    component: Annotated[
        Component | None,
        typer.Option(
            metavar="dml|bfs|ual",
            help="Of a model trained by the preset paper: the posteriors of its metric learning, "
            "its Bayes factor or its adaptation alone, as they are.",
        ),
    ] = None,
    device: options.Device = "cpu",
) -> None:
    """Answer PAN trials: pairs.jsonl in, answers.jsonl out. Memory does not grow with their number.

    A trial in which nothing is decided is answered 0.5, which PAN counts as a non-response.

    Examples:
    $ samehand answer -i pan20-test -o answers
    $ samehand answer -i pan20-test -o answers --model my-model --always
    """
    from samehand.casework.answering import answer as run
    from samehand.verifier import Verifier

    one: Literal["dml", "bfs", "ual"] | None = component.value if component else None
    verifier = Verifier.load(model, device=device, component=one)
    always = always or component is not None
    with progress() as watch:
        done = run(verifier, trials, output / "answers.jsonl", watch, always=always)
    remarks = [f"{done.trials:,} trials"]
    if done.undecided:
        got = "" if always else ", which got 0.5"
        remarks.append(f"{done.undecided:,} undecided{got}")
    if done.too_short:
        remarks.append(
            f"{done.too_short:,} of them with a text too short to compare, which got 0.5"
        )
    typer.echo(f"{'; '.join(remarks)}: {output / 'answers.jsonl'}")
