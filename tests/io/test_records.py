"""Single records: what is refused of their values, and what becomes of the bad ones."""

import pytest

from samehand.errors import InputError
from samehand.io.records import BadRecord, checked_name, checked_text, keep_usable


def parse(row: str) -> int:
    if not row.isdigit():
        raise BadRecord("the row is no number; write one")
    return int(row)


ROWS = [("file, line 1", "1"), ("file, line 2", "two"), ("file, line 3", "3")]


def test_the_first_bad_record_is_raised_with_its_place() -> None:
    found = keep_usable(ROWS, parse)
    assert next(found) == 1
    with pytest.raises(InputError, match=r"^file, line 2: the row is no number; write one$"):
        next(found)


def test_bad_records_are_reported_and_left_out() -> None:
    told: list[str] = []
    assert list(keep_usable(ROWS, parse, told.append)) == [1, 3]
    assert told == ["file, line 2: the row is no number; write one"]


def test_names_are_strings_or_whole_numbers() -> None:
    assert checked_name(" ann ", "author") == "ann"
    assert checked_name(7, "author") == "7"
    assert checked_name("", "topic", may_be_empty=True) == ""
    for value, fault in [
        (None, "the author is missing"),
        (" ", "the author is empty"),
        (True, "not a string but of type bool"),
        (1.5, "not a string but of type float"),
    ]:
        with pytest.raises(BadRecord, match=fault):
            checked_name(value, "author")


@pytest.mark.parametrize("half", ["\ud83d", b"caf\xe9".decode("utf-8", "surrogateescape")])
def test_a_text_must_be_writable_as_utf8(half: str) -> None:
    assert checked_text("café", "text") == "café"
    with pytest.raises(BadRecord, match="the text is not valid UTF-8"):
        checked_text(half, "text")
