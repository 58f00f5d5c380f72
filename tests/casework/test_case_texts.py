"""Texts by others come from files, folders and corpora."""

import json
import shutil
from pathlib import Path

import pytest

from samehand.casework.case_texts import read_texts
from samehand.errors import InputError
from tests.models import ESSAYS, essay


def test_texts_come_from_files_folders_and_corpora(tmp_path: Path) -> None:
    assert len(list(read_texts(ESSAYS))) == len(list(ESSAYS.iterdir()))
    assert list(read_texts(ESSAYS / "anna-1.txt")) == [essay("anna-1")]
    table = tmp_path / "corpus.jsonl"
    rows = [{"author": "a", "topic": "t", "text": f"Text number {n}."} for n in range(3)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert list(read_texts(table)) == [row["text"] for row in rows]
    table.write_text('{"body": "Nobody knows whose."}\n', "utf-8")
    assert list(read_texts(table, "body")) == ["Nobody knows whose."]
    with pytest.raises(InputError, match="--text-column"):
        list(read_texts(table))
    pairs = tmp_path / "pan" / "pairs.jsonl"
    pairs.parent.mkdir()
    pairs.write_text('{"id": "1", "pair": ["The one.", "The other."]}\n', "utf-8")
    for path in (pairs, pairs.parent):
        assert list(read_texts(path)) == ["The one.", "The other."]
    nested = tmp_path / "tree" / "anna"
    nested.mkdir(parents=True)
    (nested / "one.txt").write_text("A text by Anna.", "utf-8")
    assert list(read_texts(tmp_path / "tree")) == ["A text by Anna."]


def test_texts_beside_tables_or_folders_are_not_passed_over(tmp_path: Path) -> None:
    mixed = shutil.copytree(ESSAYS, tmp_path / "mixed")
    n = len(list(mixed.iterdir()))
    (mixed / "notes.csv").write_text("text\nA note.\n", "utf-8")
    with pytest.raises(InputError, match=f"mixed: holds {n} documents beside tables or folders"):
        list(read_texts(mixed))
    few = tmp_path / "few"
    few.mkdir()
    for name in ("notes.csv", "anna-1.txt"):  # what one text says may be about the others
        shutil.copy(mixed / name, few)
    assert list(read_texts(few)) == ["A note."]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary.txt"
    binary.write_bytes(bytes(range(256)) * 40)
    (tmp_path / "empty").mkdir()
    for path, said in (
        (binary, r"binary\.txt"),
        (tmp_path / "empty", "no text in this folder"),
        (tmp_path / "none", "none"),
    ):
        with pytest.raises(InputError, match=said):
            list(read_texts(path))
