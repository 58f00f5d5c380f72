"""`samehand verify`: a questioned text against known ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli import options
from samehand.cli.console import printed

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from samehand.reading import Reading
    from samehand.verdict import Verdict


def verify(
    questioned: Annotated[
        Path, typer.Argument(help="The text in question: txt, md, html, docx, pdf; - for stdin.")
    ],
    known: Annotated[
        list[Path], typer.Argument(help="One or more texts that are known to be by one author.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a report (HTML, prints to PDF)."),
    ] = None,
    model: options.Model = None,
) -> None:
    """Did the author of the KNOWN texts write the QUESTIONED one?"""
    from dataclasses import replace

    from samehand.cautions.sentences import refuse_too_short
    from samehand.errors import InputError
    from samehand.io.atomic import check_file, write_whole
    from samehand.reading import STDIN, read_text
    from samehand.text.words import words
    from samehand.verdict import Caution

    paths = [questioned, *known]
    if [str(path) for path in paths].count(STDIN) > 1:
        raise InputError("Standard input (-) can be read only once; name files for the others.")
    if report is not None:
        check_file(report, paths)
    readings = [read_text(path) for path in paths]
    for reading in readings:  # before the wait for the model, and by the file's name
        refuse_too_short(reading.source, len(words(reading.text)))

    from samehand.verifier import Verifier

    texts = [reading.text for reading in readings]
    verifier = Verifier.load(model)
    verdict = verifier.verify(texts[0], texts[1:])
    doubtful = tuple(Caution(reading.caution) for reading in readings if reading.caution)
    verdict = replace(verdict, cautions=(*verdict.cautions, *doubtful))
    if report is not None:
        from samehand.report import Case, report_html

        explanation = verifier.explain(texts[0], texts[1:])
        case = Case(verdict, explanation, readings, verifier.description, _command(paths, model))
        write_whole(report, report_html(case))
    if as_json:
        import json

        typer.echo(json.dumps(_jsonable(verdict, readings)))
        return
    printed(lambda console: _print(console, verdict, readings))


def _command(paths: list[Path], model: Path | None) -> str:
    """What to type for the same report again."""
    import shlex

    options = ["--report", "report.html", *(["--model", str(model)] if model else [])]
    named = [str(path) for path in paths]
    if any(name.startswith("-") and name != "-" for name in named):
        named = ["--", *named]
    return shlex.join(["samehand", "verify", *options, *named])


def _jsonable(verdict: "Verdict", readings: list["Reading"]) -> dict[str, Any]:
    """The verdict, with the file of each text."""
    found = verdict.as_dict()
    for facts, reading in zip([found["questioned"], *found["known"]], readings, strict=True):
        facts["file"] = _printable(reading.source)
        facts["file_sha256"] = reading.sha256
    return found


def _print(console: "Console", verdict: "Verdict", readings: list["Reading"]) -> None:
    console.print(verdict.sentence, style="bold")
    console.print()
    console.print(_numbers(verdict))
    console.print()
    console.print(_texts(verdict, readings))
    if verdict.reasons:
        console.print("\nTo be read with care:")
        reasons = _grid(gap=1)
        for reason in verdict.reasons:
            reasons.add_row(" -", _printable(reason))
        console.print(reasons)
    model = verdict.model
    console.print(f"\nModel: {model.name}, made by {model.made_by}, weights {model.sha256[:12]}.")


def _numbers(verdict: "Verdict") -> "Table":
    from samehand.cautions.sentences import plain_lr

    low, high = (plain_lr(bound) for bound in verdict.log10_lr_bounds)
    exactly = f"log10 {verdict.log10_lr:+.2f}; held between {low} and {high}"
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row("likelihood ratio", f"{plain_lr(verdict.log10_lr)} ({exactly})")
    table.add_row("in words", verdict.in_words)
    table.add_row(
        "probability",
        f"{verdict.probability:.3f} that one author wrote them, at prior 1:1",
    )
    return table


def _texts(verdict: "Verdict", readings: list["Reading"]) -> "Table":
    """The texts; where several are known, each with its own likelihood ratio."""
    from samehand.cautions.sentences import plain_lr

    several = len(verdict.known) > 1
    table = _grid()
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(justify="right", no_wrap=True)
    if several:
        table.add_column(justify="right", no_wrap=True)
    names = ["questioned", *(f"known {n}" for n in range(1, len(readings)))]
    names = names if several else ["questioned", "known"]
    texts = [verdict.questioned, *verdict.known]
    for name, reading, facts in zip(names, readings, texts, strict=True):
        cells = [name, _printable(reading.source), f"{facts.words:,} words"]
        if several:
            own = facts.log10_lr
            cells.append("" if own is None else f"LR {plain_lr(own)} alone")
        table.add_row(*cells)
    return table


def _grid(gap: int = 2) -> "Table":
    """Columns without lines, with a gap before each."""
    from rich.table import Table

    return Table.grid(padding=(0, 0, 0, gap), pad_edge=True)


def _printable(text: str) -> str:
    """File names may hold bytes that are no characters."""
    return text.encode("utf-8", "replace").decode("utf-8")
