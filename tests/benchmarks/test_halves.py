"""Halves of the authors: stable, and no trial has a side in both."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from halves import CHOSEN, NEITHER, REPORTED, half_of, halves

from samehand.corpus.readers import Trial

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
AUTHORS = [f"author {number}" for number in range(40)]


def test_a_trial_is_of_a_half_if_all_its_authors_are(tmp_path):
    texts = {author: f"A text by {author}, and nobody else. " * 20 for author in AUTHORS}
    table = pa.table({"author": list(texts), "text": list(texts.values())})
    pq.write_table(table, tmp_path / "letters.parquet")
    trials = [
        Trial(f"{one} {other}", (texts[one],), texts[other], None, one == other)
        for one in AUTHORS
        for other in AUTHORS[:10]
    ]
    trials.append(Trial("unknown", ("Who wrote this?",), texts[AUTHORS[0]], None, False))
    found = halves(trials, "letters", [tmp_path / "missing", tmp_path])
    for trial, half in zip(trials[:-1], found[:-1], strict=True):
        own = {
            half_of("letters", author)
            for author in AUTHORS
            if texts[author] in (trial.questioned, *trial.known)
        }
        assert half == (own.pop() if len(own) == 1 else NEITHER)
    assert found[-1] == NEITHER
    assert {CHOSEN, REPORTED, NEITHER} <= set(found.tolist())


def test_a_folder_without_trials_ends_in_one_sentence(tmp_path):
    run = subprocess.run(
        [sys.executable, BENCHMARKS / "choosing.py", tmp_path, "--texts", tmp_path, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
