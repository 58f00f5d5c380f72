"""A model is validated: figures, verdict, and what is left out."""

import json
from pathlib import Path

import numpy as np
import pytest

from samehand.casework.validating import known_bands, validate
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.report.validation_report import opening, remarks
from samehand.verdict import probability_of
from samehand.verifier import Verifier
from tests.casework.written import Writer, trials, write


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write(tmp_path_factory.mktemp("trials"), trials(60, 55))


@pytest.fixture(scope="module")
def found(model, files):
    return validate(model, *files)


def test_figures_are_those_of_evaluate_over_what_verify_answers(found, model, files):
    pairs, truth = files
    verifier = Verifier.load(model)
    labels = {r["id"]: r["same"] for r in map(json.loads, truth.read_text().splitlines())}
    records = [json.loads(line) for line in pairs.read_text().splitlines()]
    p = [verifier.verify(r["pair"][1], r["pair"][0]).probability for r in records]
    expected = score([labels[record["id"]] for record in records], p)
    for name in found["intervals"]:
        value = found["figures"][name]
        assert value == pytest.approx(expected[name], abs=1e-6), name
        low, high = found["intervals"][name]
        assert low <= value <= high
    assert found["trials"]["same"] == 60
    assert sum(band["n"] for band in found["length_bands"].values()) == 115
    assert {name: band["n"] for name, band in found["known_bands"].items()} == {"1": 115}
    assert "not adapted" in opening(found)
    drawn = [*found["log10_lrs"]["same"], *found["log10_lrs"]["different"]]
    assert sorted(map(probability_of, drawn)) == pytest.approx(sorted(p), abs=1e-6)
    assert len(found["log10_lrs"]["same"]) == 60


def test_where_everybody_is_told_apart_bounded_likelihood_ratios_are_too_cautious(tmp_path):
    writers = [Writer(number) for number in range(120)]
    rows = [(f"s{n}", (one.text(60), one.text(60)), True) for n, one in enumerate(writers[:60])]
    for number, (one, other) in enumerate(zip(writers[:60], writers[60:], strict=True)):
        sides = one.text(60).upper(), other.text(60).lower().replace(".", " ")
        rows.append((f"d{number}", sides, False))
    found = validate(None, *write(tmp_path, rows))
    assert found["figures"]["auc"] == 1
    assert found["figures"]["cllr"] > 0.1
    assert found["verdict"]["kind"] == "too cautious"


def test_texts_that_verify_refuses_are_left_out_and_words_are_counted_as_there(model, tmp_path):
    rows = trials(21, 20)
    # Nineteen words for verify, more by their spaces.
    short = " ".join(["-- word"] * 19)
    rows[0] = (rows[0][0], (short, rows[0][1][1]), True)
    found = validate(model, *write(tmp_path, rows))
    assert found["trials"]["too_short"] == 1
    assert (found["trials"]["same"], found["trials"]["different"]) == (20, 20)
    told = "\n".join(remarks(found))
    assert "1 trials hold a text of fewer than 20 words, which verify refuses, and were" in told


def test_few_trials_are_measured_but_not_judged(model, tmp_path):
    found = validate(model, *write(tmp_path, trials(20, 20)))
    assert found["verdict"]["kind"] == "too few"
    assert 0 <= found["figures"]["auc"] <= 1


def test_one_kind_alone_is_refused(model, tmp_path):
    for counts, said in (((0, 3), "by two authors"), ((3, 0), "by one author")):
        with pytest.raises(InputError, match=said):
            validate(model, *write(tmp_path / said, trials(*counts)))
    rows = trials(1, 1)
    rows[0] = (rows[0][0], ("Too short.", rows[0][1][1]), True)
    with pytest.raises(InputError, match="of one kind of trials none is left"):
        validate(model, *write(tmp_path / "short", rows))


def test_figures_are_told_by_the_number_of_known_texts():
    bands = known_bands(np.array([1, 1, 2, 3, 4, 9]))
    assert {name: int(band.sum()) for name, band in bands.items()} == {
        "1": 2, "2": 1, "3-4": 2, "5+": 1,
    }  # fmt: skip
    assert list(known_bands(np.array([7]))) == ["5+"]
