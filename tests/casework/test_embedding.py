"""A corpus becomes a Parquet file of vectors of style."""

import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from samehand.casework import embedding
from samehand.casework.embedding import embed
from samehand.errors import InputError
from samehand.verifier import Verifier
from tests.models import essay

TEXTS = [essay("anna-1"), "well i dunno... maybe we go later?? who knows", "One", essay("bruno-1")]


def write_jsonl(path: Path, texts: list[str]) -> Path:
    rows = [
        {"author": f"a{i}", "topic": "" if i % 2 else "t", "text": t} for i, t in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_style_and_tokens_stand_in_columns_of_their_own_in_either_format(
    verifier: Verifier, tmp_path: Path
) -> None:
    corpus = write_jsonl(tmp_path / "c.jsonl", [*TEXTS, "* \u200b"])
    for name in ("l.parquet", "l.jsonl"):
        embed(verifier, corpus, tmp_path / name)
    rows, vectors = pq.read_table(tmp_path / "l.parquet").to_pylist(), verifier.vectors(TEXTS)
    for row, n_tokens, style in zip(rows, vectors.tokens, vectors.style, strict=False):
        assert row["n_tokens"] == n_tokens
        assert row["lev"] == style.tolist()
    lines = (tmp_path / "l.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_texts_without_words_are_counted_and_have_no_lev(
    verifier: Verifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding, "_DOCUMENTS_AT_ONCE", 3)  # several chunks
    monkeypatch.setattr(embedding, "_ROWS_AT_ONCE", 5)  # and several row groups
    folder = tmp_path / "tree"
    texts = [*TEXTS, " \n "] * 3
    for i, text in enumerate(texts):
        (folder / f"author{i:02}").mkdir(parents=True)
        (folder / f"author{i:02}" / "text.txt").write_text(text)
    counts: list[tuple[int, int | None]] = []
    faults: list[str] = []

    def watch(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        counts.append((done, total))

    done = embed(verifier, folder, tmp_path / "l.parquet", on_bad=faults.append, progress=watch)
    rows = pq.read_table(tmp_path / "l.parquet").to_pylist()
    assert done.documents == len(rows)
    assert counts[:2] == [(0, None), (0, len(texts))]
    assert counts[-1] == (done.documents, len(texts))
    assert done.without_words == sum(row["lev"] is None for row in rows)
    assert done.without_words + len(faults) == 3
    expected = verifier.embed(texts)
    for row in rows:
        if row["lev"] is not None:
            assert row["lev"] == expected[int(row["author"].removeprefix("author"))].tolist()


def test_what_cannot_be_read_or_written_is_named_and_leaves_nothing(
    verifier: Verifier, tmp_path: Path
) -> None:
    def refusal(corpus: Path, place: Path) -> str:
        with pytest.raises(InputError) as caught:
            embed(verifier, corpus, place)
        return str(caught.value)

    corpus = write_jsonl(tmp_path / "c.jsonl", TEXTS)
    assert "nowhere" in refusal(tmp_path / "nowhere", tmp_path / "levs.parquet")
    assert "is read, and would be lost" in refusal(corpus, corpus)
    (tmp_path / "more").mkdir()
    within = write_jsonl(tmp_path / "more" / "d.jsonl", TEXTS)
    for read in (tmp_path / "more", corpus):
        before = within.read_bytes()
        assert "something else is in this place" in refusal(read, within)
        assert within.read_bytes() == before
    shutil.rmtree(tmp_path / "more")
    (tmp_path / "folder.parquet").mkdir()
    assert "a folder" in refusal(corpus, tmp_path / "folder.parquet")
    assert "cannot be written" in refusal(corpus, corpus / "x")
    assert sorted(os.listdir(tmp_path)) == ["c.jsonl", "folder.parquet"]


def test_a_file_from_before_stays_until_the_new_one_is_whole(
    verifier: Verifier, tmp_path: Path
) -> None:
    out = tmp_path / "levs.parquet"
    out.write_text("as it was")
    (tmp_path / "bad.jsonl").write_text('{"author": "x"}\n')
    with pytest.raises(InputError):
        embed(verifier, tmp_path / "bad.jsonl", out)
    assert out.read_text() == "as it was"
    embed(verifier, write_jsonl(tmp_path / "good.jsonl", TEXTS), out)
    assert pq.read_table(out).num_rows == len(TEXTS)
