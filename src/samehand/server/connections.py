"""How many connections a server holds, and for how long."""

import asyncio
from collections import Counter

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Within which the head of a request has to come."""
MOST_CONNECTIONS = 200
MOST_A_MINUTE = 60
"""Requests that one other machine may send for work to be done."""
_MINUTE = 60.0
_PATIENCE = 3
"""Seconds in which requests may end when the server does."""


class Connection(H11Protocol):
    """A connection that is closed where no request comes."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_again(None)

    def _look_again(self, waiting: object) -> None:
        self.loop.call_later(HEAD_SECONDS, self._look, waiting)

    def _look(self, waiting: object) -> None:
        """`waiting`: after which request it waited for another when it was looked at before."""
        if self.transport.is_closing():
            return
        is_at_work = self.cycle is not None and not self.cycle.response_complete
        if not is_at_work and self.cycle is waiting:
            self.transport.close()
        else:
            self._look_again(self if is_at_work else self.cycle)


class Rate:
    """How much each of those who ask may ask for."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._begun = 0.0

    def allows(self, who: str, now: float) -> bool:
        """Whether one request more is not too much; `now` in seconds."""
        if now - self._begun >= _MINUTE:
            self._asked.clear()
            self._begun = now
        self._asked[who] += 1
        return self._asked[who] <= MOST_A_MINUTE


def served(app: ASGIApp) -> uvicorn.Server:
    """A server for an application, still to be run."""
    config = uvicorn.Config(
        app, http=Connection, ws="none", log_level="warning", access_log=False,
        server_header=False, limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=_PATIENCE,
    )  # fmt: skip
    return uvicorn.Server(config)
