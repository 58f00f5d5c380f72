"""`samehand validate` as a user runs it: guide, figures and reports."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from samehand.casework.validating import validate
from tests.casework.written import run, trials, write
from tests.cli.console import complaint


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write(tmp_path_factory.mktemp("trials"), trials(20, 20))


@pytest.fixture(scope="module")
def found(model: Path, files: tuple[Path, Path]) -> dict:
    return validate(model, *files)


def test_alone_it_tells_what_to_gather():
    text = run("validate")
    for part in (
        "at least 50 trials", "genre", "lengths", "other people than those in the case",
        "samehand adapt", '"same": true', '"pair"', "verdicts: fit",
    ):  # fmt: skip
        assert part in text, part
    assert all(len(line) <= 100 for line in text.splitlines())
    assert "Alone, it tells" in " ".join(run("validate", "--help").split())


def test_the_guide_needs_nothing_heavy():
    script = (
        "import sys; sys.argv = ['samehand', 'validate']\n"
        "from samehand.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    loaded = done.stdout.split("loaded ")[1].split()
    assert not {"torch", "numpy", "samehand.verifier"} & set(loaded)


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_says_the_same(model, files, found, tmp_path, ending):
    report = tmp_path / f"report.{ending}"
    told = json.loads(run("validate", model, *files, "-o", report, "--json"))
    assert told["verdict"] == found["verdict"]
    text = report.read_text("utf-8")
    assert found["verdict"]["sentence"] in text
    assert f"{told['figures']['cllr']:.4f}" in text
    assert told["pairs_sha256"] in text
    assert "Too few trials to say" in text  # the rules, all of them
    assert list(tmp_path.iterdir()) == [report]


def test_people_get_the_meaning_of_each_figure_in_80_columns(model, files, found):
    printed = run("validate", model, *files)
    told = " ".join(printed.split())
    assert told.startswith(found["verdict"]["sentence"])
    assert "these trials support" in found["verdict"]["sentence"]
    assert all(len(line) <= 80 for line in printed.splitlines())
    for name in ("AUC", "EER", "Cllr", "Cllr min", "Cllr cal", "ECE", "LR > 10", "LR < 1/10"):
        assert f"\n{name} " in printed


def test_mistakes_in_the_command_are_one_sentence(model, files, tmp_path: Path):
    assert "Give PAIRS and TRUTH, and MODEL" in complaint("validate", "default")
    assert "no model here" in complaint("validate", tmp_path, *files)
    for report in ("report.txt", "nowhere/report.md"):
        assert "report" in complaint("validate", model, *files, "-o", tmp_path / report)
    nowhere = complaint("validate", model, files[0], tmp_path / "nowhere")
    assert "nowhere" in nowhere
