"""JSON lines: what does no harm, and what is named with its line."""

import gzip
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.io.jsonl import json_lines, locate, parse_object
from samehand.io.records import BadRecord


@pytest.mark.parametrize("packed", [True, False])
def test_a_mark_blank_lines_and_other_line_ends_do_no_harm(tmp_path: Path, packed: bool) -> None:
    content = b'\xef\xbb\xbf{"a": 1}\r\n\r\n \n{"a": 2}'
    (tmp_path / "file").write_bytes(gzip.compress(content) if packed else content)
    lines = json_lines(tmp_path / "file")
    assert [parse_object(line) for _, line in lines] == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"a": "caf\xe9"}', "not valid UTF-8"),
        (b'{"a": 1', "not valid JSON .* at column 8"),
        (b"[1]", "not a JSON object"),
        (b"[" * 100_000, "JSON beyond what can be read"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "JSON beyond what can be read"),
    ],
)
def test_what_is_no_object(line: bytes, fault: str) -> None:
    with pytest.raises(BadRecord, match=fault):
        parse_object(line)


def test_a_file_of_blank_lines_alone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("\n \n")
    with pytest.raises(InputError, match="file: the file holds blank lines alone"):
        list(json_lines(tmp_path / "file"))


def test_a_folder_stands_for_the_file_in_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no truth\.jsonl"):
        locate(tmp_path, "truth", "truth.txt")
    for name in ("truth.txt", "truth.jsonl.gz", "truth.jsonl"):
        (tmp_path / name).write_text("")
        assert locate(tmp_path, "truth", "truth.txt") == tmp_path / name
    with pytest.raises(InputError, match="nowhere: there is no such file"):
        locate(tmp_path / "nowhere", "truth")
