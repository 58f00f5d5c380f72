"""`samehand fit`: from trained networks to a model that answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from samehand.cautions.caution import plain_lr
from samehand.cli.console import terminal
from samehand.errors import needs

Evidence = Literal["paper", "genres"]


def fit(
    store: Annotated[Path, typer.Argument(help="A folder made by `samehand prepare`.")],
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders made by `samehand train`, or models."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="Folder for the model.")
    ],
    evidence: Annotated[
        Evidence | None,
        typer.Option(help="paper: the networks' own Bayes factor, if they have one; or genres."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the model is called.")] = None,
    use: Annotated[str | None, typer.Option(help="A sentence: what it may be used for.")] = None,
    unmet: Annotated[
        bool, typer.Option("--unmet", help="The networks have learned from nobody in STORE.")
    ] = False,
    half: Annotated[
        bool, typer.Option("--half", help="Round weights to half precision, for half the size.")
    ] = False,
    seed: Annotated[int, typer.Option(help="For the drawing of texts and trials.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a model in MODEL.")] = False,
) -> None:
    """Fit evidence to authors of STORE whom no network has learned from.

    The model has all networks of all RUNs. Those trained with the preset paper judge by their own
    Bayes factor, others by the genres in STORE. It is validated on genres left out in turn (on
    authors, where genres are few), which gives the bounds of its likelihood ratios.
    """
    needs("train", "torch")
    from samehand.corpus.store import Store
    from samehand.fitting.fit import fit as run

    errors = terminal(stderr=True, soft_wrap=True)
    model = run(
        Store.open(store), runs, output,
        evidence=evidence, name=name, use=use, unmet=unmet,
        half=half, seed=seed, force=force, tell=errors.print,
    )  # fmt: skip
    low, high = (plain_lr(bound) for bound in model.description.log10_lr_bounds or (0.0, 0.0))
    figures = model.description.about.validation.figures
    typer.echo(
        f"The model is in {output}. On trials left out: AUC {figures['auc']:.3f}, "
        f"Cllr {figures['cllr']:.3f}; likelihood ratios are held between {low} and {high}."
    )
