"""`samehand verify`: a questioned text against known ones."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli import options
from samehand.cli.console import printed, progress
from samehand.cli.verdict_printed import decision_from, print_verdict, printable

if TYPE_CHECKING:
    from samehand.explaining.habits import Habit
    from samehand.reading import Reading
    from samehand.report.case_file import StatedCase
    from samehand.verdict import Verdict
    from samehand.verifier import Verifier

_USUAL = ("1:1", "cpu")
"""Values of options that need not be typed."""


def verify(
    questioned: Annotated[
        Path,
        typer.Argument(
            help="The text in question: txt, md, html, docx, pdf; - for standard input."
        ),
    ],
    known: Annotated[
        list[Path], typer.Argument(help="One or more texts that are known to be by one author.")
    ],
    each: Annotated[
        bool,
        typer.Option(
            "--each",
            help="QUESTIONED is a folder of new texts and KNOWN one of earlier texts, in files or "
            "folders named by their writers: compare each new text with the earlier ones of its "
            "writer, and print a table.",
        ),
    ] = False,
    as_json: options.AsJson = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Write a report, .html or .pdf; of --each also .csv."
        ),
    ] = None,
    case: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What the report is to state about the case (YAML)."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Add a line about each verdict to this log, which samehand log check checks.",
        ),
    ] = None,
    model: options.Model = None,
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="ODDS",
            help="Odds of one author before the texts were compared, such as 1:99; the answer then "
            "has a probability.",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--decide",
            metavar="LR",
            help="Say what is decided if one decides for one author from this likelihood ratio on, "
            "and for two from 1/LR on.",
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Also tell which habits moved the likelihood ratio, and how far."
        ),
    ] = False,
    device: options.Device = "cpu",
) -> None:
    """Did the author of the KNOWN texts write the QUESTIONED one?

    Examples:
    $ samehand verify questioned.txt known.txt
    $ samehand verify letter.pdf mail-1.txt mail-2.docx --report report.html --case case.yaml
    $ samehand verify questioned.txt known.txt --explain
    $ samehand verify --each new-essays earlier-essays --report class.html
    """
    from samehand.errors import InputError
    from samehand.reading import STDIN

    paths = [questioned, *known]
    if [str(path) for path in paths].count(STDIN) > 1:
        raise InputError("Standard input (-) can be read only once; name files for the others.")
    given = paths if case is None else [*paths, case]
    if report is not None:
        from samehand.report.printing import check_document, write_document

        check_document(report, given)
    if log is not None:
        from samehand.io import chained_log
        from samehand.io.atomic import refuse_inputs

        refuse_inputs(log, given if report is None else [*given, report])
        chained_log.check_end(log)
    odds = _odds("1:1" if prior is None else prior)
    if threshold is not None and not 1.0 < threshold < math.inf:
        raise InputError(
            f"--decide {threshold:g}: not a threshold; give an LR above 1, such as 10."
        )
    if each:
        from samehand.cli.verify_each import Asked, verify_each

        if case is not None or explain:
            raise InputError("--case and --explain are about one questioned text: not with --each.")
        chosen = {"model": model, "prior": prior, "decide": threshold, "device": device}
        again = _command(paths, chosen, "--each")
        asked = Asked(report, log, as_json, prior is not None, threshold, again)
        verify_each(questioned, known, model, device, odds, asked)
        return
    stated = None
    if case is not None:
        if report is None:
            raise InputError("--case states what a report is to say; give --report FILE, too.")
        stated = _stated(case)
    readings = _read(paths)

    from samehand.verifier import Verifier  # after what is wrong with the texts was told

    verifier = Verifier.load(model, device=device)
    verdict = _answer(verifier, readings, odds)
    explanation = digest = None
    if explain or report is not None:
        with progress() as watch:
            watch("finding what weighed in")
            texts = [reading.text for reading in readings]
            explanation = verifier.explain(texts[0], texts[1:])
    if report is not None:
        from samehand.report.model_card import ModelCard
        from samehand.report.reported_verdict import ReportedVerdict
        from samehand.report.verdict_report import report_html

        assert explanation is not None
        again = _command(paths, {"case": case, "model": model, "prior": prior, "device": device})
        reported = ReportedVerdict(
            verdict,
            explanation,
            readings,
            ModelCard.of(verifier.model),
            again,
            stated,
        )
        digest = write_document(report, report_html(reported))
    if log is not None:
        from samehand.casework.verdict_log import entry

        chained_log.append(log, entry(verdict, readings, digest))
    habits = explanation.habits if explain and explanation is not None else None
    if as_json:
        import json

        found = _jsonable(verdict, readings)
        if habits is not None:
            found["habits"] = [_told(habit) for habit in habits]
        if threshold is not None:
            found |= {"decision": decision_from(verdict, threshold), "threshold": threshold}
        typer.echo(json.dumps(found))
        return
    printed(
        lambda console: print_verdict(
            console, verdict, readings, habits, prior is not None, threshold
        )
    )


def _stated(case: Path) -> "StatedCase":
    from samehand.report.case_file import read_case_file

    return read_case_file(case)


def _odds(stated: str) -> float:
    """Odds as they are written down: 1:99, 0.01."""
    from samehand.errors import InputError

    before, _, after = stated.partition(":")
    try:
        odds = float(before) / float(after or 1)
    except (ValueError, ZeroDivisionError):
        odds = math.nan
    if not 0 < odds < math.inf:
        raise InputError(
            f"--prior {stated}: not odds; give two numbers above 0, such as 1:99, or one."
        )
    return odds


def _read(paths: list[Path]) -> list["Reading"]:
    """The files' texts; one that is too short is refused by the name of its file."""
    from samehand.cautions.texts import LEAST_WORDS, too_short
    from samehand.errors import InputError
    from samehand.reading import read_text
    from samehand.text.words import words

    readings = [read_text(path) for path in paths]
    for reading in readings:
        if (n_words := len(words(reading.text))) < LEAST_WORDS:
            raise InputError(too_short(reading.source, n_words))
    return readings


def _answer(verifier: "Verifier", readings: list["Reading"], prior: float) -> "Verdict":
    """The verdict as it is shown, with what was doubtful about reading the files."""
    from dataclasses import replace

    from samehand.cautions.caution import Caution
    from samehand.report.numbers import rounded

    questioned, *known = (reading.text for reading in readings)
    verdict = rounded(verifier.verify(questioned, known, prior=prior))
    doubtful = (Caution(reading.caution) for reading in readings if reading.caution)
    return replace(verdict, cautions=(*verdict.cautions, *doubtful))


def _command(paths: list[Path], options: Mapping[str, object], *flags: str) -> str:
    """The command for the same report again; `options`: those that may differ from the usual."""
    import shlex

    stated = [
        part
        for name, value in options.items()
        if value not in (None, *_USUAL)
        for part in (f"--{name}", str(value))
    ]
    named = [str(path) for path in paths]
    if any(name.startswith("-") and name != "-" for name in named):
        named = ["--", *named]
    return shlex.join(["samehand", "verify", *flags, "--report", "report.html", *stated, *named])


def _jsonable(verdict: "Verdict", readings: list["Reading"]) -> dict[str, Any]:
    """The verdict, with the file of each text."""
    found = verdict.as_dict()
    for facts, reading in zip([found["questioned"], *found["known"]], readings, strict=True):
        facts["file"] = printable(reading.source)
        facts["file_sha256"] = reading.sha256
    return found


def _told(habit: "Habit") -> dict[str, Any]:
    """A habit as JSON has it, without its places."""
    return {
        "name": habit.name,
        "log10_effect": round(habit.effect, 4),
        "per_1000_words": [round(rate, 2) for rate in habit.rates],
        "usual": habit.usual,
        "usual_range": list(habit.usual_range),
    }
