"""Pages quote exactly what commands print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RENDER = ROOT / "docs" / "first_case" / "render.py"
PAGE = ROOT / "docs" / "first-case.md"


def test_what_the_pages_quote_is_what_is_printed() -> None:
    """All commands of the case, and of a class: some ten seconds."""
    command = [sys.executable, RENDER, "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("README.md", "docs/first-case.md", "docs/verifying.md"):
        assert f"{name}: as it is printed\n" in done.stdout


def test_what_the_page_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE.read_text("utf-8"))
    assert {Path(link).name for link in links if link.endswith(".png")} == {
        "expected.png", "validation.png", "report.png",
    }  # fmt: skip
    for link in links:
        assert (PAGE.parent / link).is_file(), link


def test_a_folder_that_is_there_is_not_written_to(tmp_path: Path) -> None:
    command = [sys.executable, RENDER, "--files", tmp_path / "case"]
    subprocess.run(command, check=True)
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(command, check=True, capture_output=True)
