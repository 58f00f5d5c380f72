"""`samehand compare`: several systems on the same trials."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import progress, terminal


def compare(
    truth: Annotated[
        Path, typer.Argument(help="truth.jsonl or truth.txt (plain or gzip), or its folder.")
    ],
    answers: Annotated[
        list[Path],
        typer.Argument(
            help="Answers of each system; the first is what the others are compared with."
        ),
    ],
    as_json: options.AsJson = False,
    bootstrap: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            metavar="N",
            help="95 % intervals from so many resamples; 0: none.",
        ),
    ] = 1000,
    pan20_legacy: Annotated[
        bool, typer.Option("--pan20-legacy", help="Compute F0.5u as PAN's table of 2020 does.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling.")] = 0,
) -> None:
    """Compare systems on the same trials, with paired bootstrap differences from the first.

    Examples:
    $ samehand compare truth.jsonl ours/answers.jsonl theirs/answers.jsonl
    """
    from samehand.evaluation.answers import read_answers, read_truth
    from samehand.evaluation.summary import comparison, jsonable

    with progress() as watch:
        watch("reading answers")
        known = read_truth(truth)
        systems = [read_answers(path, known) for path in answers]
        watch("computing figures")
        found = comparison(
            known, systems, _names(answers), resamples=bootstrap, seed=seed, legacy=pan20_legacy
        )
    if as_json:
        import json

        typer.echo(json.dumps(jsonable(found)))
        return
    from samehand.evaluation.table import comparison_table

    console = terminal()
    if not console.is_terminal:
        console.width = max(console.width, 16 + 32 * len(systems))
    console.print(comparison_table(found))


def _names(answers: list[Path]) -> list[str]:
    """The name of each system's file or folder; its whole path where that is not unique."""
    names = []
    for path in answers:
        name = path.name
        for ending in (".gz", ".jsonl", ".json"):
            name = name.removesuffix(ending)
        if name == "answers":
            name = path.resolve().parent.name
        names.append(name or path.resolve().name)
    if len(set(names)) < len(names):
        names = [str(path) for path in answers]
    return [name.encode("utf-8", "replace").decode("utf-8") for name in names]
