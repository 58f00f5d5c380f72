"""Lines of text files, however they are packed, and what is refused before it fills the memory."""

import gzip
import os
import tracemalloc
from pathlib import Path

import pytest

from samehand.errors import InputError
from samehand.io.records import BadRecord
from samehand.io.text_lines import MOST_BYTES, bare_stem, bare_suffix, lines, read_text


@pytest.mark.parametrize("packed", [True, False])
def test_lines_are_numbered_and_keep_their_ends(tmp_path: Path, packed: bool) -> None:
    content = b"\xef\xbb\xbfone\r\n\n\xef\xbb\xbfthree"
    (tmp_path / "file").write_bytes(gzip.compress(content) if packed else content)
    assert list(lines(tmp_path / "file")) == [
        (1, b"one\r\n"),
        (2, b"\n"),
        (3, b"\xef\xbb\xbfthree"),
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "the file is empty"),
        (b"a\0b", "the file is binary or UTF-16"),
        (
            gzip.compress(gzip.compress(b"text", mtime=0), mtime=0),
            "the file is packed twice; unpack it once",
        ),
        (gzip.compress(b"text", mtime=0)[:-9], "cut short or damaged"),
        (None, "does not exist"),
    ],
)
def test_what_has_no_lines(tmp_path: Path, content: bytes | None, fault: str) -> None:
    if content is not None:
        (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=f"file: .*{fault}"):
        list(lines(tmp_path / "file"))


def test_a_line_or_a_text_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path,
) -> None:
    path = tmp_path / "endless.gz"
    with gzip.open(path, "wb", 1) as file:
        file.write(b"first\n")
        for _ in range(10):
            file.write(b"x" * MOST_BYTES)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"endless\.gz: line 2 is longer than 32 MB; end it"):
            list(lines(path))
        with pytest.raises(BadRecord, match="the text is longer than 32 MB; divide it or leave it"):
            read_text(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * MOST_BYTES


def test_a_text_is_read_whole_with_plain_line_ends(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfcaf\xc3\xa9\r\nau lait\n")
    assert read_text(tmp_path / "text") == "café\nau lait\n"


@pytest.mark.parametrize(
    ("content", "fault"),
    [(b"a\0", "binary or UTF-16"), (b"one\ntwo\ncaf\xe9", "line 3 is not valid UTF-8")],
)
def test_a_text_that_is_none(tmp_path: Path, content: bytes, fault: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(BadRecord, match=fault):
        read_text(tmp_path / "text")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(BadRecord, match="no file but a pipe or a device"):
        read_text(tmp_path / "pipe.txt")


def test_names_without_what_packs_them() -> None:
    path = Path("Blogs.2004.CSV.gz")
    assert (bare_stem(path), bare_suffix(path)) == ("Blogs.2004", ".csv")
