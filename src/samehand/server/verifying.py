"""Routes that compare texts: the verdict, and the report on it."""

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import replace

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from samehand.cautions.caution import Caution
from samehand.cautions.texts import names
from samehand.reading import Reading
from samehand.report.model_card import ModelCard
from samehand.report.numbers import plain_odds, rounded
from samehand.report.reported_verdict import ReportedVerdict
from samehand.report.verdict_report import report_html
from samehand.server.explained import Explained
from samehand.server.faults import FAULTS, refuse_binary
from samehand.server.messages import Answer, GivenText, Question, ReportQuestion
from samehand.server.work import Work
from samehand.verdict import Verdict
from samehand.verifier import Verifier

_FILES = ("questioned.txt", "known.txt", "known-{}.txt")
"""Names of texts that were pasted."""


def verifying(verifier: Verifier, work: Work) -> APIRouter:
    """The routes around one model."""
    router = APIRouter()

    @router.post("/api/verify", responses=FAULTS, response_model_exclude_none=True)
    async def verify(question: Question) -> Answer:
        """Did the author of the known texts write the questioned one?"""
        return await work.do(lambda: answer(verifier, question))

    @router.post("/api/report", responses=FAULTS, response_class=HTMLResponse)
    async def report(question: ReportQuestion) -> HTMLResponse:
        """The report that `samehand verify --report` writes, as one HTML file."""
        page = await work.do(lambda: report_html(reported(verifier, question)))
        named = {"content-disposition": 'attachment; filename="report.html"'}
        return HTMLResponse(page.encode("utf-8", "replace"), headers=named)

    return router


def answer(verifier: Verifier, question: Question) -> Answer:
    """Answer a question. Raises what `Verifier.verify` raises."""
    given = [GivenText(text=text) for text in (question.questioned, *question.known)]
    verdict = _verdict(verifier, given, question.prior)
    if not question.explain:
        return Answer.of(verdict)
    return Answer.of(verdict, Explained.of(_reported(verifier, given, verdict)))


def reported(verifier: Verifier, question: ReportQuestion) -> ReportedVerdict:
    """All that a report says; what was doubtful about reading files is part of it."""
    given = [question.questioned, *question.known]
    verdict = _verdict(verifier, given, question.prior)
    doubtful = (Caution(text.caution) for text in given if text.caution)
    verdict = replace(verdict, cautions=(*verdict.cautions, *doubtful))
    return _reported(verifier, given, verdict)


def _verdict(verifier: Verifier, given: Sequence[GivenText], prior: float) -> Verdict:
    for name, text in zip(names(len(given) - 1), given, strict=True):
        refuse_binary(name, text.text)
    questioned, *known = (text.text for text in given)
    return rounded(verifier.verify(questioned, known, prior=prior))


def _reported(verifier: Verifier, given: Sequence[GivenText], verdict: Verdict) -> ReportedVerdict:
    readings = [_reading(text, name) for text, name in zip(given, _file_names(given), strict=True)]
    questioned, *known = (reading.text for reading in readings)
    prior = [] if verdict.prior == 1.0 else ["--prior", plain_odds(verdict.prior)]
    files = [reading.source for reading in readings]
    if any(name.startswith("-") for name in files):
        files = ["--", *files]
    return ReportedVerdict(
        verdict,
        verifier.explain(questioned, known),
        readings,
        ModelCard.of(verifier.model),
        shlex.join(["samehand", "verify", "--report", "report.html", *prior, *files]),
    )


def _file_names(given: Sequence[GivenText]) -> list[str]:
    """The names of files, and names that pasted texts may be saved under."""
    questioned, one, several = _FILES
    usual = [questioned, *(several.format(n) for n in range(1, len(given)))]
    if len(given) == 2:
        usual[1] = one
    return [text.file or name for text, name in zip(given, usual, strict=True)]


def _reading(given: GivenText, name: str) -> Reading:
    own = hashlib.sha256(given.text.encode("utf-8", "surrogatepass")).hexdigest()
    return Reading(name, given.text, given.sha256 or own)
