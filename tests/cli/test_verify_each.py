"""`samehand verify --each` as a teacher runs it."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from tests.cli.console import complaint, samehand
from tests.models import ESSAYS

CORPUS = ESSAYS.parent / "corpus"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """New texts and earlier ones of some writers; of one there is no earlier text."""
    new, earlier = tmp_path / "new", tmp_path / "earlier"
    new.mkdir()
    for name in ("ada", "bruno", "dot", "=hal"):
        first, *rest = sorted((CORPUS / name.strip("=")).rglob("*.txt"))
        shutil.copy(first, new / f"{name}.txt")
        (earlier / name).mkdir(parents=True)
        for place, text in enumerate(rest):
            shutil.copy(text, earlier / name / f"{place}.txt")
    shutil.copy(ESSAYS / "anna-1.txt", new / "anna.txt")
    shutil.copytree(earlier / "dot", earlier / "edith")
    return new, earlier


def test_a_table_is_printed_with_what_chance_does(
    folders: tuple[Path, Path], genres_model: Path
) -> None:
    done = samehand("verify", "--each", *folders, "-m", genres_model)
    lines = done.stdout.splitlines()
    assert " ".join(lines).startswith(
        "4 new texts were compared with earlier texts of the same writer; 1 could not be. Of these "
    )
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    for name in ("ada", "bruno", "dot", "=hal"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1
    shown = " ".join(done.stdout.split())
    assert "If every writer wrote the new text that is compared, by chance alone: - An LR" in shown
    assert "Among many comparisons some come out low" in shown
    assert "Not compared: - anna: There is no earlier text of 20 words or more by the" in shown
    assert "- edith: There is no new text." in shown
    assert shown.endswith("Model: of genres, made by samehand 0.1.0, SHA-256 " + shown[-13:])


def test_findings_are_those_of_verify(folders: tuple[Path, Path], genres_model: Path) -> None:
    new, earlier = folders
    asked = ("--each", *folders, "-m", genres_model, "--json", "--prior", "1:9", "--decide", "1.1")
    found = json.loads(samehand("verify", *asked).stdout)
    assert found["without_new_text"] == ["edith"]
    writers = {each["name"]: each for each in found["writers"]}
    for name in ("ada", "=hal"):
        texts = sorted((earlier / name).iterdir())
        alone = ("-m", genres_model, "--json", "--prior", "1:9", "--decide", "1.1")
        said = json.loads(samehand("verify", new / f"{name}.txt", *texts, *alone).stdout)
        for key in ("log10_lr", "probability", "reasons", "verbal_scale", "decision"):
            assert writers[name][key] == said[key]
        assert found["model"] == said["model"]
    assert writers["anna"]["fault"].startswith("There is no earlier text")


def test_tables_for_people_and_for_spreadsheets(
    folders: tuple[Path, Path], genres_model: Path, tmp_path: Path
) -> None:
    page, table, log = (tmp_path / name for name in ("t.html", "t.csv", "case.log"))
    asked = ("verify", "--each", *folders, "-m", genres_model)
    printed = samehand(*asked, "--report", page, "--log", log).stdout
    first = page.read_bytes()
    assert samehand(*asked, "--report", page).stdout == printed
    assert page.read_bytes() == first
    written = first.decode()
    assert "<script" not in written
    assert f"samehand verify --each --report report.html --model {genres_model} " in written
    for file in (*folders[0].glob("?[adbo]*.txt"), *folders[1].glob("dot/*.txt")):
        if file.stem != "anna":
            assert str(file) in written
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert len(rows) == 4
    assert samehand("log", "check", log).stdout.startswith("4 lines, which are as written")
    assert samehand(*asked, "--report", table, "--decide", "10").stdout != printed
    assert table.read_bytes().startswith(b"\xef\xbb\xbf")
    cells = {
        row["writer"]: row for row in csv.DictReader(io.StringIO(table.read_text("utf-8-sig")))
    }
    assert cells.keys() == {"ada", "bruno", "dot", "'=hal", "anna"}
    assert float(cells["ada"]["log10_lr"]) == pytest.approx(rows[1]["log10_lr"], abs=1e-5)
    assert cells["ada"]["earlier_texts"] == "3"
    assert cells["anna"]["not_compared"].startswith("There is no earlier text")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("new", "earlier", "earlier"), "With --each, give two folders"),
        (("new/ada.txt", "earlier"), "new/ada.txt: not a folder; with --each, give two folders"),
        (("new", "nowhere"), "nowhere: not a folder"),
        (("new", "earlier", "--report", "t.txt"), "a table is written as .html, .pdf or .csv"),
        (("new", "earlier", "--report", "new/t.csv"), "is among the texts of"),
        (("new", "earlier", "--log", "earlier/ada/log"), "is among the texts of"),
        (("new", "earlier", "--case", "case.yaml"), "are about one questioned text"),
        (("-", "-"), "Standard input (-) can be read only once"),
    ],
)
def test_what_cannot_be_done_is_said(
    folders: tuple[Path, Path], tmp_path: Path, arguments: tuple[str, ...], said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert said in complaint("verify", "--each", *arguments)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_without_each_is_refused(folders: tuple[Path, Path]) -> None:
    assert "this is a folder; name the files in it" in complaint("verify", *folders)
