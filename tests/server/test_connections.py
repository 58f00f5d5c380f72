"""Nobody holds a connection without asking, and nobody asks without end."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from samehand.server import connections, guard
from samehand.server.app import create_app
from samehand.server.connections import MOST_A_MINUTE, MOST_CONNECTIONS, Rate, served
from samehand.verifier import Verifier
from tests.server.conftest import Server

ELSEWHERE = ("192.0.2.7", 50_000)
HEAD = b"POST /api/read HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n"


@contextmanager
def listening(verifier: Verifier) -> Iterator[int]:
    """The port of a server in a thread of this process."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        server = served(create_app(verifier))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [place]})
        thread.start()
        try:
            yield place.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()


def everything(connection: socket.socket) -> bytes:
    """All bytes until the other side closes the connection."""
    connection.settimeout(10)
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def test_connections_without_a_whole_request_are_closed(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    whole = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with listening(verifier) as port:
        for sent, status in ((b"", b""), (HEAD[:30], b""), (whole + HEAD[:30], b"200")):
            start = time.monotonic()
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(sent)
                assert everything(connection)[9:12] == status
            assert time.monotonic() - start < 5


def test_a_connection_that_is_at_work_stays_open(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    with (
        listening(verifier) as port,
        socket.create_connection(("127.0.0.1", port)) as connection,
    ):
        connection.sendall(HEAD)
        for _ in range(100):
            connection.sendall(b".")
            time.sleep(0.01)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200")


def test_a_body_that_comes_too_slowly_is_not_waited_for(
    verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.5)
    large = HEAD.replace(b"100", b"9" * 9)
    with listening(verifier) as port:
        for sent, status in ((HEAD, b"408"), (large, b"413")):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(sent + b"slow")
                assert everything(connection)[9:12] == status


def test_connections_have_a_limit(verifier: Verifier) -> None:
    with listening(verifier) as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(MOST_CONNECTIONS)]
        try:
            assert httpx.get(f"http://localhost:{port}/api/health").status_code == 503
        finally:
            for connection in held:
                connection.close()
        assert httpx.get(f"http://localhost:{port}/api/health").status_code == 200


def test_who_leaves_while_sending_is_not_complained_of(server: Server) -> None:
    before = server.complaints()
    port = int(server.address.rpartition(":")[2])
    for path in (b"/api/read", b"/api/verify"):
        head = HEAD.replace(b"/api/read", path)
        head = head.replace(b"host:", b"content-type: application/json\r\nhost:")
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(head + b"half")
            time.sleep(0.2)
    time.sleep(0.5)
    assert server.complaints() == before


def test_another_machine_may_ask_so_often(verifier: Verifier, tmp_path: Path) -> None:
    app = create_app(verifier, "0.0.0.0")

    async def statuses(client: tuple[str, int]) -> list[int]:
        transport = httpx.ASGITransport(app, client=client)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as asking:
            read = [await asking.post("/api/read", content=b"Hello.") for _ in range(70)]
            page = await asking.get("/api/health")
        return [response.status_code for response in (*read, page)]

    left = 70 - MOST_A_MINUTE
    assert asyncio.run(statuses(ELSEWHERE)) == [200] * MOST_A_MINUTE + [429] * left + [200]
    assert asyncio.run(statuses(("::1", 1))) == [200] * 71


def test_it_begins_anew_each_minute() -> None:
    rate = Rate()
    asked = [rate.allows(who, now) for now in (100.0, 159.0, 160.0) for who in "ab" * 40]
    assert asked[:80] == [True] * 80
    assert asked[80:160] == [True] * 40 + [False] * 40
    assert asked[160:] == [True] * 80
