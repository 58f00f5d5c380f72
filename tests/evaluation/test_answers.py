"""Truth and answers as people hand them in: what is forgiven, and what is refused with its line."""

import gzip
import json

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.evaluation import read_answers, read_truth

TRUTH = b'{"id": "a", "same": true}\n{"id": "b", "same": false}\n{"id": "c", "same": true}\n'
ANSWERS = b'{"id": "c", "value": 0.9}\n{"id": "a", "value": 0.7}\n{"id": "b", "value": 0.2}\n'


@pytest.fixture
def truth(tmp_path):
    (tmp_path / "truth.jsonl").write_bytes(TRUTH)
    return read_truth(tmp_path / "truth.jsonl")


def answers_in(folder, truth, data, name="answers.jsonl"):
    (folder / name).write_bytes(data)
    return read_answers(folder / name, truth)


def test_answers_are_put_in_the_order_of_the_truth(tmp_path, truth):
    assert truth.same.tolist() == [True, False, True]
    answers = answers_in(tmp_path, truth, ANSWERS)
    assert answers.probability.tolist() == [0.7, 0.2, 0.9]
    assert answers.missing == 0
    assert not any(answers.tolerated.values())


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + ANSWERS,
        ANSWERS.replace(b"\n", b"\r\n"),
        ANSWERS.replace(b"\n", b"\n\n"),
        ANSWERS.rstrip(),
        gzip.compress(ANSWERS, mtime=0),
        gzip.compress(ANSWERS[:26], mtime=0) + gzip.compress(ANSWERS[26:], mtime=0),
    ],
    ids=["BOM", "CRLF", "blank lines", "no last newline", "gzip", "gzip in two parts"],
)
@pytest.mark.parametrize("name", ["answers.jsonl", "answers.jsonl.gz", "answers.txt", "run 1"])
def test_the_outward_form_does_not_matter(tmp_path, truth, data, name):
    answers = answers_in(tmp_path, truth, data, name)
    assert answers.probability.tolist() == [0.7, 0.2, 0.9]


@pytest.mark.parametrize(
    ("last", "counted", "value"),
    [
        ('{"id": "b", "value": [0.25]}', "in_list", 0.25),
        ('{"id": "b", "value": NaN}', "not_a_number", 0.5),
        ('{"id": "b", "value": null}', "not_a_number", 0.5),
        ('{"id": "b", "value": 1.0000001}', "clipped", 1.0),
        ('{"id": "b", "value": -1e-9}', "clipped", 0.0),
        ('{"id": "b", "value": true}', "decisions", 1.0),
        ('{"id": "b", "same": false}', "decisions", 0.0),
        ('{"id": "b", "value": 0.1}\n{"id": "b", "value": 0.3}', "duplicates", 0.3),
        ('{"id": "b", "value": 0.1}\n{"id": "z", "value": 0.3}', "extra", 0.1),
    ],
)
def test_what_is_forgiven_is_counted(tmp_path, truth, last, counted, value):
    lines = [*ANSWERS.splitlines()[:2], last.encode()]
    answers = answers_in(tmp_path, truth, b"\n".join(lines))
    assert answers.probability[1] == value
    assert {name: n for name, n in answers.tolerated.items() if n} == {counted: 1}


def test_a_trial_without_an_answer_gets_one_half(tmp_path, truth):
    answers = answers_in(tmp_path, truth, ANSWERS.splitlines()[0])
    assert answers.probability.tolist() == [0.5, 0.5, 0.9]
    assert answers.missing == 2


def test_whole_numbers_are_probabilities_and_ids_may_be_numbers(tmp_path):
    (tmp_path / "t").write_text('{"id": 1, "same": 1}\n{"id": 2, "same": 0}')
    truth = read_truth(tmp_path / "t")
    answers = answers_in(tmp_path, truth, b'{"id": 1, "value": 1}\n{"id": "2", "value": 0}')
    assert answers.probability.tolist() == [1.0, 0.0]
    assert not any(answers.tolerated.values())


def test_ids_are_without_the_white_space_around_them_as_when_trials_are_read(tmp_path):
    (tmp_path / "t").write_text('{"id": " a ", "same": 1}\n{"id": "b", "same": 0}')
    truth = read_truth(tmp_path / "t")
    answers = answers_in(tmp_path, truth, b'{"id": "a", "value": 0.9}\n{"id": "b ", "value": 0.1}')
    assert answers.probability.tolist() == [0.9, 0.1]


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        (b'{"id": "a", "value": 1.2}', "1.2"),
        (b'{"id": "a", "value": Infinity}', "inf"),
        (b'{"id": "a", "value": 1e999}', "inf"),
        (b'{"id": "a", "value": "0.7"}', "'0.7'"),
        (b'{"id": "a", "value": [0.1, 0.9]}', "probability"),
        (b'{"id": "a", "value": {}}', "probability"),
        (b'{"id": "a"}', "missing"),
        (b'{"value": 0.7}', "the id is missing"),
        (b'{"id": null, "value": 0.7}', "the id is missing"),
        (b'{"id": "a", "val', "not valid JSON"),
        (b'{"id": "a" "value": 0.7}', "not valid JSON"),
        (b"[0.7]", "not a JSON object"),
        (b'"' + b"\xff" + b'"', "UTF-8"),
        (b"[" * 100_000, "line 2"),
        (b'{"id": "a", "value": ' + b"9" * 5000 + b"}", "line 2"),
        (b"a 0.7", "not valid JSON"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_line(tmp_path, truth, second, complaint):
    data = ANSWERS.splitlines()[0] + b"\n" + second + b"\n" + ANSWERS.splitlines()[2]
    with pytest.raises(InputError) as refused:
        answers_in(tmp_path, truth, data)
    message = str(refused.value)
    assert "answers.jsonl, line 2" in message
    assert complaint in message
    assert "\n" not in message
    assert len(message) < 300 + len(str(tmp_path))


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "the file is empty"),
        (b"\n\n", "blank lines alone"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (b"PK\x03\x04\xfe\xff\x00\x00", "binary or UTF-16, not UTF-8"),
        (ANSWERS.decode().encode("utf-16"), "binary or UTF-16, not UTF-8"),
        (ANSWERS.replace(b"\n", b""), "line 1: the line is not valid JSON"),
        (gzip.compress(ANSWERS * 500, mtime=0)[:-40], "gzip data is cut short or damaged"),
        (b"\x1f\x8bnot gzip at all", "gzip data is cut short or damaged"),
        (b'{"id": "x", "value": 0.5}', "none of its ids"),
    ],
)
def test_unusable_files_are_refused(tmp_path, truth, data, complaint):
    with pytest.raises(InputError, match=complaint):
        answers_in(tmp_path, truth, data)


@pytest.mark.parametrize("name", ["answers.jsonl", "answers.jsonl.gz"])
def test_a_folder_stands_for_the_file_in_it(tmp_path, truth, name):
    folder = tmp_path / "run"
    folder.mkdir()
    with pytest.raises(InputError, match=r"holds no answers\.jsonl"):
        read_answers(folder, truth)
    answers_in(folder, truth, ANSWERS, name)
    assert read_answers(folder, truth).probability.tolist() == [0.7, 0.2, 0.9]
    assert read_truth(tmp_path).same.tolist() == truth.same.tolist()


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.jsonl: there is no such file"):
        read_truth(tmp_path / "nowhere.jsonl")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b'{"id": "a", "same": false}', "line 4: the id 'a' had another answer before"),
        (b'{"id": "d", "same": "yes"}', "line 4: `same` is neither true nor false"),
        (b'{"id": "d", "value": 0.3}', "are these the answers"),
        (b'{"same": true}', "line 4: the id is missing"),
    ],
)
def test_a_truth_that_is_none_is_refused(tmp_path, line, complaint):
    (tmp_path / "truth.jsonl").write_bytes(TRUTH + line)
    with pytest.raises(InputError, match=complaint):
        read_truth(tmp_path)


def test_a_repeated_truth_counts_once(tmp_path):
    (tmp_path / "truth.jsonl").write_bytes(TRUTH + TRUTH)
    assert read_truth(tmp_path).same.size == 3


def test_reading_what_was_written_gives_the_same_floats(tmp_path, truth):
    values = np.random.default_rng(1).random(3)
    lines = [json.dumps({"id": i, "value": v}) for i, v in zip("abc", values, strict=True)]
    answers = answers_in(tmp_path, truth, "\n".join(lines).encode())
    assert answers.probability.tolist() == values.tolist()
