"""`samehand link`: accounts of an index that may be one person's."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from samehand.cli import options
from samehand.cli.console import printed, progress

if TYPE_CHECKING:
    from rich.console import Console

    from samehand.index.linking import Linked

_SHOWN = 50
"""Groups that are printed."""


def link(
    index: Annotated[str, typer.Argument(help="An index that samehand index made.")],
    second_accounts: Annotated[
        float,
        typer.Option(
            metavar="P", help="Share of the accounts whose author has another one here: the prior."
        ),
    ] = 0.1,
    expect_false: Annotated[
        float,
        typer.Option(
            metavar="N", help="Pairs of different people that may be listed, on average, of all."
        ),
    ] = 1.0,
    nearest: Annotated[
        int, typer.Option(min=1, max=1000, help="Accounts near to each that are compared with it.")
    ] = 20,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write all pairs as .parquet or .json."
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the likeliest groups, as .png, .svg or .pdf."),
    ] = None,
    as_json: options.AsJson = False,
    model: options.Model = None,
) -> None:
    """Which accounts (authors) of INDEX may be one person's? A list for review, not a verdict.

    Each pair has a likelihood ratio and a probability, each group the share of
    its pairs that is expected to be right. Where more pairs of different people
    than --expect-false could reach every likelihood ratio there is, nobody is
    listed.

    Examples:
    $ samehand link posts.index
    $ samehand link posts.index --expect-false 100 --second-accounts 0.05 -o review.parquet
    """
    from samehand.index import Index
    from samehand.index.linking_files import check_linked, write_linked
    from samehand.verifier import Verifier

    check_linked(output, picture)
    opened = Index.open(index, Verifier.load(model))
    with progress() as watch:
        linked = opened.link(
            second_accounts=second_accounts,
            expect_false=expect_false,
            nearest=nearest,
            progress=watch,
        )
    write_linked(linked, output, picture)
    if as_json:
        typer.echo(json.dumps({"index": index, **linked.as_dict()}, ensure_ascii=False, indent=2))
        return
    printed(lambda console: _print(console, linked))


def _print(console: "Console", linked: "Linked") -> None:
    from rich.table import Table

    from samehand.cautions.caution import plain_lr

    console.print(linked.sentence, soft_wrap=True)
    if not linked.groups:
        return
    table = Table("expected precision", "LR of pairs", "accounts", box=None)
    for group in linked.groups[:_SHOWN]:
        lrs = sorted(found.log10_lr for found in group.links)
        least, most = plain_lr(lrs[0]), plain_lr(lrs[-1])
        names = ", ".join(linked.names[account] for account in group.accounts)
        table.add_row(
            f"{group.expected_precision:.2%}", least if least == most else f"{least}–{most}", names
        )
    console.print(table)
    if (more := len(linked.groups) - _SHOWN) > 0:
        console.print(f"and {more:,} more: see --json, or -o FILE.parquet", soft_wrap=True)
