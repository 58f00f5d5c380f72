"""From an archive in the shape of PAN 2020's to Table 1, by one command."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from samehand.training.ablate import ROWS
from tests.training.planted import write_corpus
from tests.training.runs import SMALLEST, one_core

RUN = Path(__file__).parents[2] / "recipes" / "pan20" / "run.sh"
NAME = "pan20-authorship-verification-training-small"
SMALL = (
    *SMALLEST,
    "batch_pairs=16",
    "learning_rate=0.01",
    "epochs=3",
)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    asked = [str(RUN), *map(str, arguments)]
    return subprocess.run(asked, capture_output=True, text=True, env=one_core() | {"PATH": path})


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs of texts with their fandoms, and a truth with their authors, in a folder of the zip."""
    folder = tmp_path_factory.mktemp("pan20")
    corpus = write_corpus(folder / "fanfic.jsonl", 160, 4, 60, styled=True, seed=0)
    texts = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    order = np.random.default_rng(0).permutation(len(texts))
    couples = [(texts[2 * i], texts[2 * i + 1]) for i in range(len(texts) // 4)]
    couples += [(texts[i], texts[j]) for i, j in order.reshape(-1, 2)]
    pairs: list[dict[str, Any]] = []
    truth: list[dict[str, Any]] = []
    for number, (one, other) in enumerate(couples):
        name = f"uuid-{number}"
        fandoms = [one["topic"], other["topic"]]
        pairs.append({"id": name, "fandoms": fandoms, "pair": [one["text"], other["text"]]})
        authors = [one["author"], other["author"]]
        truth.append({"id": name, "same": authors[0] == authors[1], "authors": authors})
    path = folder / f"{NAME}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for ending, records in (("", pairs), ("-truth", truth)):
            content = "".join(json.dumps(record) + "\n" for record in records)
            file.writestr(f"{NAME}/{NAME}{ending}.jsonl", content)
        file.writestr(f"__MACOSX/{NAME}/._{NAME}-truth.jsonl", "\0")
    return path


def test_one_command_from_the_zip_to_the_table(archive: Path, tmp_path: Path) -> None:
    settings = [part for change in SMALL for part in ("--set", change)]
    asked = (archive, tmp_path / "out", "--runs", 1, "--accelerator", "cpu", *settings)
    done = run(*asked)
    assert done.returncode == 0, done.stderr
    store = json.loads((tmp_path / "out" / "store" / "store.json").read_text())
    assert store["sources"] == [NAME]
    parts = store["parts"]
    assert (parts["train"]["topics"], parts["calibration"]["topics"]) == (6, 2)
    assert parts["test"]["documents"] == 0
    assert sum(part["documents"] for part in parts.values()) + store["dropped"][
        "between parts"
    ] == (4 * 160)
    table = (tmp_path / "out" / "ablation" / "table.md").read_text("utf-8")
    assert table in done.stdout
    assert table.count("\n") == 2 + len(ROWS)

    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("weights.safetensors")}
    again = run(*asked)
    assert (again.returncode, table in again.stdout) == (0, True)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert len(before) == 2


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as file:
        file.writestr("readme.txt", "nothing")
    done = run(tmp_path / "other.zip", tmp_path / "out")
    assert done.returncode == 2
    assert "no *truth.jsonl in it" in done.stderr
