"""`samehand fit`: from trained networks to a model that answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from samehand.cautions.caution import plain_lr
from samehand.cli.console import progress
from samehand.errors import needs

Evidence = Literal["paper", "genres"]


def fit(
    store: Annotated[Path, typer.Argument(help="A folder made by samehand prepare.")],
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN",
            help="Folders made by samehand train, or of models; default: the packaged model.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder for the model.")
    ],
    judge: Annotated[
        list[str],
        typer.Option(
            metavar="RUN",
            help="A network that does not belong to the model, trained without some sources: it "
            "tells what to expect of a genre that nobody has met. May be given several times.",
        ),
    ] = [],  # noqa: B006
    evidence: Annotated[
        Evidence | None,
        typer.Option(
            metavar="paper|genres",
            help="paper: the networks' own Bayes factor; genres: one fitted to the genres in "
            "STORE. Where it is not said, paper if the networks have one.",
        ),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="The name that the model tells of itself.")
    ] = None,
    use: Annotated[
        str | None,
        typer.Option(metavar="SENTENCE", help="What the model may be used for, in a sentence."),
    ] = None,
    unmet: Annotated[
        bool,
        typer.Option(
            "--unmet", help="Use all authors of STORE: the networks have met none of them."
        ),
    ] = False,
    half: Annotated[
        bool, typer.Option("--half", help="Round weights to half precision, for half the size.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Seed of the drawing of texts and trials.")] = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a model that is in MODEL.")
    ] = False,
) -> None:
    """Fit evidence to authors of STORE whom no network has learned from.

    The model has all networks of all RUNs. Those trained with the preset paper judge by their own
    Bayes factor, others by the genres in STORE. It is validated on genres left out in turn (on
    authors, where genres are few), which gives the bounds of its likelihood ratios. Sources that
    some networks were trained without are judged by these, too, as a genre is that no network
    knows. Sources are told apart by their names.

    Examples:
    $ samehand fit store run-1 run-2 -o model
    $ samehand fit store default -o model --unmet
    """
    needs("train", "torch")
    from samehand.corpus.store import Store
    from samehand.fitting.fit import fit as run
    from samehand.verifier import model_folder

    places, judges = [model_folder(named) for named in runs], [model_folder(each) for each in judge]
    with progress() as watch:
        model = run(
            Store.open(store), places, output,
            judges=judges, evidence=evidence, name=name, use=use, unmet=unmet,
            half=half, seed=seed, force=force, progress=watch,
        )  # fmt: skip
    low, high = (plain_lr(bound) for bound in model.description.log10_lr_bounds or (0.0, 0.0))
    figures = model.description.about.validation.figures
    typer.echo(
        f"The model is in {output}. On trials left out: AUC {figures['auc']:.3f}, "
        f"Cllr {figures['cllr']:.3f}; likelihood ratios are held between {low} and {high}."
    )
