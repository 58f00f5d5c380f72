"""All ways in which a user can ask the same questions, and what each of them answers."""

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import httpx

from samehand.errors import InputError
from samehand.verdict import Decision
from samehand.verifier import Verifier
from tests.casework.written import run
from tests.server.conftest import serving

Trial = tuple[str, list[str]]
"""A questioned text and known ones."""


class Answer(NamedTuple):
    """An answer to a trial; the LR is 1 for texts refused as too short."""

    log10_lr: float
    decision: Decision


REFUSED = Answer(0.0, "undecided")


def by_score(verifier: Verifier, trials: Sequence[Trial]) -> list[Answer]:
    return [Answer(found.log10_lr, found.decision) for found in verifier.score(trials)]


def by_verify(verifier: Verifier, trials: Sequence[Trial]) -> list[Answer]:
    def answer(questioned: str, known: list[str]) -> Answer:
        try:
            verdict = verifier.verify(questioned, known)
        except InputError as refusal:
            if "give at least 20" not in str(refusal):
                raise
            return REFUSED
        return Answer(verdict.log10_lr, verdict.decision)

    return [answer(*trial) for trial in trials]


def by_command(model: Path, trials: Sequence[Trial]) -> list[Answer]:
    """`samehand verify --json`, which rounds."""

    def answer(folder: Path) -> Answer:
        files = folder / "unknown.txt", *sorted(folder.glob("known*.txt"))
        found = json.loads(run("verify", *files, "--json", "--model", model))
        return Answer(found["log10_lr"], found["decision"])

    with _written(trials) as folders:
        return [answer(folder) for folder in folders]


def by_answer(model: Path, trials: Sequence[Trial]) -> list[Answer]:
    """`samehand answer`, with and without its option `--always`."""
    with _written(trials) as folders, TemporaryDirectory() as output:

        def values(*options: str) -> list[float]:
            if not folders:
                return []
            run("answer", "-i", folders[0].parent, "-o", output, "--model", model, *options)
            lines = (Path(output) / "answers.jsonl").read_text().splitlines()
            found = {each["id"]: each["value"] for each in map(json.loads, lines)}
            return [found[folder.name] for folder in folders]

        return [
            Answer(math.log10(p / (1 - p)), _decision(value))
            for p, value in zip(values("--always"), values(), strict=True)
        ]


def by_api(client: httpx.Client, trials: Sequence[Trial]) -> list[Answer]:
    """The server's API, which rounds."""

    def answer(questioned: str, known: list[str]) -> Answer:
        response = client.post("/api/verify", json={"questioned": questioned, "known": known})
        found = response.json()
        if response.status_code == 422:
            assert "give at least 20" in found["detail"]
            return REFUSED
        return Answer(found["log10_lr"], found["decision"])

    return [answer(*trial) for trial in trials]


@contextmanager
def api_of(model: Path) -> Iterator[httpx.Client]:
    """A client of a real server."""
    with serving(model) as server, httpx.Client(base_url=server.address, timeout=60) as client:
        yield client


def _decision(value: float) -> Decision:
    if value == 0.5:
        return "undecided"
    return "same" if value > 0.5 else "different"


@contextmanager
def _written(trials: Sequence[Trial]) -> Iterator[list[Path]]:
    """A folder for each trial, as PAN had them from 2013 to 2015."""
    with TemporaryDirectory() as name:
        folders = [Path(name) / f"EN{place:03}" for place in range(len(trials))]
        for folder, (questioned, known) in zip(folders, trials, strict=True):
            folder.mkdir()
            (folder / "unknown.txt").write_text(questioned, "utf-8")
            for number, text in enumerate(known, start=1):
                (folder / f"known{number:02}.txt").write_text(text, "utf-8")
        yield folders
