"""The lines of PAN's files: a truth that one command reads, all of them read."""

import json
from pathlib import Path

import pytest

from samehand.corpus.readers import read_trials
from samehand.errors import InputError
from samehand.evaluation import read_truth
from samehand.io.pan_lines import parse_pair, read_same
from samehand.io.records import BadRecord

TRUTHS = {
    "as PAN writes it": '{"id": "a", "same": true}\n{"id": "7", "same": false}\n',
    "numbers": '{"id": "a", "same": 1}\n{"id": 7, "same": 0}\n',
    "value": '{"id": " a ", "value": true}\n{"id": "7", "value": false}\n',
    "more in it": '{"id": "a", "same": true, "authors": ["1", "1"]}\n{"same": false, "id": "7"}\n',
    "until 2015": "a Y\n7 n\n",
    "mark and blank lines": "\ufeffa  Y\r\n\r\n7\tN",
}


@pytest.mark.parametrize("name", TRUTHS)
def test_every_reader_reads_every_truth(tmp_path: Path, name: str) -> None:
    (tmp_path / "labels").write_text(TRUTHS[name], "utf-8", newline="")
    assert read_same(tmp_path / "labels") == {"a": True, "7": False}
    truth = read_truth(tmp_path / "labels")
    assert (list(truth.position), truth.same.tolist()) == (["a", "7"], [True, False])
    pairs = [{"id": "7", "pair": ["One.", "Two."]}, {"id": "a", "pair": ["Three.", "Four."]}]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, pairs)))
    trials = read_trials(tmp_path / "pairs.jsonl", tmp_path / "labels")
    assert [trial.same for trial in trials] == [False, True]
    (tmp_path / "7").mkdir()
    (tmp_path / "pairs.jsonl").unlink()
    for text in ("known01", "unknown"):
        (tmp_path / "7" / f"{text}.txt").write_text("Some text.")
    assert [trial.same for trial in read_trials(tmp_path, tmp_path / "labels")] == [False]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('{"id": "a", "same": true}\n{"id": "a", "same": 0}', "line 2: the id 'a' had another"),
        ("a Y\na N", "line 2: the id 'a' had another answer before; remove one"),
        ("a Y\nb perhaps", "line 2: the line is not a problem and Y or N"),
        ('{"id": "a", "same": true}\nb N', "line 2: the line is not valid JSON"),
        ('{"id": "a", "same": "yes"}', "line 1: `same` is neither true nor false; write"),
        ('{"id": "a", "value": 0.7}', "neither true nor false .are these the answers.*; write"),
        ('{"id": "a"}', "line 1: `same` is neither true nor false"),
        ('{"same": true}', "line 1: the id is missing"),
    ],
)
def test_what_is_no_truth_is_named_with_its_line(tmp_path: Path, lines: str, fault: str) -> None:
    (tmp_path / "labels").write_text(lines)
    with pytest.raises(InputError, match=fault):
        read_same(tmp_path / "labels")


def test_bad_lines_may_be_left_out_but_no_contradiction(tmp_path: Path) -> None:
    told: list[str] = []
    (tmp_path / "labels").write_text("a Y\nb\na Y\n")
    assert read_same(tmp_path / "labels", told.append) == {"a": True}
    assert len(told) == 1
    (tmp_path / "labels").write_text("a Y\na N\n")
    with pytest.raises(InputError, match="had another answer"):
        read_same(tmp_path / "labels", pytest.fail)


def test_topics_of_a_pair_go_by_either_name() -> None:
    for key in ("fandoms", "discourse_types"):
        line = json.dumps({"id": 3, key: ["Ships", ""], "pair": ["One.", ""]}).encode()
        assert parse_pair(line) == ("3", ("Ships", ""), ("One.", ""))
    assert parse_pair(b'{"id": "3", "fandoms": null, "pair": ["", ""]}').topics is None


@pytest.mark.parametrize(
    ("record", "fault"),
    [
        ({"pair": ["One.", "Two."]}, "the id is missing"),
        ({"id": "3", "pair": ["One."]}, "`pair` is not a list of two"),
        ({"id": "3", "pair": ["One.", None]}, "the text is missing"),
        ({"id": "3", "fandoms": "x", "pair": ["One.", "Two."]}, "`fandoms` is not a list of two"),
    ],
)
def test_what_is_no_pair(record: dict[str, object], fault: str) -> None:
    with pytest.raises(BadRecord, match=fault):
        parse_pair(json.dumps(record).encode())
