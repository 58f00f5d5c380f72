"""A fault in somebody's trials is named in one sentence before the model is run."""

import gzip
import os
from pathlib import Path

import pytest

from samehand.casework.digests import sha256_of
from samehand.casework.labelled import read_labelled
from samehand.errors import InputError

from .written import Rows, write

ROWS: Rows = [
    ("a", ("One text is here.", "Another text is there."), True),
    ("b", ("A third one.", "And a fourth."), False),
    ("c", ("Fifth of all.", "Sixth of all."), False),
]


def refusal(folder: Path, rows: Rows) -> str:
    with pytest.raises(InputError) as fault:
        read_labelled(*write(folder, rows))
    return str(fault.value)


def test_the_order_of_the_lines_does_not_matter(tmp_path):
    one = read_labelled(*write(tmp_path / "1", ROWS))
    other = read_labelled(*write(tmp_path / "2", ROWS[::-1]))
    assert one.trials == other.trials
    assert one.counts == (1, 2)


def test_gzip_and_folders_are_found(tmp_path):
    pairs, truth = write(tmp_path, ROWS)
    plain = read_labelled(pairs, truth)
    for file in (pairs, truth):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert read_labelled(tmp_path, tmp_path).trials == plain.trials


def test_a_pipe_is_refused_as_the_files_are_read_more_than_once(tmp_path):
    pairs, truth = write(tmp_path, ROWS)
    os.mkfifo(tmp_path / "pipe")
    for files in [(tmp_path / "pipe", truth), (pairs, tmp_path / "pipe")]:
        with pytest.raises(InputError, match="pipe: a pipe, which can be read only once"):
            read_labelled(*files)


def test_several_known_texts_come_in_folders(tmp_path):
    for name, texts in (("EN001", ("k1", "k2", "u")), ("EN002", ("k3", "k4", "v"))):
        (tmp_path / name).mkdir()
        for file, text in zip(("known01", "known02", "unknown"), texts, strict=True):
            (tmp_path / name / f"{file}.txt").write_text(text)
    (tmp_path / "truth.txt").write_text("EN001 Y\nEN002 N\n")
    labelled = read_labelled(tmp_path, tmp_path / "truth.txt")
    assert labelled.counts == (1, 1)
    assert [len(trial.texts) for trial in labelled.trials] == [3, 3]
    assert [trial.known for trial in labelled.read()] == [("k1", "k2"), ("k3", "k4")]
    before = [sha256_of(path) for path in (labelled.pairs, labelled.truth)]
    (tmp_path / "EN001" / "known01.txt").write_text("changed")
    after = [sha256_of(path) for path in (labelled.pairs, labelled.truth)]
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_a_repeated_pair_is_refused_whichever_way_round(tmp_path):
    again = ("d", ROWS[1][1][::-1], False)
    found = refusal(tmp_path, [*ROWS, again])
    assert "'b' and 'd'" in found
    assert "--skip-repeats" in found
    kept = read_labelled(*write(tmp_path, [*ROWS, again]), skip_repeats=True)
    assert (len(kept.trials), kept.repeats) == (3, 1)
    assert [trial.id for trial in kept.read()] == ["a", "b", "c"]


def test_spacing_does_not_make_a_text_another(tmp_path):
    spaced = ("d", tuple(text.replace(" ", "\n ") for text in ROWS[1][1]), False)
    assert "hold the same texts" in refusal(tmp_path, [*ROWS, spaced])


def test_a_pair_in_both_kinds_is_refused_even_when_repeats_are_skipped(tmp_path):
    files = write(tmp_path, [*ROWS, ("d", ROWS[1][1], True)])
    with pytest.raises(InputError, match="once as by one author, once as by two"):
        read_labelled(*files, skip_repeats=True)


def test_a_text_against_itself_is_refused(tmp_path):
    assert "with itself" in refusal(tmp_path, [*ROWS, ("d", ("Same.", "Same."), True)])


def test_texts_without_words_are_no_repeats(tmp_path):
    rows = [*ROWS, ("d", ("", ""), True), ("e", ("", ""), False)]
    assert len(read_labelled(*write(tmp_path, rows)).trials) == 5


@pytest.mark.parametrize(("side", "message"), [(0, "not in truth.jsonl"), (1, "not in pairs")])
def test_ids_must_be_in_both_files(tmp_path, side, message):
    files = write(tmp_path, ROWS)
    files[1 - side].write_text("".join(files[1 - side].read_text().splitlines(True)[:-1]))
    with pytest.raises(InputError, match=message) as fault:
        read_labelled(*files)
    assert "'c'" in str(fault.value)


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
def test_hostile_files_are_named(tmp_path, content, side):
    files = list(write(tmp_path, ROWS))
    files[side] = tmp_path / "hostile.jsonl"
    files[side].write_bytes(content)
    with pytest.raises(InputError, match=r"hostile\.jsonl"):
        read_labelled(*files)
