"""`samehand serve` where it cannot start."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.cli.console import complaint
from tests.reading.files import pdf
from tests.server.conftest import serving

WITHOUT = """
import sys
sys.modules[{package!r}] = None
sys.argv = ["samehand", "serve"]
from samehand.cli.main import main
main()
"""


def test_a_port_that_is_taken_is_named(model: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = complaint("serve", "--port", port, "--model", model)
    assert f"port {port}" in said
    assert "choose another --port" in said


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    assert "no model here" in complaint("serve", "--model", tmp_path)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_can_be_ended_while_it_reads(model: Path, how: signal.Signals) -> None:
    long = pdf("hello there\n" * 3_000, times=2_000)
    with serving(model) as server:
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.address}/api/read?name=it.pdf", content=long, timeout=1)
        os.kill(server.pid, how)
        end = time.monotonic() + 30  # reading it all would take longer
        while time.monotonic() < end and Path(f"/proc/{server.pid}/stat").exists():
            if Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break
            time.sleep(0.1)
        assert time.monotonic() < end


def test_a_server_that_others_can_reach_says_so(model: Path) -> None:
    with serving(model, "--host", "0.0.0.0", "--no-token") as server:
        local = server.address.replace("0.0.0.0", "127.0.0.1")
        for host, status in (("192.0.2.7", 200), (socket.gethostname(), 200), ("rebind.com", 421)):
            headers = {"host": host}
            assert httpx.get(f"{local}/api/health", headers=headers).status_code == status
        assert "may reach this server, which has no encryption and asks for no" in (
            server.complaints()
        )


def test_others_are_let_in_with_a_token_or_on_request(model: Path) -> None:
    host = ("serve", "--host", "0.0.0.0", "--model", model)
    assert "give a --token that its users have to know, or --no-token" in complaint(*host)
    for token in ("", "short", "sixteen letters a", "sechzehn-wörter-x"):
        assert "The token is not 16 to 200 letters" in complaint(*host, "--token", token)


def test_who_has_no_token_gets_nothing_done(model: Path) -> None:
    token = "abc+/=&#%0123456789"
    with serving(model, "--host", "0.0.0.0", "--token", token) as server:
        assert server.secret == "#token=abc%2B%2F%3D%26%23%250123456789"
        address = server.address.replace("0.0.0.0", "127.0.0.1")
        given = [None, "", token, f"Bearer {token[:-1]}", f"Bearer {token}x", f"Basic {token}"]
        for authorization in given:
            headers = {} if authorization is None else {"authorization": authorization}
            for ask in (
                httpx.get(f"{address}/api/model", headers=headers),
                httpx.post(f"{address}/api/read", content=b"Hello.", headers=headers),
                httpx.post(f"{address}/api/verify", json={}, headers=headers),
            ):
                assert ask.status_code == 401
                assert ask.json()["detail"].startswith("This server asks for its token")
        right = {"authorization": f"Bearer {token}"}
        assert httpx.get(f"{address}/api/model", headers=right).status_code == 200
        assert httpx.get(f"{address}/api/health").status_code == 200
        assert httpx.get(f"{address}/").status_code == 200
        said = server.complaints()
        assert "has no encryption.\n" in said
        assert token not in said


@pytest.mark.parametrize("package", ["fastapi", "uvicorn"])
def test_missing_packages_are_named_with_the_remedy(package: str) -> None:
    command = [sys.executable, "-c", WITHOUT.format(package=package)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith(f"samehand: This needs {package}, which is not installed;")
    assert done.stderr.endswith("pip install '.[web]'.\n")
