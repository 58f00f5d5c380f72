"""Trials in both PAN formats, with and without their truth."""

import json
from pathlib import Path

import pytest

from samehand.corpus.readers import Trial, read_trials
from samehand.errors import InputError

PAIRS = [
    {"id": "p1", "fandoms": ["Ships", "Bread"], "pair": ["Sail on.", "Bake it twice."]},
    {"id": "p2", "pair": ["Anchor up.", ""]},
]
TRUTH = [{"id": "p2", "same": False}, {"id": "p1", "same": True}]
TRIALS = [
    Trial("p1", ("Sail on.",), "Bake it twice.", ("Ships", "Bread"), True),
    Trial("p2", ("Anchor up.",), "", None, False),
]


def write_lines(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_pan20_trials_need_no_authors_and_may_have_an_empty_text(tmp_path: Path) -> None:
    write_lines(tmp_path / "pairs.jsonl", PAIRS)
    write_lines(tmp_path / "truth.jsonl", TRUTH)
    assert list(read_trials(tmp_path)) == TRIALS


def test_pan20_trials_without_truth(tmp_path: Path) -> None:
    pairs = write_lines(tmp_path / "pairs.jsonl", PAIRS)
    unlabelled = [trial._replace(same=None) for trial in TRIALS]
    assert list(read_trials(tmp_path)) == list(read_trials(pairs)) == unlabelled


def test_pan20_files_of_any_name_with_a_truth_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    truth = write_lines(tmp_path / "elsewhere" / "labels.jsonl", TRUTH)
    pairs = write_lines(tmp_path / "cases.jsonl", PAIRS)
    assert list(read_trials(pairs, truth)) == TRIALS


def test_pan20_bad_trials(tmp_path: Path) -> None:
    write_lines(tmp_path / "pairs.jsonl", [*PAIRS, PAIRS[0], {"id": "p3", "pair": ["a", "b"]}])
    write_lines(tmp_path / "truth.jsonl", TRUTH)
    with pytest.raises(InputError, match=r"pairs.jsonl, line 3: the id 'p1' is there twice"):
        list(read_trials(tmp_path))
    reports: list[str] = []
    assert list(read_trials(tmp_path, on_bad=reports.append)) == TRIALS
    assert "line 4: the id 'p3' is not in truth.jsonl" in reports[1]


def test_which_pairs_must_be_clear(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither pairs\.jsonl nor a folder"):
        list(read_trials(tmp_path))
    with pytest.raises(InputError, match="does not exist"):
        list(read_trials(tmp_path / "nowhere"))
    small = write_lines(tmp_path / "small-pairs.jsonl", PAIRS)
    write_lines(tmp_path / "large-pairs.jsonl", PAIRS)
    write_lines(tmp_path / "small-truth.jsonl", TRUTH)
    with pytest.raises(InputError, match="several pairs files"):
        list(read_trials(tmp_path))
    assert list(read_trials(small)) == TRIALS


def test_pan13_trials(tmp_path: Path) -> None:
    (tmp_path / "EN001").mkdir()
    (tmp_path / "EN001" / "known01.txt").write_text("First known.")
    (tmp_path / "EN001" / "known02.txt").write_text("Second known.")
    (tmp_path / "EN001" / "unknown.txt").write_text("By whom?")
    trial = Trial("EN001", ("First known.", "Second known."), "By whom?", None, None)
    assert list(read_trials(tmp_path)) == [trial]
    (tmp_path / "truth.txt").write_text("EN001 N\n")
    assert list(read_trials(tmp_path)) == [trial._replace(same=False)]
    (tmp_path / "EN001" / "known02.txt").write_bytes(b"caf\xe9")
    with pytest.raises(InputError, match=r"EN001: known02.txt: line 1 is not valid UTF-8"):
        list(read_trials(tmp_path))
