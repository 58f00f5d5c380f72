"""An examiner's case file is printed as it stands, or refused in a sentence."""

import hashlib
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.report.case_file import read_case_file
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS

ANNA, BRUNO = (ESSAYS / f"{name}.txt" for name in ("anna-1", "bruno-1"))
CASE = """\
number: 2026/0117
examiner: A. Examiner
date: 2026-11-02
question: Did the writer of the diary write the letter?
one_author: The defendant wrote the letter.
two_authors: Another member of the club <b>wrote</b> the letter.
population: The club's 40 members, who write English daily.
items:
  anna-1.txt: A letter, received as a scan on 28 October, typed by the police.
notes: |
  The letter's first page was lost.
"""


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "case.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_all_that_is_stated_is_in_the_report(model: Path, tmp_path: Path) -> None:
    case, report = written(tmp_path, CASE), tmp_path / "report.html"
    samehand("verify", ANNA, BRUNO, "-m", model, "--report", report, "--case", case)
    html = report.read_text("utf-8")
    for stated in (
        "2026/0117", "A. Examiner", "2026-11-02", "Did the writer of the diary",
        "H₁: The defendant wrote the letter.", "&lt;b&gt;wrote&lt;/b&gt;", "40 members",
        "Received: anna-1.txt", "as a scan on 28 October", "first page was lost",
        hashlib.sha256(CASE.encode()).hexdigest(), f"--case {case}",
    ):  # fmt: skip
        assert stated in html
    assert html.index("Conclusion") < html.index("2026/0117") < html.index("Propositions")


def test_a_case_may_state_little(tmp_path: Path) -> None:
    assert read_case_file(written(tmp_path, "number: 7\n")).case.number == "7"
    assert read_case_file(written(tmp_path, "")).case.number is None


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("nummer: 7", "'nummer' is no part of a case file, which has number, examiner"),
        ("- a\n- b", "cannot be used"),
        ("number: [1]", "number cannot be used"),
        ("a: b: c", "not a case file in YAML"),
        ("[" * 30_000, "not a case file in YAML"),
        (b"number: \xff\xfe", "not a case file in YAML"),
        ("notes: " + "x" * 70_000, "too long for a case file"),
        ("number: " + "7" * 400, "number cannot be used"),
        ("a: &a [x, x]\nnumber: [*a, *a]", "cannot be used"),
        ("number: !!python/object/apply:os.system [ls]", "number cannot be used"),
    ],
)
def test_what_is_no_case_file_is_refused(content: str | bytes, fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_case_file(written(tmp_path, content))
    assert fault in str(refused.value)


def test_a_case_without_a_report_is_refused(model: Path, tmp_path: Path) -> None:
    said = complaint("verify", ANNA, BRUNO, "-m", model, "--case", written(tmp_path, CASE))
    assert "give --report FILE, too" in said


def test_a_case_file_that_is_not_there_is_named(model: Path, tmp_path: Path) -> None:
    missing = tmp_path / "none.yaml"
    report = ("--report", tmp_path / "report.html")
    assert str(missing) in complaint("verify", ANNA, BRUNO, "-m", model, *report, "--case", missing)
