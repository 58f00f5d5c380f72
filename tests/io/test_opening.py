"""Files are opened by what is in them, not by what they are called."""

import gzip
import os
import threading
import zlib
from pathlib import Path

import pytest

from samehand.io.opening import READ_ERRORS, open_bytes, read_fault, unpacked

TEXT = b"first line\nsecond line\n" * 1000


@pytest.mark.parametrize("name", ["plain.txt", "plain.gz", "no-ending"])
@pytest.mark.parametrize("packed", [True, False])
def test_plain_or_gzip_under_any_name(tmp_path: Path, name: str, packed: bool) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(TEXT) if packed else TEXT)
    with open_bytes(path) as file:
        assert file.peek(5)[:5] == b"first"
        assert file.readline() == b"first line\n"
        assert file.read() == TEXT[11:]


@pytest.mark.parametrize("packed", [True, False])
def test_a_pipe_is_opened_once_and_nothing_stays_open(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = gzip.compress(TEXT) if packed else TEXT
    writer = threading.Thread(target=path.write_bytes, args=[content], daemon=True)
    writer.start()
    with open_bytes(path) as file:
        assert file.read() == TEXT
    writer.join()
    assert path not in {link.resolve() for link in Path("/proc/self/fd").iterdir()}


def test_bytes_at_hand_are_unpacked_up_to_a_limit() -> None:
    assert unpacked(TEXT, 10) == TEXT
    assert unpacked(gzip.compress(TEXT), len(TEXT) + 1) == TEXT
    assert unpacked(gzip.compress(TEXT), 10) == TEXT[:10]


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    with open_bytes(tmp_path / "empty") as file:
        assert file.read() == b""


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (gzip.compress(TEXT, mtime=0)[:-20], "cut short or damaged"),
        (b"\x1f\x8b", "cut short or damaged"),
        (b"\x1f\x8bno gzip at all, though", "cut short or damaged"),
        (None, "does not exist"),
    ],
)
def test_faults_have_a_sentence(tmp_path: Path, content: bytes | None, fault: str) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(READ_ERRORS) as caught, open_bytes(path) as file:
        file.read()
    assert fault in read_fault(caught.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(READ_ERRORS) as caught:
        open_bytes(tmp_path)
    assert "cannot be read (is a directory); check the path" in read_fault(caught.value)
    assert "cut short" in read_fault(zlib.error("bad data"))
