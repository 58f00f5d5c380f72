"""A real server on a port of its own, with a small untrained model."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.cli.console import SCRIPT
from tests.models import model, save_model

__all__ = ["model"]

VALIDATION = {
    "on": "Trials made for a test.",
    "log10_lr_bounds": [-3.0, 3.0],
    "figures": {"n": 3000, "auc": 0.912, "ece": 0.021, "cllr": 0.5},
    "sets": {"mails": {"n": 300, "auc": 0.8, "ece": 0.03, "cllr": 0.61}},
}


class Server(NamedTuple):
    """Where it listens, and its process."""

    address: str
    pid: int


@contextmanager
def serving(model: Path) -> Iterator[Server]:
    """`samehand serve` as a user runs it, on a free port."""
    command = [SCRIPT, "serve", "--port", "0", "--model", model]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            told = re.match(r"(http://127\.0\.0\.1:\d+)/ ", process.stdout.readline())
            assert told
            yield Server(told[1], process.pid)
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    model = save_model(
        tmp_path_factory.mktemp("served"), {"name": "small", "validation": VALIDATION}
    )
    with serving(model) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=30) as client:
        yield client
