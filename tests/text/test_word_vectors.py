"""Word vectors from the text files people have, and clear words about those that are damaged."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from samehand.errors import InputError
from samehand.text.vocabulary import SPECIAL
from samehand.text.word_vectors import SMALL, read_vectors

WORDS = (*SPECIAL, "the", "Whale", ".", "unheard-of", "naïve")
ROWS = "the 1 2 3\nwhale -1.5 0 2e-1\n. 7 8 9\nnaïve 4 5 6\nother 0 0 0\n"


def write(path: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@pytest.mark.parametrize("header", ["", "5 3\n"])
@pytest.mark.parametrize("name", ["words.vec", "words.vec.gz"])
def test_plain_or_gzip_with_a_header_or_without(tmp_path: Path, name: str, header: str) -> None:
    values, found = read_vectors(write(tmp_path / name, header + ROWS), WORDS)
    assert values.shape == (7, 3)
    assert values.dtype == np.float32
    assert values[2].tolist() == [1, 2, 3]
    assert values[3] == pytest.approx([-1.5, 0, 0.2])  # found in lower case
    assert values[4].tolist() == [7, 8, 9]
    assert values[6].tolist() == [4, 5, 6]
    assert found == 4 / 5
    assert values[0].tolist() == [0, 0, 0]
    for row in (values[1], values[5]):
        assert 0 < np.abs(row).max() <= SMALL


def test_marks_are_found_whatever_the_space_around_them(tmp_path: Path) -> None:
    marks = (*SPECIAL, ".", "‿.", "‿.‿", "¶")
    values, found = read_vectors(write(tmp_path / "w", ROWS), marks)
    assert values[2:5].tolist() == [[7, 8, 9]] * 3
    assert found == 3 / 4


def test_what_is_missing_is_the_same_every_time(tmp_path: Path) -> None:
    path = write(tmp_path / "w", ROWS)
    assert (read_vectors(path, WORDS, 1).values == read_vectors(path, WORDS, 1).values).all()
    assert (read_vectors(path, WORDS, 1).values != read_vectors(path, WORDS, 2).values).any()


def test_a_header_is_none_if_the_number_is_a_word_with_its_vector(tmp_path: Path) -> None:
    values, _ = read_vectors(write(tmp_path / "w", "7 1 2\nthe 3 4\n"), (*SPECIAL, "7", "the"))
    assert values[2:].tolist() == [[1, 2], [3, 4]]


def test_names_of_several_words_are_passed_over(tmp_path: Path) -> None:
    values, _ = read_vectors(write(tmp_path / "w", "the 1 2\n. . . 5 6\n. 3 4\n"), WORDS)
    assert values[4].tolist() == [3, 4]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("the 1 2 3\n. 1 2\n", "line 2: 2 numbers where the lines before have 3"),
        ("the 1 2 3\n. 1 two 3\n", "line 2: expected a word and its numbers"),
        ("the\n", "line 1: expected a word and its numbers"),
        ("the 1 nan\n", "line 1: expected a word and its numbers"),
        ("zzz 1 2 3\n", "a vector for none of the 5 words"),
        ("", "a vector for none of the 5 words"),
        (b"\x93NUMPY\x01\x00v\x00 \xff\xfe\n\x00\x00", "a vector for none of the 5 words"),
        (gzip.compress(ROWS.encode() * 99, mtime=0)[:-9], "gzip data is cut short"),
        (
            gzip.compress(ROWS.encode(), mtime=0)[:10] + b"nonsense",
            "gzip data is cut short or damaged",
        ),
    ],
)
def test_damaged_files(tmp_path: Path, content: str | bytes, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_vectors(write(tmp_path / "words.vec", content), WORDS)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.vec: the file does not exist"):
        read_vectors(tmp_path / "nowhere.vec", WORDS)
    with pytest.raises(InputError, match=r"cannot be read \(is a directory\)"):
        read_vectors(tmp_path, WORDS)
