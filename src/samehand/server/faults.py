"""Faults, each as one sentence with a status."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from samehand.errors import InputError
from samehand.reading.decoding import is_binary
from samehand.server.messages import Fault

FAULTS: dict[int | str, dict[str, Any]] = {
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
"""For the description of routes."""
_NO_JSON = "The body is not valid JSON."


def refuse_binary(name: str, text: str) -> None:
    """Raise where a text is no text."""
    if is_binary(text.encode("utf-8", "surrogatepass")):
        raise HTTPException(415, f"{name} is binary data, not text.")


def add_faults(app: FastAPI) -> None:
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
