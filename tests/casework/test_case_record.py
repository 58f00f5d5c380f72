"""The record of a case in an adapted model."""

from samehand.casework.case_record import CaseRecord, FileOfCase, PairsOfCase, TextsOfCase

RECORD = CaseRecord(
    name="a model",
    sha256="0" * 64,
    texts=TextsOfCase(used=30, median_words=240, too_short=1, repeats=2),
    pairs=PairsOfCase(same=1, different=12),
    files=(FileOfCase(name="letters", sha256="1" * 64),),
)


def test_it_is_read_as_it_was_written():
    assert CaseRecord.of(RECORD.model_dump(mode="json")) == RECORD


def test_what_is_no_record_is_none():
    for found in ({}, {"name": "a model"}, RECORD.model_dump(mode="json") | {"texts": -1}):
        assert CaseRecord.of(found) is None


def test_in_words():
    assert RECORD.in_words() == (
        "30 texts by others (median of 240 words); texts left out: 1 too short, 2 repeats; "
        "1 pair by one author and 12 by two"
    )
