"""Halves of the authors: stable, and no trial has a side in both."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from halves import CHOSEN, NEITHER, REPORTED, half_of, halves

from samehand.corpus.readers import Trial
from tests.casework.written import Writer, write
from tests.models import save_model

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
    (tmp_path / "other").mkdir()
    pq.write_table(table, tmp_path / "other" / "diaries.parquet")
    found = halves(trials, "letters", [tmp_path / "other", tmp_path])
    for trial, half in zip(trials[:-1], found[:-1], strict=True):
        own = {
            half_of("letters", author)
            for author in AUTHORS
            if texts[author] in (trial.questioned, *trial.known)
        }
        assert half == (own.pop() if len(own) == 1 else NEITHER)
    assert found[-1] == NEITHER
    assert {CHOSEN, REPORTED, NEITHER} <= set(found.tolist())


def choosing(*arguments):
    return subprocess.run(
        [sys.executable, BENCHMARKS / "choosing.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_networks_are_compared_on_the_half_that_choices_are_made_on(tmp_path):
    chosen = [name for name in AUTHORS if half_of("letters", name) == CHOSEN]
    reported = [name for name in AUTHORS if half_of("letters", name) == REPORTED]
    texts = {}
    for number, name in enumerate(AUTHORS):
        writer = Writer(number)
        texts[name] = [writer.text() for _ in range(8)]
    rows = [(name, text) for name, own in texts.items() for text in own]
    table = pa.table({"author": [name for name, _ in rows], "text": [text for _, text in rows]})
    (tmp_path / "dev").mkdir()
    pq.write_table(table, tmp_path / "dev" / "letters.parquet")
    for half, names in (("chosen", chosen), ("reported", reported)):
        pairs = [((*texts[one][:1], texts[one][k]), True) for one in names[:8] for k in range(1, 5)]
        pairs += [
            ((texts[one][5], texts[other][k]), False)
            for one, other in pairwise(names[:9])
            for k in range(4)
        ]
        trials = [(str(n), pair, same) for n, (pair, same) in enumerate(pairs)]
        (tmp_path / half / "dev-letters").mkdir(parents=True)
        write(tmp_path / half / "dev-letters", trials)
    runs = [tmp_path / name for name in ("one", "two")]
    for run in runs:
        save_model(run / "model")
    done = choosing(tmp_path / "chosen", "--texts", tmp_path / "dev", *runs)
    assert done.returncode == 0, done.stderr
    rows = [line.split("|")[1:3] for line in done.stdout.splitlines()[2:]]
    assert [name.strip() for name, _ in rows] == ["one", "two", "all together"]
    assert all(0 <= float(auc) <= 1 for _, auc in rows)
    assert "other" in done.stdout.splitlines()[0]
    done = choosing(tmp_path / "reported", "--texts", tmp_path / "dev", *runs)
    assert len(done.stdout.splitlines()) == 2  # no trial is of the half


def test_a_folder_without_trials_ends_in_one_sentence(tmp_path):
    done = choosing(tmp_path, "--texts", tmp_path, tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
