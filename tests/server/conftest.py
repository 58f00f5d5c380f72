"""A real server on a port of its own, with a small untrained model."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import httpx
import pytest

from samehand.model.description import About, Condition, Validation
from samehand.verifier import PACKAGED
from tests.cli.console import SCRIPT
from tests.models import save_model

VALIDATION = Validation(
    on="Trials made for a test.",
    figures={"n": 3000, "auc": 0.912, "ece": 0.021, "cllr": 0.5},
    sets={"mails": {"n": 300, "auc": 0.8, "ece": 0.03, "cllr": 0.61}},
    conditions=(
        Condition(words=(1, 100), known=1, figures={"n": 400}, log10_lrs=(-0.301, 0.477)),
        Condition(words=(100, 1_000_000), known=1, figures={"n": 400}, log10_lrs=(-1.0, 1.301)),
        Condition(words=(100, 1_000_000), known=2, figures={"n": 400}, log10_lrs=(-1.301, 2.0)),
    ),
)


class Server(NamedTuple):
    """Where it listens, its process, its model, and the file that takes its complaints."""

    address: str
    pid: int
    model: Path
    errors: IO[str]
    secret: str = ""
    """The end of the address, with the token."""

    def complaints(self) -> str:
        """The server's output to stderr so far."""
        self.errors.seek(0)
        return self.errors.read()


@contextmanager
def serving(model: Path, *options: str) -> Iterator[Server]:
    """`samehand serve` as a user runs it, on a free port."""
    command = [SCRIPT, "serve", "--port", "0", "--model", model, *options]
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        try:
            assert process.stdout is not None
            told = re.match(r"(http://[\d.]+:\d+)/(#\S+)? ", process.stdout.readline())
            assert told
            yield Server(told[1], process.pid, model, errors, told[2] or "")
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    model = save_model(
        tmp_path_factory.mktemp("served"),
        name="small",
        bounds=(-3.0, 3.0),
        about=About(validation=VALIDATION),
    )
    with serving(model) as running:
        yield running


@pytest.fixture(scope="session")
def packaged() -> Iterator[Server]:
    """One with the packaged model, which knows habits."""
    with serving(PACKAGED) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=30) as client:
        yield client
