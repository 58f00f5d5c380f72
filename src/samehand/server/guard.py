"""Rules for every request and every answer: who asks, size, kinds of bodies, and headers."""

import asyncio
import json
import time
from contextlib import suppress
from hmac import compare_digest
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from samehand.server.connections import Rate
from samehand.server.origin import OwnNames, is_foreign, is_local

MOST_BYTES = 8 << 20
"""Of a request: the largest novels have a quarter of it."""
_DRAINED = 8 * MOST_BYTES  # of what is too large: a browser reads no answer before it has sent all
_TOO_LARGE = f"The request is larger than {MOST_BYTES >> 20} MiB; give the part that matters."
_NOT_JSON = "The body is not JSON; send it with Content-Type: application/json."
_OTHER_NAME = "This server has another name; open it by the address that samehand serve printed."
_FOREIGN = "Another web page sent this request; use the page of this server."
_NO_TOKEN = "This server asks for its token; open it by the address with a token in it."
_TOO_OFTEN = "This machine asks too often; try again in a minute."
_TOO_SLOW = "The request came too slowly; send it again."
BODY_SECONDS = 120.0
_NEEDS_NO_TOKEN = "/api/health"
_TAKES_ANY_BODY = "/api/read"

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""The page runs its own scripts alone, can send to nobody else, and nothing of it is kept."""


class Guard:
    """Around the whole application."""

    def __init__(self, app: ASGIApp, host: str, token: str | None = None) -> None:
        """`host`: where the server listens. With a `token`, who has none gets nothing done."""
        self._app, self._names, self._rate = app, OwnNames(host), Rate()
        self._token = None if token is None else f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        if not self._names.hold(headers.get("host", "")):
            await _refuse(guarded, 421, _OTHER_NAME)
        elif scope["path"].startswith("/api/") and is_foreign(headers):
            await _refuse(guarded, 403, _FOREIGN)
        elif not self._has_token(scope["path"], headers):
            await _refuse(guarded, 401, _NO_TOKEN)
        elif scope["method"] == "POST" and not self._may_ask(scope):
            await _refuse(guarded, 429, _TOO_OFTEN)
        elif int(headers.get("content-length") or 0) > MOST_BYTES:
            with suppress(HTTPException):
                await _drain(_timed(receive))
            await _refuse(guarded, 413, _TOO_LARGE)
        elif scope["method"] == "POST" and not _is_kind_expected(scope["path"], headers):
            await _refuse(guarded, 415, _NOT_JSON)
        else:
            with suppress(ClientDisconnect):  # there is nobody to be answered
                await self._app(scope, _limited(_timed(receive)), guarded)

    def _has_token(self, path: str, headers: Headers) -> bool:
        if self._token is None or not path.startswith("/api/") or path == _NEEDS_NO_TOKEN:
            return True
        return compare_digest(headers.get("authorization", "").encode(), self._token)

    def _may_ask(self, scope: Scope) -> bool:
        """Whether work may be done for whoever asks: on this machine, without a limit."""
        who = scope["client"][0] if scope.get("client") else ""
        return is_local(who) or self._rate.allows(who, time.monotonic())


def _is_kind_expected(path: str, headers: Headers) -> bool:
    kind = headers.get("content-type", "").split(";")[0].strip().lower()
    is_empty = headers.get("content-length") == "0"  # which is told otherwise
    return path == _TAKES_ANY_BODY or is_empty or kind == "application/json"


def _timed(receive: Receive) -> Receive:
    """A body has to come within a time; later messages, that the client has left, have not."""
    end = asyncio.get_running_loop().time() + BODY_SECONDS
    has_come = False

    async def timed() -> Message:
        nonlocal has_come
        try:
            async with asyncio.timeout_at(None if has_come else end):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, _TOO_SLOW, {"connection": "close"}) from None
        has_come = not message.get("more_body")
        return message

    return timed


def _limited(receive: Receive) -> Receive:
    """For bodies that do not say how long they are."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MOST_BYTES:
            raise HTTPException(413, _TOO_LARGE)
        return message

    return limited


async def _drain(receive: Receive) -> None:
    left = _DRAINED
    while left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body"):
            return


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"detail": sentence}).encode()
    headers: list[Any] = [(b"content-type", b"application/json"), (b"connection", b"close")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
