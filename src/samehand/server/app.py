"""The application: its routes; those of a subject of its own stand in a file of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path

import numpy as np
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from samehand import __version__
from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import LEAST_WORDS
from samehand.errors import InputError
from samehand.evaluation.told_figures import FIGURES
from samehand.index import Index
from samehand.reading import NotText, Unreadable, read_content
from samehand.report.model_card import ModelCard
from samehand.report.numbers import round_log
from samehand.server.classes import classes
from samehand.server.faults import FAULTS, add_faults, refuse_binary
from samehand.server.guard import MOST_BYTES, Guard
from samehand.server.messages import MOST_KNOWN, AboutModel, Expected, Health, Levs, ReadFile, Texts
from samehand.server.searching import searching
from samehand.server.verifying import verifying
from samehand.server.work import Work
from samehand.verifier import Verifier

_PAGE = Path(__file__).with_name("page")
_ANY_BODY = {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}


def create_app(
    verifier: Verifier,
    host: str = "127.0.0.1",
    token: str | None = None,
    index: Index | None = None,
) -> FastAPI:
    """The page and the API around one model, and around an index of its vectors, if given.

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
    add_faults(app)

    @app.get("/api/health")
    async def health() -> Health:
        """Whether the server answers; it does so whatever else it is doing."""
        return Health()

    @app.get("/api/model")
    async def model() -> AboutModel:
        """Which model answers, and where it was validated."""
        return about_model(verifier)

    @app.post("/api/embed", responses=FAULTS)
    async def embed(request: Texts) -> Levs:
        """The linguistic embedding vector of each text."""
        return await work.do(lambda: embedded(verifier, request.texts))

    @app.post("/api/read", responses=FAULTS, openapi_extra={"requestBody": _ANY_BODY})
    async def read(request: Request, name: str = "") -> ReadFile:
        """The text of a file (txt, md, html, docx, pdf) that is the body; `name` tells its kind."""
        content = await request.body()
        return await work.do(lambda: text_of(content, name))

    for routes in (verifying(verifier, work), classes(verifier, work)):
        app.include_router(routes)
    if index is not None:
        app.include_router(searching(index, work))
    app.mount("/", StaticFiles(directory=_PAGE, html=True))
    return app


def embedded(verifier: Verifier, texts: list[str]) -> Levs:
    """The vector of style of each text; a text without a word raises `InputError`."""
    for number, text in enumerate(texts, start=1):
        refuse_binary(f"Text {number}", text)
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
