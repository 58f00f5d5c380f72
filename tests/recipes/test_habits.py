"""recipes/habits: the table of usual rates, counted over small corpora."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from samehand.explaining.features import Feature, table_bytes, usual

SCRIPT = Path(__file__).parents[2] / "recipes" / "habits" / "usual.py"


def corpus(path: Path, text: str, authors: int) -> Path:
    rows = [{"author": str(n), "topic": "", "text": text} for n in range(authors)]
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_rates_are_counted_by_genre(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = corpus(tmp_path / "one.parquet", "and so; " * 400, 3)  # 500 semicolons per 1,000 words
    other = corpus(tmp_path / "other.parquet", "and it, " * 400, 30)
    corpus(tmp_path / "short.parquet", "too short. ", 3)
    made = tmp_path / "usual.json"
    command = [sys.executable, SCRIPT, one, other, "-o", made]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.setattr("samehand.explaining.features.USUAL", made)
    usual.cache_clear()
    try:
        found = usual()
    finally:
        monkeypatch.undo()
        usual.cache_clear()
    assert found["mark", "‿;"].mean == pytest.approx(250)  # a genre counts once
    assert found["word", "and"].mean == pytest.approx(500)
    assert found["word", "and"].spread == 0
    assert (found["mark", "‿;"].low, found["mark", "‿;"].high) == (0, 500)
    assert "33 writers" in made.read_text("utf-8")
    listed: list[Feature] = list(found.values())
    assert table_bytes(listed, made.read_text("utf-8").split('"')[3]) == made.read_bytes()
