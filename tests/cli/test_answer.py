"""`samehand answer` as a PAN organiser runs it."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from samehand.verifier import DEFAULT_MODEL
from tests.cli.console import complaint, samehand
from tests.test_verifier import TEXTS, model, write_trials

__all__ = ["model"]  # a fixture


def test_pairs_in_answers_out_and_scored(model: Path, tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1]), (TEXTS[2], TEXTS[2])])
    done = samehand("answer", "-i", trials, "-o", tmp_path / "out", "--model", model)
    assert "2 trials, 3 distinct texts" in done.stdout.replace("\n", " ")
    truth = [{"id": "t0", "same": False}, {"id": "t1", "same": True}]
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    scored = samehand("evaluate", tmp_path / "truth.jsonl", tmp_path / "out", "--json")
    assert json.loads(scored.stdout)["n"] == 2


def test_gzip_is_accepted(model: Path, tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])])
    plain = trials / "pairs.jsonl"
    (trials / "pairs.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    samehand("answer", "-i", trials, "-o", tmp_path / "out", "--model", model)
    assert (tmp_path / "out" / "answers.jsonl").read_text().count("\n") == 1


def test_bad_input_is_named(model: Path, tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])])
    nowhere = tmp_path / "nowhere"
    assert "nowhere" in complaint("answer", "-i", nowhere, "-o", tmp_path, "--model", model)
    assert "no model here" in complaint("answer", "-i", trials, "-o", tmp_path, "--model", nowhere)
    (trials / "pairs.jsonl").write_text('{"id": "a", "pair": ["one"]}\n')
    assert "pairs.jsonl, line 1" in complaint(
        "answer", "-i", trials, "-o", tmp_path / "out", "--model", model
    )


def test_the_packaged_model_is_the_default(tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])])
    arguments = ("answer", "-i", trials, "-o")
    if DEFAULT_MODEL.is_dir():
        samehand(*arguments, tmp_path / "out")
        samehand(*arguments, tmp_path / "named", "--model", DEFAULT_MODEL)
        answers = [(tmp_path / name / "answers.jsonl").read_bytes() for name in ("out", "named")]
        assert answers[0] == answers[1]
    else:
        assert "no model of its own" in complaint(*arguments, tmp_path / "out")


def test_without_any_model_it_says_what_to_do(tmp_path: Path) -> None:
    trials = write_trials(tmp_path / "in", [(TEXTS[0], TEXTS[1])])
    script = (
        "import sys, pathlib, samehand.verifier\n"
        "samehand.verifier.DEFAULT_MODEL = pathlib.Path('nowhere')\n"
        "from samehand.cli.main import main\n"
        "sys.argv[0] = 'samehand'; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "answer", "-i", trials, "-o", tmp_path / "out"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("samehand: This installation of samehand has no model of its own")
    assert "--model DIR" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
