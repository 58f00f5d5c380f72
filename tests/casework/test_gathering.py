"""What is wrong with somebody's trials is named in one sentence before the model is run."""

import gzip
import json
import os
from pathlib import Path

import pytest

from samehand.casework.labelled import gather
from samehand.errors import InputError

from .written import Rows, write

ROWS: Rows = [
    ("a", ("One text is here.", "Another text is there."), True),
    ("b", ("A third one.", "And a fourth."), False),
    ("c", ("Fifth of all.", "Sixth of all."), False),
]


def refusal(folder: Path, rows: Rows) -> str:
    with pytest.raises(InputError) as fault:
        gather(*write(folder, rows))
    return str(fault.value)


def test_the_order_of_the_lines_does_not_matter(tmp_path):
    one = gather(*write(tmp_path / "1", ROWS))
    other = gather(*write(tmp_path / "2", ROWS[::-1]))
    assert one.trials == other.trials
    assert one.counts == (1, 2)


def test_gzip_and_folders_are_found(tmp_path):
    pairs, truth = write(tmp_path, ROWS)
    plain = gather(pairs, truth)
    for file in (pairs, truth):
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    assert gather(tmp_path, tmp_path).trials == plain.trials


def test_a_pipe_is_refused_as_the_files_are_read_more_than_once(tmp_path):
    pairs, truth = write(tmp_path, ROWS)
    os.mkfifo(tmp_path / "pipe")
    for files in [(tmp_path / "pipe", truth), (pairs, tmp_path / "pipe")]:
        with pytest.raises(InputError, match="pipe: a pipe, which can be read only once"):
            gather(*files)


def test_several_known_texts_come_in_folders(tmp_path):
    for name, texts in (("EN001", ("k1", "k2", "u")), ("EN002", ("k3", "k4", "v"))):
        (tmp_path / name).mkdir()
        for file, text in zip(("known01", "known02", "unknown"), texts, strict=True):
            (tmp_path / name / f"{file}.txt").write_text(text)
    (tmp_path / "truth.txt").write_text("EN001 Y\nEN002 N\n")
    gathered = gather(tmp_path, tmp_path / "truth.txt")
    assert gathered.counts == (1, 1)
    assert [len(trial.texts) for trial in gathered.trials] == [3, 3]
    before = gathered.hashes()
    (tmp_path / "EN001" / "known01.txt").write_text("changed")
    assert gathered.hashes()["pairs_sha256"] != before["pairs_sha256"]
    assert gathered.hashes()["truth_sha256"] == before["truth_sha256"]


def test_authors_may_be_named(tmp_path):
    pairs, truth = write(tmp_path, ROWS)
    records = [json.loads(line) for line in truth.read_text().splitlines()]
    records[0]["authors"] = ["Ann", "Ann"]
    truth.write_text("\n".join(map(json.dumps, records)))
    named = {trial.id: trial.authors for trial in gather(pairs, truth).trials}
    assert named == {"a": ("Ann", "Ann"), "b": (), "c": ()}


def test_a_repeated_pair_is_refused_whichever_way_round(tmp_path):
    again = ("d", ROWS[1][1][::-1], False)
    found = refusal(tmp_path, [*ROWS, again])
    assert "'b' and 'd'" in found
    assert "--skip-repeats" in found
    kept = gather(*write(tmp_path, [*ROWS, again]), skip_repeats=True)
    assert (len(kept.trials), kept.repeats) == (3, 1)


def test_spacing_does_not_make_a_text_another(tmp_path):
    spaced = ("d", tuple(text.replace(" ", "\n ") for text in ROWS[1][1]), False)
    assert "hold the same texts" in refusal(tmp_path, [*ROWS, spaced])


def test_a_pair_in_both_kinds_is_refused_even_when_repeats_are_skipped(tmp_path):
    files = write(tmp_path, [*ROWS, ("d", ROWS[1][1], True)])
    with pytest.raises(InputError, match="once as by one author, once as by two"):
        gather(*files, skip_repeats=True)


def test_a_text_against_itself_is_refused(tmp_path):
    assert "with itself" in refusal(tmp_path, [*ROWS, ("d", ("Same.", "Same."), True)])


def test_texts_without_words_are_no_repeats(tmp_path):
    rows = [*ROWS, ("d", ("", ""), True), ("e", ("", ""), False)]
    assert len(gather(*write(tmp_path, rows)).trials) == 5


@pytest.mark.parametrize(("side", "message"), [(0, "not in truth.jsonl"), (1, "not in pairs")])
def test_ids_must_be_in_both_files(tmp_path, side, message):
    files = write(tmp_path, ROWS)
    files[1 - side].write_text("".join(files[1 - side].read_text().splitlines(True)[:-1]))
    with pytest.raises(InputError, match=message) as fault:
        gather(*files)
    assert "'c'" in str(fault.value)


def test_one_kind_alone_is_refused(tmp_path):
    assert "two authors" in refusal(tmp_path, ROWS[1:])
    assert "one author;" in refusal(tmp_path, ROWS[:1])
