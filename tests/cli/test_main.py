"""The command line answers at once, and everything that goes wrong with it has a sentence."""

import subprocess
import sys

import pytest

from samehand import __version__

from .console import samehand

HEAVY = {
    "fastapi", "lightning", "matplotlib", "numpy", "pyarrow", "pydantic", "regex", "scipy",
    "sklearn", "torch",
}  # fmt: skip


def test_version() -> None:
    assert samehand("--version").stdout == f"samehand {__version__}\n"


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
