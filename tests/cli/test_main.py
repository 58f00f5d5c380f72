"""The command line answers at once, and everything that goes wrong with it has a sentence."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from samehand import __version__
from tests.casework.written import trials, write
from tests.models import ESSAYS

from .console import SCRIPT, samehand

HEAVY = {
    "fastapi", "lightning", "matplotlib", "numba", "numpy", "pyarrow", "pydantic", "regex",
    "safetensors", "scipy", "sklearn", "torch",
}  # fmt: skip

EXTRA = {"docx", "fastapi", "lightning", "matplotlib", "pyarrow", "sklearn", "torch"}


def test_version() -> None:
    assert samehand("--version").stdout == f"samehand {__version__}\n"


def test_what_a_terminal_cannot_show_is_spelt_out(tmp_path: Path) -> None:
    rows = [{"id": str(n), "same": n % 2 == 0, "value": n % 2 * 0.5 + 0.2} for n in range(8)]
    file = tmp_path / "Ж.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    for encoding in ("ascii", "latin-1"):
        shown = run("evaluate", file, file, "--bootstrap", 10, PYTHONIOENCODING=encoding).stdout
        assert "0.0000 \\u2026 0.0000" in shown


def test_a_terminal_of_no_width_is_written_to(model: Path) -> None:
    assert "SHA-256" in run("model", "show", "--model", model, COLUMNS="0").stdout


def test_judging_commands_load_nothing_that_an_extra_brings(
    model: Path, genres_model: Path, tmp_path: Path
) -> None:
    """Nor do they set anything in the environment."""
    pairs, truth = write(tmp_path, trials(2, 2))
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"author": "a", "topic": "t", "text": "It rained all morning."}\n')
    script = (
        "import os, sys; before = dict(os.environ)\n"
        "from samehand.cli.main import app\n"
        "try: app(sys.argv[1:])\n"
        f"except SystemExit: print({EXTRA} & sys.modules.keys(), os.environ == before)"
    )
    for arguments in (
        ("answer", "-i", pairs, "-o", tmp_path / "out", "-m", model),
        ("verify", *ESSAYS.glob("*.txt"), "-m", model, "--report", tmp_path / "report.html"),
        ("adapt", genres_model, ESSAYS, "-o", tmp_path / "adapted"),
        ("validate", model, pairs, truth),
        ("embed", corpus, "-o", tmp_path / "levs.jsonl", "-m", model),
        ("model", "show", "-m", genres_model),
        ("model", "units", ESSAYS / "anna-1.txt", "-m", genres_model),
    ):
        command = [sys.executable, "-c", script, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stdout.splitlines()[-1] == "set() True", (arguments, done)


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [SCRIPT, *map(str, arguments)], capture_output=True, text=True, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def much(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus and with pairs, to which nothing is done at once."""
    folder = tmp_path_factory.mktemp("much")
    texts = [f"Text number {n} is one of many, and {'rather ' * 200} long." for n in range(3_000)]
    corpus = ({"author": f"a{n % 50}", "text": text} for n, text in enumerate(texts))
    pairs = ({"id": str(n), "pair": [text, texts[0]]} for n, text in enumerate(texts))
    for name, rows in (("corpus.jsonl", corpus), ("pairs.jsonl", pairs)):
        (folder / name).write_text("\n".join(map(json.dumps, rows)))
    return folder


def writing(command: str, much: Path, model: Path, place: Path) -> list[str]:
    """A command that writes below a place."""
    corpus = much / "corpus.jsonl"
    arguments: dict[str, tuple[object, ...]] = {
        "answer": ("-i", much / "pairs.jsonl", "-o", place, "--model", model),
        "embed": (corpus, "-o", place / "levs.parquet", "--model", model),
        "prepare": (corpus, "-o", place / "store"),
    }
    return [str(SCRIPT), command, *map(str, arguments[command])]


@pytest.mark.parametrize("command", ["answer", "embed", "prepare"])
def test_what_is_told_to_end_leaves_nothing_unfinished(
    command: str, much: Path, model: Path, tmp_path: Path
) -> None:
    with subprocess.Popen(writing(command, much, model, tmp_path)) as process:
        while not any(tmp_path.glob(".*-unfinished-*")):
            assert process.poll() is None
            time.sleep(0.02)
        process.terminate()
        assert process.wait(20) == 128 + signal.SIGTERM
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["answer", "embed", "prepare"])
def test_a_full_disk_is_told_by_the_place(
    command: str, much: Path, model: Path, tmp_path: Path
) -> None:
    """A limit on the size of files stands for it."""
    limited = ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh"]
    done = subprocess.run(
        [*limited, *writing(command, much, model, tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert re.fullmatch(
        rf"samehand: {tmp_path}/\S+: cannot be written \(no space left on device\); choose .*",
        done.stderr.splitlines()[-1],
    )
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("arguments", [["--help"], ["prepare", "--help"]])
def test_help(arguments: list[str]) -> None:
    shown = samehand(*arguments).stdout
    assert "prepare" in shown
    assert "STORE" in shown or "Commands" in shown


def test_nothing_heavy_is_imported_to_answer() -> None:
    script = "import sys; import samehand.cli.main; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True).stdout
    assert "typer" in loaded.split()
    assert not HEAVY & {name.split(".")[0] for name in loaded.split()}
    assert "rich.console" not in loaded.split()


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["prepare"],
        ["prepare", "x"],
        ["prepare", "x", "-o", "y", "--words", "none"],
        ["prepare", "x", "-o", "y", "--topics", "guess"],
        ["--nonsense"],
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    done = samehand(*arguments, code=2)
    assert "Usage" in done.stderr
    assert done.stdout == ""
