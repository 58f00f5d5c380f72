"""`samehand model`: what there is to know of a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samehand.cli import options
from samehand.cli.console import printed
from samehand.cli.units import units
from samehand.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from samehand.report.model_card import ModelCard

model = typer.Typer(
    name="model",
    help="What there is to know of a model.",
    no_args_is_help=True,
    add_completion=False,
)

_SHOWN = ("n", "auc", "c@1", "brier", "ece", "cllr", "eer")
"""Figures that fit on a line of 80 columns; `--json` has all."""

_MASKED = {"rare": "others as spelt", "suffix": "others by shape and ending"}
"""A network's view of words beyond those it knows."""


@model.callback()
def _group() -> None:
    """What there is to know of a model."""


@model.command()
def show(
    first: options.FirstModel = None,
    named: options.Model = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what a model is, what it learnt from, how it did, and what it is for.

    Examples:
    $ samehand model show
    $ samehand model show my-model --json
    """
    from samehand.report.model_card import describe
    from samehand.verifier import model_folder

    place = model_folder(_one_of(first, named))
    card = describe(place)
    size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
    if as_json:
        import json

        from samehand.evaluation.summary import jsonable

        typer.echo(json.dumps(jsonable(card.as_dict() | {"bytes": size})))
        return
    printed(lambda console: _print(console, card, size))


@model.command()
def verify(
    first: options.FirstModel = None,
    named: options.Model = None,
    sha256: Annotated[
        str | None,
        typer.Option(
            "--sha256",
            metavar="DIGEST",
            help="SHA-256 of model.json, as the maker of the model states it.",
        ),
    ] = None,
    signed_by: Annotated[
        Path | None,
        typer.Option(
            "--signed-by",
            metavar="KEY.pub",
            help="The maker's public key of OpenSSH, by which model.json.sig is checked.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Check that every file of a model is the one that was made.

    model.json states the SHA-256 of every other file. Its own has to come
    from whoever made the model; that of the packaged model is known.

    Examples:
    $ samehand model verify
    $ samehand model verify my-model --sha256 8b1f3c
    $ samehand model verify my-model --signed-by maker.pub
    """
    from samehand.model.folder import manifest_sha256, read_model, strangers
    from samehand.model.packaged import SHA256
    from samehand.model.signature import check_signature
    from samehand.verifier import model_folder

    place = model_folder(_one_of(first, named))
    described, manifest = (
        read_model(place, without_evidence=True).description,
        manifest_sha256(place),
    )
    if sha256 is not None and sha256.lower() != manifest:
        raise InputError(
            f"{place}: model.json has the SHA-256 {manifest}, not the one that is stated; get the "
            "model from its maker again."
        )
    if odd := strangers(place, described):
        raise InputError(f"{place}: {odd[0]} is no part of the model; take it away.")
    if signed_by is not None:
        check_signature(place, signed_by)
    files = {"model.json": manifest, **described.files}
    if as_json:
        import json

        said = {
            "sha256": described.digest(),
            "files": files,
            "packaged": manifest == SHA256,
            "signed": signed_by is not None,
        }
        typer.echo(json.dumps(said))
        return
    for name, digest in files.items():
        typer.echo(f"{digest}  {name}")
    typer.echo(f"\nAll files are those that model.json states ({described.name}).")
    if manifest == SHA256:
        typer.echo("It is the model that comes with this samehand.")
    elif signed_by is not None:
        typer.echo(f"It is signed by the key in {signed_by}.")
    elif sha256 is None:
        typer.echo("Compare the SHA-256 of model.json with the one that the model's maker states.")


model.command()(units)


def _one_of(first: str | None, named: str | None) -> str | None:
    if None not in (first, named):
        raise InputError(f"Name one model; {first} and {named} are two.")
    return named if first is None else first


def _print(console: "Console", card: "ModelCard", size: int) -> None:
    from samehand.report.genre_names import in_families

    console.print(card.name, style="bold")
    console.print(f"SHA-256 {card.sha256}")
    reads = min(network.most_tokens for network in card.networks)
    console.print(
        f"Made by {card.made_by}; {size / 1e6:.1f} MB; reads the first {reads:,} tokens of a text."
    )
    console.print()
    console.print(_networks(card))
    console.print("\nEvidence", style="bold")
    console.print(card.in_words)
    if card.genres:
        console.print(f"Genres it knows, {in_families(card.genres)}.")
    if card.case:
        console.print("\nCase", style="bold")
        console.print(card.case.in_words)
    console.print()
    _print_data(console, card)
    console.print()
    _print_validation(console, card)
    for title, said in (("Limits", card.limits), ("Use", card.use)):
        console.print(f"\n{title}", style="bold")
        console.print(said)


def _networks(card: "ModelCard") -> "Table":
    several = len(card.networks) > 1
    title = f"{len(card.networks)} networks" if several else "One network"
    table = _table(title, "", "weights", "LEV", "words known")
    for network in card.networks:
        table.add_row(
            network.name,
            f"{network.parameters:,}",
            str(network.lev_size),
            f"{network.words:,}; {_MASKED[network.masking]}",
        )
    table.columns[-1].justify = "left"
    return table


def _print_data(console: "Console", card: "ModelCard") -> None:
    data = card.data
    trained = data.training or {
        name: counts for name, counts in data.parts.items() if name != "trials" and counts.documents
    }
    if not trained:
        console.print("Training data", style="bold")
        console.print("The model does not say what it learnt from.")
        return
    title = "Training data" if data.training else "Training data and what was kept apart"
    table = _table(title, "", "documents", "authors", "words")
    total = data.parts.get("train") if data.training else None
    for name, counts in (trained | ({"all": total} if total else {})).items():
        table.add_row(name, *map(_count, (counts.documents, counts.authors, counts.words)))
    console.print(table)
    if not data.training and data.sources:
        console.print(f"Sources of all of these: {', '.join(data.sources)}.")


def _print_validation(console: "Console", card: "ModelCard") -> None:
    from samehand.cautions.caution import plain_lr
    from samehand.evaluation.told_figures import FIGURES, figure

    validation = card.validation
    rows = {"all trials": validation.figures} if validation.figures else {}
    rows |= validation.sets
    shown = [name for name in _SHOWN if any(name in row for row in rows.values())]
    if rows:
        table = _table("Validation", "", *(FIGURES[name] for name in shown))
        for title, row in rows.items():
            table.add_row(title, *(figure(name, row.get(name)) for name in shown))
        console.print(table)
        console.print(
            "AUC: 1 is best, 0.5 is chance. Cllr: 0 is best, 1 says nothing, more misleads. "
            "ECE: 0 is best."
        )
    else:
        console.print("Validation", style="bold")
        console.print("The model states no figures.")
    if validation.on:
        console.print(f"On {validation.on.rstrip('.')}.")
    low, high = map(plain_lr, card.log10_lr_bounds)
    why = "by these trials" if card.validated else "as every model without validation is"
    console.print(f"Likelihood ratios are held between {low} and {high}, {why}.")


def _table(title: str, *heads: str) -> "Table":
    """Names to the left, numbers to the right, no lines."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for place, head in enumerate(heads):
        table.add_column(head, justify="right" if place else "left", overflow="fold")
    return table


def _count(counted: int | None) -> str:
    """A dash where it was not counted."""
    return "–" if counted is None else f"{counted:,}"
