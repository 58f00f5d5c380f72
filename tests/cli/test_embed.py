"""`samehand embed` as a user runs it, on real files."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samehand.casework import embedding
from samehand.casework.embedding import embed
from samehand.errors import InputError
from samehand.network.weights import load_network
from samehand.verifier import Verifier
from tests.cli.console import complaint, samehand
from tests.test_verifier import TEXTS, model, verifier

__all__ = ["model", "verifier"]  # fixtures


def write_jsonl(path: Path, texts: list[str]) -> Path:
    rows = [
        {"author": f"a{i}", "topic": "" if i % 2 else "t", "text": t} for i, t in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_row_for_each_document_with_what_the_corpus_says(model: Path, tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "mails.jsonl", TEXTS)
    levs = tmp_path / "out" / "levs.parquet"
    done = samehand("embed", corpus, "-o", levs, "--model", model)
    assert done.stdout.strip() == f"4 documents: {levs}"
    table = pq.read_table(levs)
    assert table.column_names == ["id", "author", "topic", "n_tokens", "lev"]
    rows = table.to_pylist()
    assert [row["id"] for row in rows] == [f"mails/{i}" for i in (1, 2, 3, 4)]
    assert [row["author"] for row in rows] == ["a0", "a1", "a2", "a3"]
    assert [row["topic"] for row in rows] == ["t", None, "t", None]
    assert rows[3]["n_tokens"] == 1
    found = np.array([row["lev"] for row in rows])
    assert np.allclose(found, Verifier.load(model).embed(TEXTS), atol=1e-6)
    assert table.schema.field("lev").type == pa.list_(pa.float32(), found.shape[1])
    assert table.schema.metadata[b"model_sha256"].decode() == load_network(model)[2]["sha256"]
    assert [path.name for path in levs.parent.iterdir()] == ["levs.parquet"]


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
    counts: list[int] = []
    faults: list[str] = []
    done = embed(
        verifier, folder, tmp_path / "l.parquet", on_bad=faults.append, progress=counts.append
    )
    rows = pq.read_table(tmp_path / "l.parquet").to_pylist()
    assert done.documents == len(rows) == counts[-1]
    assert done.without_words == sum(row["lev"] is None for row in rows)
    assert done.without_words + len(faults) == 3
    expected = verifier.embed(texts)
    for row in rows:
        if row["lev"] is not None:
            lev = expected[int(row["author"].removeprefix("author"))]
            assert np.allclose(row["lev"], lev, atol=1e-5)


def test_what_cannot_be_read_or_written_is_named_and_leaves_nothing(
    model: Path, verifier: Verifier, tmp_path: Path
) -> None:
    def refusal(corpus: Path, place: Path) -> str:
        with pytest.raises(InputError) as caught:
            embed(verifier, corpus, place)
        return str(caught.value)

    corpus = write_jsonl(tmp_path / "c.jsonl", TEXTS)
    out = tmp_path / "levs.parquet"
    options = ("-o", out, "--model", model)
    assert "nowhere" in refusal(tmp_path / "nowhere", out)
    (tmp_path / "bad.jsonl").write_text(corpus.read_text() + '{"author": "x"}\n')
    assert "bad.jsonl, line 5" in complaint("embed", tmp_path / "bad.jsonl", *options)
    assert "is read, and would be lost" in refusal(corpus, corpus)
    (tmp_path / "more").mkdir()
    within = write_jsonl(tmp_path / "more" / "d.jsonl", TEXTS)
    for read in (tmp_path / "more", corpus):
        before = within.read_bytes()
        assert "something else is in this place" in refusal(read, within)
        assert within.read_bytes() == before
    shutil.rmtree(tmp_path / "more")
    assert "a folder is in this place" in refusal(corpus, tmp_path)
    assert "cannot be written" in refusal(corpus, corpus / "x")
    assert "no model here" in complaint("embed", corpus, "-o", out, "--model", tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["bad.jsonl", "c.jsonl"]
    done = samehand("embed", tmp_path / "bad.jsonl", *options, "--skip-bad")
    assert "4 documents" in done.stdout
    assert "skipped: " in done.stderr


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
