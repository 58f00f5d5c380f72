"""`samehand model show`: a model tells what it is, of itself and of its members."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from samehand.network.weights import save_ensemble
from samehand.verifier import DEFAULT_MODEL
from tests.cli.console import complaint, samehand
from tests.models import save_model

KEYS = {
    "name", "sha256", "made_by", "bytes", "members", "data", "validation", "calibration",
    "population", "limits", "use",
}  # fmt: skip
FIGURES = {"n": 300, "auc": 0.87654, "cllr": 0.61, "ece": 0.02}
ABOUT = {
    "name": "pair of twins",
    "use": "For this test alone.",
    "data": {
        "sources": ["mails", "novels", "kept apart"],
        "parts": {"train": {"documents": 1234, "authors": 56, "words": 789_000}},
        "training": {
            "mails": {"documents": 1000, "authors": 40, "words": 700_000},
            "novels": {"documents": 234, "authors": 16, "words": 89_000},
        },
    },
    "validation": {
        "on": "300 trials of two genres",
        "figures": FIGURES,
        "sets": {"dev-mails": FIGURES | {"n": 200}, "dev-novels": FIGURES | {"n": 100}},
        "log10_lr_bounds": [-2.0, 1.0],
    },
}


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that says nothing of itself."""
    return save_model(tmp_path_factory.mktemp("models") / "bare", {})


@pytest.fixture(scope="module")
def ensemble(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ensemble")
    for name in ("one", "two"):
        save_model(folder / name, {})
    save_ensemble(folder, ["one", "two"], ABOUT)
    return folder


def shown(folder: Path) -> dict:
    return json.loads(samehand("model", "show", "--model", folder, "--json").stdout)


def test_json_of_an_ensemble_has_all_it_states(ensemble: Path) -> None:
    found = shown(ensemble)
    assert set(found) == KEYS
    assert found["name"] == "pair of twins"
    assert found["sha256"] == json.loads((ensemble / "ensemble.json").read_text())["sha256"]
    assert found["use"] == "For this test alone."
    assert found["data"] == ABOUT["data"]
    assert found["validation"]["log10_lr_bounds"] == [-2.0, 1.0]
    assert found["validation"]["validated"]
    assert found["validation"]["sets"]["dev-novels"]["n"] == 100
    assert [member["name"] for member in found["members"]] == ["one", "two"]


def test_members_are_told_by_what_is_in_their_files(ensemble: Path) -> None:
    found = shown(ensemble)
    for member in found["members"]:
        folder = ensemble / member["name"]
        vocabulary = json.loads((folder / "vocabulary.json").read_text("utf-8"))
        network = json.loads((folder / "model.json").read_text("utf-8"))["network"]
        assert member["words"] == len(vocabulary["words"]) - 2  # padding, unknown
        assert member["characters"] == len(vocabulary["characters"]) - 2
        assert member["masking"] == network["masking"]
        assert member["impostors"] == network["impostors"]
        assert member["lev_size"] == network["lev_size"]
        assert member["bytes"] < found["bytes"]
        assert member["bytes"] == sum(file.stat().st_size for file in folder.iterdir())
        assert 0 < 4 * member["parameters"] <= (folder / "weights.safetensors").stat().st_size


def test_people_get_it_in_80_columns_without_colours(ensemble: Path) -> None:
    lines = samehand("model", "show", "--model", ensemble).stdout.splitlines()
    assert lines[0] == "pair of twins"
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "\x1b" not in text
    for part in (
        "2 members", "one", "two", "mails 1,000 40 700,000", "all 1,234 56 789,000",
        "dev-novels 100 0.877", "On 300 trials of two genres.", "between 1/100 and 10, by these",
        "For this test alone.", "unmask",
    ):  # fmt: skip
        assert part in text, part
    assert "kept apart" not in text  # it was not trained on


def test_a_model_that_says_nothing_is_shown_to_say_nothing(single: Path) -> None:
    found = shown(single)
    assert found["name"] == "bare"
    assert not found["validation"]["validated"]
    assert "no validation" in found["limits"]
    assert "research" not in found["use"]
    text = " ".join(samehand("model", "show", "--model", single).stdout.split())
    for part in ("One network", "does not say what it learnt from", "states no figures"):
        assert part in text


def test_sources_of_all_parts_do_not_pass_for_training_data(tmp_path: Path) -> None:
    data = {key: value for key, value in ABOUT["data"].items() if key != "training"}
    folder = save_model(tmp_path / "uncounted", {"data": data})
    text = " ".join(samehand("model", "show", "--model", folder).stdout.split())
    assert "train 1,234 56 789,000" in text
    assert "Sources of all of these: mails, novels, kept apart." in text


def test_what_is_no_model_ends_in_one_sentence(ensemble: Path, tmp_path: Path) -> None:
    assert "no model here" in complaint("model", "show", "--model", tmp_path)
    (tmp_path / "ensemble.json").write_text("{}")
    assert "damaged" in complaint("model", "show", "--model", tmp_path)


@pytest.mark.parametrize("about", ['"x"', "[1]", '{"validation": "x"}'])
def test_a_description_that_tells_nothing_by_name_is_refused(
    ensemble: Path, tmp_path: Path, about: str
) -> None:
    copy = shutil.copytree(ensemble, tmp_path / "copy")
    file = copy / "ensemble.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"about": json.loads(about)}))
    assert "ensemble.json: not the description" in complaint("model", "show", "-m", copy)


def test_counts_that_are_none_are_not_shown_and_figures_without_value_are_null(
    ensemble: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(ensemble, tmp_path / "copy")
    file = copy / "ensemble.json"
    description = json.loads(file.read_text())
    description["about"]["data"] = {"parts": {"train": "many"}, "training": [1]}
    description["about"]["population"] = {"texts": float("nan")}
    file.write_text(json.dumps(description))
    assert "does not say what it learnt from" in samehand("model", "show", "-m", copy).stdout
    shown = samehand("model", "show", "-m", copy, "--json").stdout
    assert json.loads(shown, parse_constant=pytest.fail)["population"] == {"texts": None}


def test_help_needs_nothing_heavy() -> None:
    script = (
        "import sys; sys.argv = ['samehand', 'model', 'show', '--help']\n"
        "from samehand.cli.main import app\n"
        "try: app()\n"
        "except SystemExit: print('loaded', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    helped, loaded = done.stdout.split("loaded ")
    assert "--model" in helped
    assert not {"torch", "numpy", "safetensors", "samehand.verifier"} & set(loaded.split())


def test_the_packaged_model_is_the_default() -> None:
    if DEFAULT_MODEL.is_dir():
        found = json.loads(samehand("model", "show", "--json").stdout)
        assert found == shown(DEFAULT_MODEL)
        assert "research and evaluation" in found["use"]
    else:
        assert "no model of its own" in complaint("model", "show")
