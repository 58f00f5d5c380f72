"""How many documents and trials there are, told without reading them all."""

import gzip
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samehand.corpus.readers import (
    Columns,
    n_documents,
    n_trials,
    read_corpus,
    read_trials,
)
from samehand.errors import InputError

from .written import texts, write_folders, write_jsonl, write_pan, write_table

DOCUMENTS = texts()


def corpora(folder: Path) -> dict[str, Path]:
    """`DOCUMENTS` in every format, and some in two tables."""
    rows = [dict(zip(("author", "topic", "text"), row, strict=True)) for row in DOCUMENTS]
    (folder / "two").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), folder / "c.parquet")
    pq.write_table(pa.Table.from_pylist(rows[:7]), folder / "two" / "b.parquet")
    write_jsonl(folder / "two" / "a.jsonl", rows[7:])
    quoted = [f'{row["author"]},"{row["text"]}\nand a second line"' for row in rows]
    (folder / "c.csv").write_text("\n".join(["author,text", *quoted]), "utf-8")
    (folder / "c.jsonl.gz").write_bytes(
        gzip.compress(write_table(folder / "d.jsonl", DOCUMENTS).read_bytes() + b"\n \n")
    )
    return {
        "folders": write_folders(folder / "tree", DOCUMENTS),
        **{name: folder / name for name in ("c.parquet", "c.csv", "c.jsonl.gz", "two")},
    }


@pytest.mark.parametrize("name", ["folders", "c.parquet", "c.csv", "c.jsonl.gz", "two"])
def test_documents_are_counted_as_they_are_read(tmp_path: Path, name: str) -> None:
    path = corpora(tmp_path)[name]
    assert n_documents(path, Columns()) == len(DOCUMENTS) == sum(1 for _ in read_corpus(path))


def test_those_that_cannot_be_used_may_count(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"author": "a", "text": "One."}, {"author": "b"}]
    path = write_jsonl(tmp_path / "c.jsonl", rows)
    assert n_documents(path, Columns()) == 2


def test_trials_and_their_documents(tmp_path: Path) -> None:
    pairs = [("One text.", "Another text.", True), ("One.", "Two.", False)]
    folder = write_pan(tmp_path / "pan20", pairs)
    assert n_trials(folder) == n_trials(folder / "pairs.jsonl") == 2
    assert n_documents(folder, Columns()) == 4
    problems = tmp_path / "pan13"
    for number in (1, 2, 3):
        (problems / f"EN{number}").mkdir(parents=True)
        for name in ("known01", "known02", "unknown"):
            (problems / f"EN{number}" / f"{name}.txt").write_text(f"{name} {number}")
    (problems / "truth.txt").write_text("EN1 Y\nEN2 N\nEN3 Y\n")
    assert n_trials(problems) == sum(1 for _ in read_trials(problems)) == 3
    assert n_documents(problems, Columns()) == sum(1 for _ in read_corpus(problems)) == 9


def test_what_is_read_only_once_is_not_counted(tmp_path: Path) -> None:
    pipe = tmp_path / "c.jsonl"
    os.mkfifo(pipe)
    assert n_documents(pipe, Columns()) is None
    assert n_trials(pipe) is None
    assert n_trials(tmp_path / "nowhere") is None


def test_what_cannot_be_read_is_told_as_by_reading(tmp_path: Path) -> None:
    for name, content in (("empty.jsonl", b""), ("c.csv", b"name,words\na,b\n"), ("x", b"?")):
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(InputError) as counted:
            n_documents(path, Columns())
        with pytest.raises(InputError) as read:
            list(read_corpus(path))
        assert str(counted.value) == str(read.value)
    torn = tmp_path / "torn.parquet"
    torn.write_bytes(b"PAR1 and no more")
    assert n_documents(torn, Columns()) == 0
