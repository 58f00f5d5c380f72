"""`samehand prepare` as a user meets it, with good corpora and bad ones."""

import gzip
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.console import SCRIPT, complaint, samehand
from tests.corpus.written import texts, write_folders, write_pan, write_table

DOCUMENTS = texts()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_table(tmp_path / "c.jsonl", DOCUMENTS)


def test_what_it_made_is_shown(tmp_path: Path) -> None:
    corpus = write_folders(tmp_path / "corpus", DOCUMENTS)
    trials = write_pan(tmp_path / "mine", [("One text.", "Another text.", True)])
    vectors = tmp_path / "w.vec.gz"
    vectors.write_bytes(gzip.compress(b"2 3\nso 1 2 3\nwell 4 5 6\n"))
    place = tmp_path / "store"
    done = samehand("prepare", corpus, "-o", place, "--trials", trials, "--vectors", vectors)
    assert done.stderr == ""
    for part in ("train", "calibration", "documents", "authors", "topics", "words", "tokens"):
        assert part in done.stdout
    for said in ("different parts", "covers 100.0%", "SA_DF", "mine (1)", "word vectors: found"):
        assert said in done.stdout
    assert (place / "pair-counts.png").read_bytes().startswith(b"\x89PNG")
    about = json.loads((place / "store.json").read_text())
    assert about["trials"] == {"mine": 1}

    assert "--force" in complaint("prepare", corpus, "-o", place)
    options = ("--split-by", "authors", "--subsets", "SA_DF,DA_SF", "--words", 9)
    samehand("prepare", corpus, "-o", place, "--force", *options)
    pairs, truth = (
        [json.loads(line) for line in (place / "test-trials" / name).read_text().splitlines()]
        for name in ("pairs.jsonl", "truth.jsonl")
    )
    assert pairs
    for trial, answer in zip(pairs, truth, strict=True):
        assert answer["same"] != (trial["fandoms"][0] == trial["fandoms"][1])


def test_what_may_mislead_is_said(tmp_path: Path, table: Path) -> None:
    corpus = write_folders(tmp_path / "tree", [(a, t, f"{text}, too") for a, t, text in DOCUMENTS])
    trials = write_pan(tmp_path / "mine", [(text, "New.", True) for *_, text in DOCUMENTS])
    options = ("--trials", trials, "--split-by", "authors", "--workers", 1)
    said = samehand("prepare", table, corpus, "-o", tmp_path / "s", *options).stdout
    assert "authors in several sources: 12, such as 'author0' in c and tree; each is" in said
    about = json.loads((tmp_path / "s" / "store.json").read_text())
    trained = about["training"]["c"]["documents"]
    assert f"trials of mine that hold a text of the training part: {trained} of 96" in said
    apart = samehand("prepare", table, corpus, "-o", tmp_path / "a", "--authors-apart").stdout
    assert "caution" not in apart


def test_shares_of_the_parts(tmp_path: Path, table: Path) -> None:
    options = ("--split-by", "authors", "--shares", "75,25", "--workers", 1)
    samehand("prepare", table, "-o", tmp_path / "s", *options)
    parts = json.loads((tmp_path / "s" / "store.json").read_text())["parts"]
    assert [parts[name]["authors"] for name in ("train", "calibration", "test")] == [9, 3, 0]
    assert "sum to 100" in complaint("prepare", table, "-o", tmp_path / "t", "--shares", "75,20")


def test_columns_of_other_names(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    rows = [f"{author};{topic};{text.replace(';', ',')}" for author, topic, text in DOCUMENTS]
    path.write_text("\n".join(["who;about;what", *rows]))
    columns = ("--author-column", "who", "--topic-column", "about", "--text-column", "what")
    assert "train" in samehand("prepare", path, "-o", tmp_path / "s", *columns).stdout
    told = complaint("prepare", path, "-o", tmp_path / "t")
    assert "c.csv: there is no column 'author' (found: who, about, what)" in told
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "c.jsonl: the file is empty"),
        (b'{"author": "a", "text": "b"}\n{"author": "a", "te', "c.jsonl, line 2: the line is not"),
        (b'{"author": "a", "text": "caf\xe9"}\n', "c.jsonl, line 1: the line is not valid UTF-8"),
        (b'{"writer": "a", "text": "b"}\n', "there is no column 'author'"),
        (b"\x00\x01\x02PNG\x00" * 99, "c.jsonl: the file is binary"),
        (b'{"author": "a", "topic": "t", "text": "b"}\n' * 3, "all texts are by one author"),
        (
            gzip.compress(b'{"author": "a", "text": "b"}\n' * 99, mtime=0)[:-9],
            "cut short or damaged",
        ),
    ],
)
def test_a_bad_table(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "c.jsonl").write_bytes(content)
    assert told in complaint("prepare", tmp_path / "c.jsonl", "-o", tmp_path / "s")
    assert [path.name for path in tmp_path.iterdir()] == ["c.jsonl"]


def test_a_truth_that_lacks_a_pair(tmp_path: Path) -> None:
    folder = write_pan(tmp_path / "pan", [("a b", "c d", True), ("e f", "g h", False)])
    lines = [{"id": "t0", "same": True, "authors": ["x", "x"]}]
    (folder / "truth.jsonl").write_text(json.dumps(lines[0]) + "\n")
    told = complaint("prepare", folder, "-o", tmp_path / "s")
    assert "pairs.jsonl, line 2: the id 't1' is not in truth.jsonl" in told


def test_bad_text_files(tmp_path: Path) -> None:
    corpus = write_folders(tmp_path / "corpus", DOCUMENTS)
    folder = corpus / "author0"
    (folder / "a.txt").write_bytes(b"fine\nfine\ncaf\xe9\n")
    told = complaint("prepare", corpus, "-o", tmp_path / "s")
    assert "a.txt: line 3 is not valid UTF-8" in told
    assert told.endswith("or pass --skip-bad to leave it out")
    (folder / "b.txt").write_bytes(bytes(range(256)))
    (folder / "c.txt").write_bytes(b"")
    done = samehand("prepare", corpus, "-o", tmp_path / "s", "--skip-bad")
    assert "3 unreadable" in done.stdout
    skipped = done.stderr.splitlines()
    assert [line.split(": ")[0] for line in skipped] == ["skipped"] * 3
    assert "c.txt: the text is empty" in skipped[2]


def test_places_that_are_none(tmp_path: Path, table: Path) -> None:
    assert "nowhere: the path does not exist" in complaint(
        "prepare", tmp_path / "nowhere", "-o", tmp_path / "s"
    )
    assert "cannot be made" in complaint("prepare", table, "-o", "/proc/nothing/here")
    assert "a file is in this place" in complaint("prepare", table, "-o", table, "--force")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary").write_text("private")
    told = complaint("prepare", table, "-o", tmp_path / "full", "--force")
    assert "holds other things, which stay" in told
    assert (tmp_path / "full" / "diary").exists()
    told = complaint("prepare", table, "-o", tmp_path / "s", "--vectors", tmp_path / "no.vec")
    assert "no.vec: the file does not exist" in told
    assert "choose from DA_DF" in complaint("prepare", table, "-o", "s", "--subsets", "SA")
    assert "choose one of pan20" in complaint("prepare", table, "-o", "s", "--format", "xml")


def test_a_document_of_five_megabytes(tmp_path: Path) -> None:
    long = "A sentence that does not end; " * 170_000
    path = write_table(tmp_path / "c.jsonl", [*DOCUMENTS, ("author0", "topic0", long)])
    done = samehand("prepare", path, "-o", tmp_path / "s", "--split-by", "authors")
    assert "dropped: none" in done.stdout


def test_interrupting_leaves_nothing(tmp_path: Path, table: Path) -> None:
    lines = table.read_bytes()
    with table.open("wb") as file:
        for number in range(400):
            file.write(lines.replace(b"end", b"end%d" % number))
    place = tmp_path / "store"
    for stop, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        started = subprocess.Popen(
            [SCRIPT, "prepare", table, "-o", place], stderr=subprocess.PIPE, text=True
        )
        _wait_for(tmp_path, ".store-unfinished-*/tokens.raw")
        os.kill(started.pid, stop)
        _, told = started.communicate(timeout=60)
        assert started.returncode == code
        assert told == ""
        assert not place.exists()
        left = [path.name for path in tmp_path.iterdir() if path != table]
        assert len(left) == (stop is signal.SIGKILL)
    samehand("prepare", table, "-o", place, "--split-by", "authors", "--workers", 1)
    assert (place / "store.json").exists()


def _wait_for(folder: Path, pattern: str) -> None:
    for _ in range(6_000):
        if any(folder.glob(pattern)):
            return
        time.sleep(0.01)
    raise AssertionError(f"no {pattern}")
