"""`samehand evaluate` and `samehand compare` from the command line."""

import json

import pytest
import typer
from typer.testing import CliRunner

from samehand.cli.compare import compare
from samehand.cli.evaluate import evaluate
from samehand.errors import InputError

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(evaluate)
app.command()(compare)

SAME = [True, True, True, False, False, False]
GOOD = [0.9, 0.8, 0.5, 0.1, 0.2, 0.6]
POOR = [0.6, 0.3, 0.5, 0.4, 0.7, 0.55]


def write(path, records):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "truth.jsonl", [{"id": f"t{i}", "same": s} for i, s in enumerate(SAME)])
    for name, values in (("good", GOOD), ("poor", POOR)):
        answers = [{"id": f"t{i}", "value": v} for i, v in enumerate(values)]
        write(tmp_path / name / "answers.jsonl", answers)
    write(
        tmp_path / "pairs.jsonl",
        [
            {"id": f"t{i}", "fandoms": ["x", "xy"[i % 2]], "pair": ["a " * 120, "b " * (i * 100)]}
            for i in range(6)
        ],
    )
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_json_is_one_object_with_the_documented_keys_first(folder):
    found = json.loads(run("evaluate", folder, folder / "good", "--json"))
    documented = "auc c@1 f1 f_05_u brier overall conf ece mce cllr cllr_min eer n n_same"
    assert list(found)[:15] == [*documented.split(), "non_responses"]
    assert (found["n"], found["n_same"], found["non_responses"], found["missing"]) == (6, 3, 1, 0)
    assert found["c@1"] == pytest.approx((4 + 4 / 6) / 6)
    assert found["f_05_u"] == pytest.approx(2.5 / (2.5 + 0.25 + 1))
    assert found["ece_definition"] == "10 equal bins over [0, 1] of the confidence max(p, 1-p)"


def test_the_legacy_figure_is_had_on_request(folder):
    found = json.loads(run("evaluate", folder, folder / "good", "--json", "--pan20-legacy"))
    assert found["f_05_u"] == pytest.approx(3.75 / (3.75 + 1))
    assert found["f_05_u_rule"] == "PAN 2020"
    four = [found[name] for name in ("auc", "c@1", "f1", "f_05_u")]
    assert found["overall_2020"] == pytest.approx(sum(four) / 4)


def test_the_table_shows_figures_intervals_strata_and_definitions(folder):
    options = ("--bootstrap", 20, "--pairs", folder / "pairs.jsonl", "--bins", "adaptive")
    shown = run("evaluate", folder, folder / "good", *options, "--binary-ece")
    for part in ("cllr_min", "debiased", "95 % interval", "Calibration test: p =", "SA_DF",
                 "0-100", "6 trials, 3 by one author", "corrected 2021",
                 "adaptive bins", "probability"):  # fmt: skip
        assert part in shown


def test_strata_and_intervals_are_in_the_json_and_nan_is_null(folder):
    options = ("--json", "--bootstrap", 5, "--pairs", folder / "pairs.jsonl")
    found = json.loads(run("evaluate", folder, folder / "good", *options))
    assert set(found["subsets"]) == {"SA_SF", "SA_DF", "DA_SF", "DA_DF"}
    assert found["subsets"]["SA_SF"]["auc"] is None
    assert found["subsets"]["SA_SF"]["n"] == 2
    assert sum(band["n"] for band in found["length_bands"].values()) == 6
    assert len(found["intervals"]["auc"]) == 2
    assert set(found["debiased"]) == {"ece", "mce", "cllr_min", "cllr_cal"}
    assert found["debiased"]["ece"] <= found["ece"]
    assert 0 < found["calibration_p"] <= 1


def test_plots_are_drawn_and_named(folder):
    found = json.loads(run("evaluate", folder, folder / "good", "--json", "--plots", folder / "p"))
    assert len(found["figures"]) == 6
    assert all((folder / "p" / name).is_file() for name in ("pav.png", "det.png", "tippett.png"))


def test_what_was_forgiven_is_said(folder):
    (folder / "odd").write_text('{"id": "t0", "value": [0.9]}\n{"id": "zz", "value": 0.1}\n')
    shown = run("evaluate", folder, folder / "odd")
    assert "5 trials without an answer: taken for 0.5." in shown
    assert "1 answers given in a list of one." in shown
    assert "1 answers to trials the truth does not know" in shown


def test_compare_sets_systems_side_by_side(folder):
    shown = run("compare", folder, folder / "good", folder / "poor", "--bootstrap", 20)
    assert "good" in shown
    assert "poor" in shown
    assert "difference from good" in shown
    assert "another training" in shown


def test_compare_gives_differences_from_the_first_as_json(folder):
    arguments = (folder, folder / "good", folder / "poor", "--bootstrap", 20, "--json")
    found = json.loads(run("compare", *arguments))
    good, poor = found["systems"]
    assert found["reference"] == good["system"] == "good"
    assert "difference" not in good
    assert poor["difference"]["auc"]["by"] == pytest.approx(poor["auc"] - good["auc"])
    low, high = poor["difference"]["auc"]["interval"]
    assert low <= poor["difference"]["auc"]["by"] <= high


def test_systems_of_one_name_are_told_apart_by_their_paths(folder):
    again = write(folder / "again" / "good.jsonl", [{"id": "t0", "value": 0.5}])
    found = json.loads(run("compare", folder, folder / "good", again, "--json", "--bootstrap", 0))
    assert [row["system"] for row in found["systems"]] == [str(folder / "good"), str(again)]


def test_errors_a_user_can_cause_are_input_errors(folder):
    for arguments in (("evaluate", folder, folder / "no"), ("compare", folder / "no", folder)):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        assert isinstance(result.exception, InputError)
