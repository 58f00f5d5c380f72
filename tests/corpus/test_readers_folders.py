"""A folder tree of texts, and what it means for reading not to hold the whole corpus."""

import gzip
import json
import os
import tracemalloc
from pathlib import Path

import pytest

from samehand.corpus.document import Document
from samehand.corpus.readers import read_corpus, sources
from samehand.errors import InputError


def write_tree(root: Path) -> Path:
    (root / "ann" / "boats").mkdir(parents=True)
    (root / "ben").mkdir()
    (root / "ann" / "boats" / "one.txt").write_text("The tide turned.")
    (root / "ann" / "two.TXT").write_bytes(b"\xef\xbb\xbfNo topic,\r\nand a mark.")
    (root / "ben" / "three.txt.gz").write_bytes(gzip.compress("Käse".encode()))
    (root / "ben" / ".hidden.txt").write_text("left alone")
    (root / "ben" / "picture.png").write_bytes(b"\x89PNG\0")
    (root / "README.txt").write_text("not a document, as it is nobody's")
    return root


def test_author_and_topic_are_the_folders(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tree")
    assert sorted(read_corpus(root)) == [
        Document("ann", "", "No topic,\nand a mark."),
        Document("ann", "boats", "The tide turned."),
        Document("ben", "", "Käse"),
    ]
    assert list(read_corpus(root)) == list(read_corpus(root, format="folders"))
    assert sources(root) == [("tree", root)]


BAD_TEXTS = {
    "empty": (b"", "text is empty"),
    "blank": (b" \n", "text is empty"),
    "binary": (b"\x7fELF\0\0\0", "binary"),
    "UTF-16": ("text".encode("utf-16"), "UTF-16"),
    "not UTF-8": (b"one\ntwo caf\xe9\n", "line 2 is not valid UTF-8"),
    "gzip cut short": (gzip.compress(b"A text that ends too early.")[:-9], "cut short"),
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_a_bad_text_is_named_or_left_out(name: str, tmp_path: Path) -> None:
    content, complaint = BAD_TEXTS[name]
    bad = write_tree(tmp_path) / "ben" / "bad.txt"
    bad.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(read_corpus(tmp_path))
    assert str(caught.value).startswith(f"{bad}: ")
    assert complaint in str(caught.value)
    reports: list[str] = []
    assert len(list(read_corpus(tmp_path, on_bad=reports.append))) == 3
    assert len(reports) == 1
    assert complaint in reports[0]


def test_a_pipe_in_a_corpus_is_not_waited_for(tmp_path: Path) -> None:
    root = write_tree(tmp_path / "tree")
    for name in ("ben/pipe.txt", "pipe.jsonl", "truth.txt", "truth.jsonl", "pairs.jsonl", "a.csv"):
        os.mkfifo(root / name)
    with pytest.raises(InputError, match=r"pipe\.txt: this is no file but a pipe or a device"):
        list(read_corpus(root))
    reports: list[str] = []
    assert len(list(read_corpus(root, on_bad=reports.append))) == 3
    assert len(reports) == 1


def test_a_text_called_unknown_does_not_make_it_pan(tmp_path: Path) -> None:
    (write_tree(tmp_path) / "ben" / "unknown lands.txt").write_text("Here be dragons.")
    assert len(list(read_corpus(tmp_path))) == 4


def test_unrecognised_paths(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no corpus is recognised"):
        list(read_corpus(tmp_path))
    with pytest.raises(InputError, match="does not exist"):
        list(read_corpus(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="does not exist"):
        sources(tmp_path / "nowhere")
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "letter.docx").write_bytes(b"PK")
    with pytest.raises(InputError, match="no corpus is recognised"):
        list(read_corpus(tmp_path))


@pytest.mark.parametrize(
    ("format", "found"),
    [("csv", "no csv file"), ("pan13", "truth.txt"), ("folders", "usable"), ("pan20", "usable")],
)
def test_a_forced_format_that_is_not_there(format: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=found):
        list(read_corpus(tmp_path, format=format))


@pytest.mark.parametrize("format", ["pan13", "folders"])
def test_a_file_where_a_folder_must_be(format: str, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,")
    with pytest.raises(InputError, match="this is no folder"):
        list(read_corpus(path, format=format))


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_memory_does_not_grow_with_the_file(format: str, tmp_path: Path) -> None:
    path = tmp_path / f"corpus.{format}.gz"
    text = "word " * 4_000
    with gzip.open(path, "wt", compresslevel=1) as file:
        if format == "csv":
            file.write("author,text\n")
        for number in range(1_000):  # 20 MB of text
            row = {"author": f"a{number}", "text": text}
            file.write(f"a{number},{text}\n" if format == "csv" else json.dumps(row) + "\n")
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_corpus(path)) == 1_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000
