"""`samehand calibrate` with real models: what is written, what is kept, what is refused."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from samehand.casework.calibrating import calibrate
from samehand.casework.validating import validate
from samehand.errors import InputError
from samehand.judgement import bounds_of
from samehand.network.last_stage import LastStage
from samehand.verifier import DEFAULT_MODEL, Verifier
from tests.cli.console import complaint
from tests.models import essay, save_model

from .written import run, trials, write


def about(folder: Path) -> dict:
    return json.loads((folder / "ensemble.json").read_text("utf-8"))["about"]


def test_answers_are_mapped_and_nothing_else_changes(calibrated):
    folder, found = calibrated
    before, after = Verifier.load(), Verifier.load(folder)
    levs = before.embed([essay("anna-1"), essay("anna-2"), essay("bruno-1")])
    np.testing.assert_array_equal(
        levs, after.embed([essay("anna-1"), essay("anna-2"), essay("bruno-1")])
    )
    p = before.probability(levs[[0, 0]], [levs[1:2], levs[2:]])
    stage = LastStage(found["offset"], found["slope"])
    np.testing.assert_allclose(
        after.probability(levs[[0, 0]], [levs[1:2], levs[2:]]), stage.probability(p)
    )
    np.testing.assert_allclose(
        after.probabilities(levs[:1], levs[1:])[0], stage.probability(p), atol=1e-5
    )
    assert before.last_stage == LastStage()
    assert after.last_stage == stage


def test_cllr_does_not_rise_and_the_model_tells_how_it_was_made(calibrated, first):
    folder, found = calibrated
    told = about(folder)["calibration"]
    assert told["after"]["cllr"] <= told["before"]["cllr"]
    assert told["trials"] == {"same": 55, "different": 60, "without_words": 0, "repeats": 0}
    for key, path in zip(("pairs_sha256", "truth_sha256"), first, strict=True):
        assert told[key] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert told["model"]["name"] == about(DEFAULT_MODEL)["name"]
    assert len(told["texts"]) == 230
    for when in ("before", "after"):
        for name in ("auc", "cllr", "cllr_min", "ece"):
            low, high = told[when]["intervals"][name]
            assert low <= told[when][name] <= high
    assert found["log10_lr_bounds"] == about(folder)["validation"]["log10_lr_bounds"]


def test_bounds_and_figures_are_those_of_the_trials(calibrated):
    folder, _ = calibrated
    validation = about(folder)["validation"]
    assert validation["figures"]["n"] == 115
    assert "115 trials" in validation["on"]
    assert "sets" not in validation
    bounds, validated = bounds_of({"about": about(folder)})
    assert validated
    assert bounds != bounds_of({"about": about(DEFAULT_MODEL)})[0]
    verdict = Verifier.load(folder).verify(essay("anna-1"), essay("anna-2"))
    assert bounds.low <= verdict.log10_lr <= bounds.high
    assert "calibrated on 115 trials" in verdict.model.name


def test_the_order_of_the_trials_does_not_matter(calibrated, first, tmp_path):
    _, found = calibrated
    for source in first:
        lines = source.read_text().splitlines(True)
        (tmp_path / source.name).write_text("".join(lines[::-1]))
    again = calibrate(None, tmp_path, tmp_path, tmp_path / "model")
    assert again["offset"] == pytest.approx(found["offset"], abs=1e-3)
    assert again["slope"] == pytest.approx(found["slope"], abs=1e-3)
    assert again["after"]["cllr"] == pytest.approx(found["after"]["cllr"], abs=1e-3)


def test_a_calibrated_model_is_fitted_anew_not_on_top(calibrated, first, tmp_path):
    folder, found = calibrated
    again = calibrate(folder, *first, tmp_path / "again")
    assert again["calibrated_before"]
    for key in ("offset", "slope", "before", "after", "model"):
        assert again[key] == found[key]
    assert about(tmp_path / "again") == about(folder)


def test_a_model_that_says_nothing_is_refused(first, tmp_path):
    model = save_model(tmp_path / "untrained", {})
    rows = trials(60, 60, seed=3)
    random = np.random.default_rng(0)
    shuffled = [
        (i, t, bool(s)) for (i, t, _), s in zip(rows, random.permutation(120) < 60, strict=True)
    ]
    files = write(tmp_path / "trials", shuffled)
    with pytest.raises(InputError, match="says nothing about texts like these"):
        calibrate(model, *files, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["trials", "untrained"]


@pytest.mark.parametrize(("n_same", "n_different"), [(49, 60), (60, 49)])
def test_fewer_than_fifty_of_a_kind_are_refused(tmp_path, n_same, n_different):
    files = write(tmp_path / "few", trials(n_same, n_different))
    with pytest.raises(InputError, match=f"{n_same} usable .* {n_different} by two; 50 of each"):
        calibrate(None, *files, tmp_path / "out")


def test_trials_without_words_do_not_count(tmp_path):
    rows = trials(50, 50)
    rows[0] = (rows[0][0], ("", rows[0][1][1]), True)
    with pytest.raises(InputError, match="49 usable trials by one"):
        calibrate(None, *write(tmp_path / "wordless", rows), tmp_path / "out")
    more = write(tmp_path / "more", [*rows, *trials(1, 0, seed=5)])
    found = calibrate(None, *more, tmp_path / "out")
    assert found["trials"] == {"same": 50, "different": 50, "without_words": 1, "repeats": 0}


def test_trials_that_all_share_a_text_are_refused(tmp_path):
    rows = [(i, ("The one text that is in all of them.", t[1]), s) for i, t, s in trials(60, 60)]
    with pytest.raises(InputError, match="share so many texts"):
        calibrate(None, *write(tmp_path / "shared", rows), tmp_path / "out")


def test_places_that_cannot_be_used_are_refused(calibrated, first, tmp_path):
    folder, _ = calibrated
    copy = shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    for place, message in (
        (copy, "the model itself"), (copy / "inside", "is in it"), (tmp_path, "around it"),
        (tmp_path / "other", "holds other things"), (first[0], "a file is in this place"),
        (folder, "--force"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            calibrate(copy, *first, place)
    calibrate(DEFAULT_MODEL, *first, copy, force=True)
    assert about(copy) == about(folder)
    assert {path.name for path in tmp_path.iterdir()} == {"copy", "other"}


def test_the_command_tells_it_in_80_columns_and_in_json(calibrated, first, tmp_path, monkeypatch):
    _, known = calibrated
    monkeypatch.chdir(tmp_path)
    printed = run("calibrate", "default", *first, "-o", "new")
    assert all(len(line) <= 80 for line in printed.splitlines())
    text = " ".join(printed.split())
    assert text.startswith("Calibrated: log LR'" if known["fitted"] else "Already calibrated")
    for part in ("95 % interval", "share no texts", "55 trials by one"):
        assert part in text, part
    assert "Calibrated on" in run("model", "show", "--model", "new")
    told = json.loads(run("model", "show", "--model", "new", "--json"))
    assert told["calibration"]["slope"] == pytest.approx(known["slope"], abs=1e-3)
    assert "texts" not in told["calibration"]
    again = json.loads(run("calibrate", "default", *first, "-o", "new", "--force", "--json"))
    assert again["slope"] == pytest.approx(known["slope"], abs=1e-3)


HOSTILE = {
    "empty": b"",
    "binary": b"\x00\x01\x02" * 99,
    "cut gzip": b"\x1f\x8b\x08\x00cut",
    "list": b"[1]\n",
    "no pair": b'{"id": "a"}\n',
    "cut JSON": b'{"',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("side", [0, 1], ids=["pairs", "truth"])
def test_hostile_files_are_named_and_leave_nothing(first, tmp_path, content, side):
    files = list(first)
    files[side] = tmp_path / "hostile.jsonl"
    files[side].write_bytes(content)
    for refused in (
        lambda: calibrate(None, *files, tmp_path / "out"),
        lambda: validate(None, *files),
    ):
        with pytest.raises(InputError, match=r"hostile\.jsonl"):
            refused()
    assert [path.name for path in tmp_path.iterdir()] == ["hostile.jsonl"]


@pytest.mark.parametrize("command", ["calibrate", "validate"])
def test_users_get_one_sentence(first, tmp_path, command):
    place = tmp_path / ("out" if command == "calibrate" else "out.md")
    assert "nowhere" in complaint(command, "default", first[0], tmp_path / "nowhere", "-o", place)
    assert list(tmp_path.iterdir()) == []


def test_what_it_was_calibrated_on_is_familiar(calibrated):
    """Wording that was unlike anything is like something, once there were trials of it."""
    folder, found = calibrated
    verifier = Verifier.load(folder)
    assert verifier.description["about"]["calibration"]["familiar_to"] == found["familiar_to"]
    levs = verifier.embed([essay("anna-1")])
    place = verifier.networks[0].config.lev_width - 1
    levs[:, place] = 3.8
    assert verifier.consider(levs, [levs]).unfamiliar.all()
    about = verifier.description["about"]
    for stated, unlike in ((3.9, False), (0.1, True), (None, True), ("3.9", True)):
        told = {"about": about | {"calibration": about["calibration"] | {"familiar_to": stated}}}
        again = Verifier(verifier.members, told)
        assert again.consider(levs, [levs]).unfamiliar.tolist() == [unlike]
