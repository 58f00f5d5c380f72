"""`samehand verify --each`: a class, each new text against earlier ones of the same writer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from samehand.cli.console import printed, progress
from samehand.cli.verdict_printed import printable
from samehand.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from samehand.casework.class_folders import WriterRead
    from samehand.casework.class_of_writers import ClassFindings
    from samehand.report.class_report import ReportedClass


_REPORTS = (".html", ".htm", ".pdf", ".csv")


class Asked(NamedTuple):
    """The command's options for the findings."""

    report: Path | None
    log: Path | None
    as_json: bool
    with_probability: bool
    threshold: float | None
    command: str


def verify_each(
    new: Path, earlier: Sequence[Path], model: str | None, device: str, prior: float, asked: Asked
) -> None:
    """Compare, and print a table or JSON; write the report and the log, if they are wanted."""
    from samehand.casework.class_folders import find_class, read_class
    from samehand.casework.class_of_writers import compare_each
    from samehand.report.class_report import ReportedClass
    from samehand.report.numbers import rounded
    from samehand.verifier import Verifier

    if len(earlier) != 1:
        raise InputError("With --each, give two folders: of new texts, and of earlier ones.")
    _check_outputs([new, *earlier], asked)
    folders = find_class(new, earlier[0])
    with progress() as watch:
        read = read_class(folders, watch)
        verifier = Verifier.load(model, device=device)
        found = compare_each(verifier, [each.writer for each in read], prior=prior, progress=watch)
    shown = (
        replace(each, verdict=each.verdict and rounded(each.verdict)) for each in found.findings
    )
    found = replace(found, findings=tuple(shown))
    reported = ReportedClass(
        found, [each.readings for each in read], folders.without_new,
        asked.with_probability, asked.threshold, asked.command,
    )  # fmt: skip
    digest = _write(reported, asked.report)
    if asked.log is not None:
        _log(asked.log, found, read, digest)
    if asked.as_json:
        _print_json(reported)
        return
    printed(lambda console: _print(console, reported))


def _print_json(reported: "ReportedClass") -> None:
    import json

    from samehand.report.class_report import decision

    found = reported.found.as_dict()
    if reported.threshold is not None:
        for written, finding in zip(found["writers"], reported.found.findings, strict=True):
            if finding.verdict is not None:
                written["decision"] = decision(reported, finding.verdict)
        found["threshold"] = reported.threshold
    typer.echo(json.dumps(found | {"without_new_text": list(reported.without_new)}))


def _check_outputs(folders: Sequence[Path], asked: Asked) -> None:
    """Raise unless the report has a known form, and nothing is written among the texts."""
    report = asked.report
    if report is not None and report.suffix.lower() not in _REPORTS:
        raise InputError(f"{report}: a table is written as .html, .pdf or .csv; name it so.")
    for output in (report, asked.log):
        for folder in folders:
            if output is not None and folder.resolve() in output.resolve().parents:
                raise InputError(
                    f"{output}: is among the texts of {folder}, and would be taken for one next "
                    "time; choose another place."
                )


def _write(reported: "ReportedClass", report: Path | None) -> str | None:
    """Write the report; its SHA-256."""
    from hashlib import sha256

    from samehand.io.atomic import whole_file
    from samehand.report.class_report import class_csv, class_html
    from samehand.report.printing import write_document

    if report is None:
        return None
    if report.suffix.lower() != ".csv":
        return write_document(report, class_html(reported))
    content = class_csv(reported).encode("utf-8-sig", "replace")  # as spreadsheets know it
    with whole_file(report) as file:
        file.write(content)
    return sha256(content).hexdigest()


def _log(
    log: Path, found: "ClassFindings", read: Sequence["WriterRead"], digest: str | None
) -> None:
    from samehand.casework.verdict_log import entry
    from samehand.io import chained_log

    for finding, each in zip(found.findings, read, strict=True):
        if finding.verdict is not None:
            chained_log.append(log, entry(finding.verdict, each.readings, digest))


def _print(console: "Console", reported: "ReportedClass") -> None:
    from rich.table import Table

    from samehand.report.class_report import (
        MANY,
        MEANING,
        head,
        not_compared,
        opening,
        reasons,
        rows,
    )

    found = reported.found
    console.print(opening(found), style="bold")
    console.print(f"{MEANING}\n")
    table = Table(box=None, pad_edge=False)
    for name in head(reported):
        table.add_column(name, overflow="fold")
    for cells in rows(reported):
        table.add_row(*map(printable, cells))
    console.print(table)
    for supposed, expected in found.expectations:
        _print_list(console, supposed, expected)
    console.print(f"\n{MANY}")
    for title, said in (
        ("To be read with care:", reasons(found)),
        ("Not compared:", not_compared(found, reported.without_new)),
    ):
        if said:
            _print_list(console, title, [f"{name}: {' '.join(of)}" for name, of in said.items()])
    if found.compared:
        model = found.compared[0].model
        console.print(
            f"\nModel: {model.name}, made by {model.made_by}, SHA-256 {model.sha256[:12]}."
        )


def _print_list(console: "Console", title: str, sentences: Sequence[str]) -> None:
    from rich.table import Table

    console.print(f"\n{title}")
    listed = Table.grid(padding=(0, 0, 0, 1), pad_edge=True)
    for sentence in sentences:
        listed.add_row(" -", printable(sentence))
    console.print(listed)
