"""A log shows where it was altered, and is added to by one program at a time."""

import json
import multiprocessing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from samehand.errors import InputError
from samehand.io.chained_log import Last, append, check, check_end


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of five lines."""
    path = tmp_path / "log.jsonl"
    for place in range(5):
        append(path, {"lr": place, "said": "Grüße\n"})
    return path


def test_each_line_follows_from_the_one_before(log: Path) -> None:
    digest = append(log, {"lr": 5})
    assert check(log) == Last(6, digest)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0] == {"number": 1, "previous": "0" * 64, "lr": 0, "said": "Grüße\n"}
    assert check(log, rows[3]["previous"]).number == 6
    with pytest.raises(InputError, match="no line has the SHA-256 abc: lines were altered or lost"):
        check(log, "abc")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_whatever_is_altered_before_the_last_line_shows(log: Path, data: st.DataObject) -> None:
    content = log.read_bytes()
    last = check(log).digest
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.binary(max_size=2).filter(lambda new: new != content[place : place + 1]))
    altered = log.with_name("other")
    altered.write_bytes(content[:place] + byte + content[place + 1 :])
    with pytest.raises(InputError, match=r"altered|is no line of a log"):
        check(altered, last)


@pytest.mark.parametrize("lost", [0, 2, 4])
def test_a_line_that_is_lost_shows(log: Path, lost: int) -> None:
    digest = check(log).digest
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:lost] + lines[lost + 1 :]))
    with pytest.raises(InputError, match=r"lines are missing|altered or lost"):
        check(log, digest)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b'{"number": 1', "its last line is cut short"),
        (b'{"number": 1}\n', "the last line is no line of a log"),
        (b"dear to somebody\n", "the last line is no line of a log"),
    ],
)
def test_nothing_is_added_to_what_is_no_log(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "it"
    path.write_bytes(content)
    for write in (check_end, lambda path: append(path, {})):
        with pytest.raises(InputError, match=fault):
            write(path)
    with pytest.raises(InputError, match="line 1 is no line of a log"):
        check(path)
    assert path.read_bytes() == content


def test_only_regular_files_are_added_to(log: Path, tmp_path: Path) -> None:
    before = log.read_bytes()
    (tmp_path / "link").symlink_to(log)
    for path in (tmp_path / "link", tmp_path, Path("/dev/null"), tmp_path / "none" / "log"):
        for write in (check_end, lambda path: append(path, {})):
            with pytest.raises(InputError, match=r"a link, a folder|cannot be written"):
                write(path)
    assert log.read_bytes() == before
    check_end(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def _append_some(path: Path) -> None:
    for _ in range(20):
        append(path, {})


def test_programs_that_add_at_once_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "log"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append_some, args=(path,)) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert check(path).number == 60
