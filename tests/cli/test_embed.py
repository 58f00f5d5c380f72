"""`samehand embed` as a user runs it, on real files."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from samehand.verifier import Verifier
from tests.casework.test_embedding import TEXTS, write_jsonl
from tests.cli.console import complaint, samehand


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
    assert rows[2]["n_tokens"] == 1
    verifier = Verifier.load(model)
    found = np.array([row["lev"] for row in rows], np.float32)
    assert np.array_equal(found, verifier.embed(TEXTS))
    assert table.schema.field("lev").type == pa.list_(pa.float32(), sum(verifier.embedder.sizes))
    assert table.schema.metadata[b"model_sha256"].decode() == verifier.facts.sha256
    assert [path.name for path in levs.parent.iterdir()] == ["levs.parquet"]


def test_bad_records_are_named_or_left_out(model: Path, tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "bad.jsonl", TEXTS)
    corpus.write_text(corpus.read_text() + '{"author": "x"}\n')
    options = ("-o", tmp_path / "levs.parquet", "--model", model)
    said = complaint("embed", corpus, *options)
    assert "bad.jsonl, line 5" in said
    assert "--skip-bad" in said
    done = samehand("embed", corpus, *options, "--skip-bad")
    assert "4 documents" in done.stdout
    assert "skipped: " in done.stderr
    nowhere = ("-o", tmp_path / "l.parquet", "--model", tmp_path)
    assert "no model here" in complaint("embed", corpus, *nowhere)


def test_without_pyarrow_the_extra_is_named_and_json_lines_are_written(
    model: Path, tmp_path: Path
) -> None:
    corpus = write_jsonl(tmp_path / "mails.jsonl", TEXTS)
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from samehand.cli.main import main\n"
        "sys.argv[0] = 'samehand'; main()"
    )

    def embed(place: Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, "embed", corpus, "-o", place, "-m", model]
        return subprocess.run(command, capture_output=True, text=True)

    done = embed(tmp_path / "l.parquet")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1, done.stderr
    assert "pip install '.[tables]'" in done.stderr
    assert not (tmp_path / "l.parquet").exists()
    assert embed(tmp_path / "l.jsonl").returncode == 0
    assert len((tmp_path / "l.jsonl").read_text().splitlines()) == 4
