"""`samehand validate` with real models: guide, figures, verdict, and what was calibrated on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from samehand.casework.validating import validate
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.report.validation_report import opening, remarks
from samehand.verifier import DEFAULT_MODEL, Verifier
from tests.cli.console import complaint

from .written import run, trials, write


@pytest.fixture(scope="module")
def found(second):
    return validate(None, *second)


def test_alone_it_tells_what_to_gather():
    text = run("validate")
    for part in (
        "at least 50 trials", "genre", "lengths", "other people than those in the case",
        "samehand calibrate", '"same": true', '"pair"', "fit for use",
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


def test_figures_are_those_of_evaluate(found, second):
    pairs, truth = second
    verifier = Verifier.load()
    same, p = [], []
    labels = {r["id"]: r["same"] for r in map(json.loads, truth.read_text().splitlines())}
    for record in map(json.loads, pairs.read_text().splitlines()):
        levs = verifier.embed(record["pair"])
        same.append(labels[record["id"]])
        p += verifier.probability(levs[:1], [levs[1:]]).tolist()
    expected = score(same, p)
    for name, value in found["figures"].items():
        assert value == pytest.approx(expected[name], abs=1e-3), name
        low, high = found["intervals"][name]
        assert low <= value <= high
    assert found["trials"]["same"] == 60
    assert sum(band["n"] for band in found["length_bands"].values()) == 115


def test_a_calibrated_model_costs_less_on_other_writers(calibrated, second, found):
    after = validate(calibrated[0], *second)
    assert after["figures"]["cllr"] <= found["figures"]["cllr"]
    assert after["figures"]["auc"] == pytest.approx(found["figures"]["auc"], abs=1e-3)
    assert after["trials"]["calibrated_on"] == 0
    assert "not calibrated" in opening(found)
    assert "not calibrated" not in opening(after)


def test_what_it_was_calibrated_on_does_not_count(calibrated, first, second, tmp_path):
    folder, _ = calibrated
    with pytest.raises(InputError, match="calibrated on"):
        validate(folder, *first)
    both = [path.read_text() for path in first], [path.read_text() for path in second]
    for name, one, other in zip(("pairs", "truth"), *both, strict=True):
        (tmp_path / f"{name}.jsonl").write_text(one + other)
    found = validate(folder, tmp_path, tmp_path)
    assert found["trials"]["calibrated_on"] == 115
    assert (found["trials"]["same"], found["trials"]["different"]) == (60, 55)
    assert "WARNING: 115 trials hold a text" in "\n".join(remarks(found))


def test_few_trials_are_measured_but_not_judged(tmp_path):
    found = validate(None, *write(tmp_path, trials(20, 20)))
    assert found["verdict"]["kind"] == "too few"
    assert 0 <= found["figures"]["auc"] <= 1


@pytest.mark.parametrize("ending", ["md", "html"])
def test_a_report_says_the_same(second, found, tmp_path, ending):
    report = tmp_path / f"report.{ending}"
    told = json.loads(run("validate", "default", *second, "-o", report, "--json"))
    assert told["verdict"] == found["verdict"]
    text = report.read_text("utf-8")
    assert found["verdict"]["sentence"] in text
    assert f"{told['figures']['cllr']:.4f}" in text
    assert told["pairs_sha256"] in text
    assert "Too few trials to say." in text  # the rules, all of them
    assert list(tmp_path.iterdir()) == [report]


def test_people_get_the_meaning_of_each_figure_in_80_columns(second, found):
    printed = run("validate", DEFAULT_MODEL, *second)
    assert " ".join(printed.split()).startswith(found["verdict"]["sentence"])
    assert all(len(line) <= 80 for line in printed.splitlines())
    for name in ("AUC", "EER", "Cllr", "Cllr min", "Cllr cal", "ECE", "LR > 10", "LR < 1/10"):
        assert f"\n{name} " in printed


def test_mistakes_in_the_command_are_one_sentence(first, tmp_path: Path):
    assert "MODEL, PAIRS and TRUTH" in complaint("validate", "default")
    assert "no model here" in complaint("validate", tmp_path, *first)
    for report in ("report.pdf", "nowhere/report.md"):
        assert "report" in complaint("validate", "default", *first, "-o", tmp_path / report)
