"""The application: routes, and what becomes of errors."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from samehand import __version__
from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import LEAST_WORDS, names
from samehand.errors import InputError
from samehand.evaluation.told_figures import FIGURES
from samehand.reading import NotText, Unreadable, read_content
from samehand.reading.decoding import is_binary
from samehand.report.model_card import ModelCard
from samehand.report.numbers import round_log
from samehand.server.guard import MOST_BYTES, Guard
from samehand.server.messages import (
    MOST_KNOWN,
    AboutModel,
    Answer,
    Expected,
    Fault,
    Health,
    Levs,
    Question,
    ReadFile,
    Texts,
)
from samehand.server.work import Work
from samehand.verifier import Verifier

_PAGE = Path(__file__).with_name("page")
_FAULTS: dict[int | str, dict[str, Any]] = {
    401: {"model": Fault, "description": "The token is missing or wrong."},
    408: {"model": Fault, "description": "The body came too slowly."},
    429: {"model": Fault, "description": "Another machine asked too often."},
    413: {"model": Fault, "description": "The body is too large."},
    403: {"model": Fault, "description": "A page of another site sent it."},
    415: {"model": Fault, "description": "The body is not JSON, or what it holds is no text."},
    422: {"model": Fault, "description": "A text is missing, empty or too short."},
    421: {"model": Fault, "description": "It is addressed to another name than the server's."},
    503: {"model": Fault, "description": "Too many requests are waiting."},
}
_NO_JSON = "The body is not valid JSON."
_ANY_BODY = {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}


def create_app(verifier: Verifier, host: str = "127.0.0.1", token: str | None = None) -> FastAPI:
    """The page and the API around one model.

    `host`: where they will be served. `token`: what requests must bring, if anything.
    """
    work = Work()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        work.stop()

    app = FastAPI(
        title="samehand",
        version=__version__,
        summary="Did the same hand write these texts?",
        openapi_url="/api/openapi.json",
        docs_url=None,  # both would fetch scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard, host=host, token=token)
    _add_faults(app)

    @app.get("/api/health")
    async def health() -> Health:
        """Whether the server answers; it does so whatever else it is doing."""
        return Health()

    @app.get("/api/model")
    async def model() -> AboutModel:
        """Which model answers, and where it was validated."""
        return about_model(verifier)

    @app.post("/api/verify", responses=_FAULTS, response_model_exclude_none=True)
    async def verify(question: Question) -> Answer:
        """Did the author of the known texts write the questioned one?"""
        return await work.do(lambda: answer(verifier, question))

    @app.post("/api/embed", responses=_FAULTS)
    async def embed(request: Texts) -> Levs:
        """The linguistic embedding vector of each text."""
        return await work.do(lambda: embedded(verifier, request.texts))

    @app.post("/api/read", responses=_FAULTS, openapi_extra={"requestBody": _ANY_BODY})
    async def read(request: Request, name: str = "") -> ReadFile:
        """The text of a file (txt, md, html, docx, pdf) that is the body; `name` tells its kind."""
        content = await request.body()
        return await work.do(lambda: text_of(content, name))

    app.mount("/", StaticFiles(directory=_PAGE, html=True))
    return app


def answer(verifier: Verifier, question: Question) -> Answer:
    """What the model says of a question. Raises what `Verifier.verify` raises."""
    questioned, known = question.questioned, question.known
    for name, text in zip(names(len(known)), (questioned, *known), strict=True):
        _refuse_binary(name, text)
    verdict = verifier.verify(questioned, known, prior=question.prior)
    return Answer.of(verdict, verifier.explain(questioned, known) if question.explain else None)


def embedded(verifier: Verifier, texts: list[str]) -> Levs:
    """The vector of style of each text; a text without a word raises `InputError`."""
    for number, text in enumerate(texts, start=1):
        _refuse_binary(f"Text {number}", text)
    levs = verifier.embed(texts)
    empty = np.flatnonzero(np.isnan(levs).any(axis=1))
    if len(empty):
        raise InputError(f"Text {empty[0] + 1} holds no word; leave it out.")
    return Levs(levs=levs.tolist(), model_sha256=verifier.facts.sha256)


def text_of(content: bytes, name: str) -> ReadFile:
    """The text of a file's bytes; what cannot be read raises `HTTPException`."""
    shown = name or "The file"
    try:
        reading = read_content(content, shown, name)
    except Unreadable as fault:
        raise HTTPException(
            415 if isinstance(fault, NotText) else 422, f"{shown}: {fault}."
        ) from None
    return ReadFile(text=reading.text, sha256=reading.sha256, caution=reading.caution)


def about_model(verifier: Verifier) -> AboutModel:
    """The model's card, as far as the page shows it."""
    card = ModelCard.of(verifier.model)
    tried = card.validation
    low, high = map(round_log, card.log10_lr_bounds)
    stated = tried.model_dump(mode="json", include={"on", "figures", "sets"})
    return AboutModel(
        version=__version__,
        model=asdict(verifier.facts),
        log10_lr_bounds=(low, high),
        lr_bounds=(plain_lr(low), plain_lr(high)),
        evidence=card.in_words,
        genres=list(card.genres),
        case=card.case and card.case.in_words,
        validation=stated if tried.figures or tried.sets else None,
        figure_names=FIGURES,
        expected=[Expected.of(condition) for condition in tried.conditions],
        learnt_from=card.learnt_from,
        least_words=LEAST_WORDS,
        most_bytes=MOST_BYTES,
        most_known=MOST_KNOWN,
    )


def _refuse_binary(name: str, text: str) -> None:
    if is_binary(text.encode("utf-8", "surrogatepass")):
        raise HTTPException(415, f"{name} is binary data, not text.")


def _add_faults(app: FastAPI) -> None:
    """Every error is one sentence, and none says again what was sent."""

    @app.exception_handler(InputError)
    async def unusable(_: Request, error: InputError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = " ".join(str(part) for part in first["loc"] if part != "body")
        if first["type"] == "json_invalid":
            return JSONResponse({"detail": _NO_JSON}, 422)
        if not where:
            fault = "is empty" if first["type"] == "missing" else "is not a JSON object"
            return JSONResponse({"detail": f"The body {fault}; send a JSON object."}, 422)
        if first["type"] == "extra_forbidden":
            return JSONResponse({"detail": f"{where}: there is no such field; remove it."}, 422)
        return JSONResponse({"detail": f"{where}: {first['msg']}."}, 422)

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 400:  # what the JSON parser gave up on
            return JSONResponse({"detail": _NO_JSON}, 422)
        return JSONResponse({"detail": error.detail}, error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def broken(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": "The server failed; its log says why."}, 500)
