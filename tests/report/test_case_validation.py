"""A validation on the case's own kind of trials is in the report, if it is of the same model."""

import json
from pathlib import Path
from typing import Any

import pytest

from samehand.casework.validating import validate
from samehand.errors import InputError
from samehand.evaluation.summary import jsonable
from samehand.report.case_file import read_case_file
from samehand.report.case_validation import read_validation
from tests.casework.written import trials, write
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS

ANNA, BRUNO = (ESSAYS / f"{name}.txt" for name in ("anna-1", "bruno-1"))


@pytest.fixture(scope="module")
def found(model: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pairs, truth = write(tmp_path_factory.mktemp("trials"), trials(12, 11))
    told: dict[str, Any] = jsonable(validate(model, pairs, truth))
    return told


def case(folder: Path, found: dict[str, Any]) -> Path:
    (folder / "validation.json").write_text(json.dumps(found))
    path = folder / "case.yaml"
    path.write_text("validation: validation.json\n")
    return path


def test_its_verdict_and_figures_are_in_the_report(
    model: Path, found: dict[str, Any], tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    samehand(
        "verify", ANNA, BRUNO, "-m", model, "--report", report, "--case", case(tmp_path, found)
    )
    html = report.read_text("utf-8")
    for part in (
        found["verdict"]["sentence"], "12 trials by one author, 11 by two", found["pairs_sha256"],
        f"{found['figures']['cllr']:.3f}", "Tippett",
    ):  # fmt: skip
        assert part in html


def test_a_ratio_that_its_trials_do_not_support_is_warned_of(
    found: dict[str, Any], tmp_path: Path
) -> None:
    found = found | {"supported_log10_lr_bounds": [-0.3, 0.4]}
    (tmp_path / "validation.json").write_text(json.dumps(found))
    read = read_validation(tmp_path / "validation.json").validation
    assert read.beyond(0.39) is read.beyond(-0.3) is None
    assert "support: between 1/2 and 2.5" in (read.beyond(0.41) or "")
    assert read.beyond(-1.0)


def test_that_of_another_model_is_refused(
    narrow_model: Path, found: dict[str, Any], tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    said = complaint(
        "verify", ANNA, BRUNO, "-m", narrow_model, "--report", report,
        "--case", case(tmp_path, found),
    )  # fmt: skip
    assert "validates another model (a model" in said
    assert not report.exists()


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"model": 1}', "\x00", "{" * 5_000])
def test_what_is_no_validation_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "validation.json"
    path.write_text(content)
    with pytest.raises(InputError, match="not what samehand validate --json prints"):
        read_validation(path)


def test_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text("validation: nowhere.json\n")
    with pytest.raises(InputError, match=r"nowhere\.json: cannot be read"):
        read_case_file(tmp_path / "case.yaml")
