"""`samehand adapt`: a model for a case; and `acquaint` and `calibrate`, other names of it."""

from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import progress

_TEXTS = "Texts of the case's kind by other people: files, folders of them, corpora, trials."

Output = Annotated[
    Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the new model.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace a model that is in DIR.")]


def adapt(
    output: Output,
    model: options.FirstModel = None,
    texts: Annotated[list[str] | None, typer.Argument(help=_TEXTS)] = None,
    named: options.Model = None,
    pairs: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Labelled pairs: {options.PAIRS_HELP}")
    ] = None,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"Their truth: {options.TRUTH_HELP}")
    ] = None,
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

    Examples:
    $ samehand adapt default letters-by-others -o adapted
    $ samehand adapt --model default --pairs pairs.jsonl --truth truth.jsonl -o adapted
    """
    from samehand.casework.adapting import Brought
    from samehand.casework.adapting import adapt as run

    chosen, files = options.model_and_rest(named, [model, *(texts or ())])
    brought = Brought(tuple(files), pairs, truth, text_column)
    with progress() as watch:
        found = run(
            chosen, brought, output,
            force=force, skip_repeats=skip_repeats, progress=watch,
        )  # fmt: skip
    if as_json:
        import json

        typer.echo(json.dumps(found.model_dump(mode="json") | {"output": str(output)}))
        return
    typer.echo(f"Adapted to {found.in_words()}: {output}")
    typer.echo(
        "What its likelihood ratios are worth on texts of this kind is not known yet; try it on "
        "other pairs (samehand validate)."
    )


def acquaint(
    output: Output,
    model: options.FirstModel = None,
    texts: Annotated[list[str] | None, typer.Argument(help=_TEXTS)] = None,
    named: options.Model = None,
    text_column: options.TextColumn = "text",
    as_json: options.AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a MODEL to TEXTS by other people; another name of samehand adapt.

    Examples:
    $ samehand acquaint default letters-by-others -o adapted
    """
    adapt(output, model, texts, named, text_column=text_column, as_json=as_json, force=force)


def calibrate(
    output: Output,
    model: options.FirstModel = None,
    pairs: options.FirstPairs = None,
    truth: options.FirstTruth = None,
    named: options.Model = None,
    skip_repeats: options.SkipRepeats = False,
    as_json: options.AsJson = False,
    force: Force = False,
) -> None:
    """Adapt a MODEL to PAIRS of texts with their TRUTH; another name of samehand adapt.

    Examples:
    $ samehand calibrate default pairs.jsonl truth.jsonl -o adapted
    """
    chosen, (of_pairs, of_truth) = options.model_pairs_truth(named, model, pairs, truth)
    adapt(
        output, named=chosen, pairs=of_pairs, truth=of_truth,
        skip_repeats=skip_repeats, as_json=as_json, force=force,
    )  # fmt: skip
