"""`samehand evaluate`: score answers against the truth."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from samehand.cli import options
from samehand.cli.console import progress, terminal


class Bins(StrEnum):
    """How the bins of ECE and MCE are laid."""

    equal = "equal"
    adaptive = "adaptive"


def evaluate(
    truth: Annotated[
        Path, typer.Argument(help="truth.jsonl or truth.txt (plain or gzip), or its folder.")
    ],
    answers: Annotated[Path, typer.Argument(help="answers.jsonl (plain or gzip), or its folder.")],
    as_json: options.AsJson = False,
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw the figures into this folder.")
    ] = None,
    pan20_legacy: Annotated[
        bool, typer.Option("--pan20-legacy", help="Compute F0.5u as PAN's table of 2020 does.")
    ] = False,
    pairs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The trials (pairs.jsonl): adds figures by shared topic and length.",
        ),
    ] = None,
    bootstrap: Annotated[
        int,
        typer.Option(
            min=0,
            max=1_000_000,
            metavar="N",
            help="95 % intervals from so many resamples; 0: none.",
        ),
    ] = 0,
    bins: Annotated[
        Bins,
        typer.Option(
            metavar="equal|adaptive",
            help="Bins of the calibration errors ECE and MCE: of equal width, or of equal size.",
        ),
    ] = Bins.equal,
    bin_count: Annotated[
        int, typer.Option(min=1, max=10_000, help="How many such bins there are.")
    ] = 10,
    binary_ece: Annotated[
        bool,
        typer.Option(
            "--binary-ece",
            help="ECE and MCE of the probability of one author, not of the confidence.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling.")] = 0,
) -> None:
    """Score ANSWERS against TRUTH: PAN's measures, calibration, likelihood ratios.

    Examples:
    $ samehand evaluate pan20-test/truth.jsonl answers/answers.jsonl
    $ samehand evaluate pan20-test answers --plots figures --bootstrap 1000
    """
    from samehand.evaluation.answers import read_answers, read_truth
    from samehand.evaluation.calibration_error import Binning
    from samehand.evaluation.strata import read_strata
    from samehand.evaluation.summary import jsonable, report

    if plots:
        from samehand.errors import needs

        needs("plots", "matplotlib")
    binning = Binning("probability" if binary_ece else "confidence", bins.value, bin_count)
    with progress() as watch:
        watch("reading answers")
        known = read_truth(truth)
        given = read_answers(answers, known)
        strata = read_strata(pairs, known) if pairs else None
        watch("computing figures")
        found = report(
            known,
            given,
            strata=strata,
            resamples=bootstrap,
            seed=seed,
            binning=binning,
            legacy=pan20_legacy,
        )
        if plots:
            from samehand.evaluation.figures import save_figures

            watch("drawing figures")
            drawn = save_figures(
                plots, known.same, given.probability, strata=strata, binning=binning
            )
            found["figures"] = [str(path) for path in drawn]
    if as_json:
        import json

        typer.echo(json.dumps(jsonable(found)))
        return
    from samehand.evaluation.table import report_table

    console = terminal()
    console.print(report_table(found))
    for path in found.get("figures", []):
        console.print(f"Drew {path}", soft_wrap=True)
