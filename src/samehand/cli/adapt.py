"""`samehand adapt`: a model for a case; and `acquaint` and `calibrate`, other names of it."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import counting

_TEXTS = "Texts of the case's kind by other people: files, folders of them, corpora, trials."

Texts = Annotated[list[Path], typer.Argument(help=_TEXTS)]
Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the new model.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace a model in that place.")]


def adapt(
    model: options.NamedModel,
    output: Output,
    texts: Annotated[list[Path] | None, typer.Argument(help=_TEXTS)] = None,
    pairs: Annotated[Path | None, typer.Option(help=options.PAIRS_HELP)] = None,
    truth: Annotated[Path | None, typer.Option(help=options.TRUTH_HELP)] = None,
    text_column: options.TextColumn = "text",
    skip_repeats: options.SkipRepeats = False,
    as_json: options.AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a MODEL to a case: to its genre, period and lengths.

    Bring TEXTS of that kind by people who have nothing to do with the case;
    who they are need not be known. Or bring pairs of such texts, with the
    truth. Or both. Ten texts by others are a start, ten pairs of either kind
    too, more is better. The new model holds vectors of the texts, none of
    their words. Validate it on other texts.
    """
    from samehand.casework.adapting import Brought
    from samehand.casework.adapting import adapt as run

    brought = Brought(tuple(texts or ()), pairs, truth, text_column)
    with counting("embedding", "texts") as progress:
        found = run(
            options.named(model), brought, output,
            force=force, skip_repeats=skip_repeats, progress=progress,
        )  # fmt: skip
    if as_json:
        import json

        typer.echo(json.dumps(found.model_dump(mode="json") | {"output": str(output)}))
        return
    typer.echo(f"Adapted to {found.in_words()}: {output}")


def acquaint(
    model: options.NamedModel,
    texts: Texts,
    output: Output,
    text_column: options.TextColumn = "text",
    as_json: options.AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a MODEL to TEXTS by other people; another name of `samehand adapt`."""
    adapt(model, output, texts, text_column=text_column, as_json=as_json, force=force)


def calibrate(
    model: options.NamedModel,
    pairs: options.Pairs,
    truth: options.Truth,
    output: Output,
    skip_repeats: options.SkipRepeats = False,
    as_json: options.AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a MODEL to PAIRS of texts with their TRUTH; another name of `samehand adapt`."""
    adapt(
        model, output, pairs=pairs, truth=truth,
        skip_repeats=skip_repeats, as_json=as_json, force=force,
    )  # fmt: skip
