"""`samehand answer` as a PAN organiser runs it."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

from samehand.io.locking import alone_in
from samehand.verifier import PACKAGED
from tests.casework.written import write_pairs
from tests.cli.console import complaint, samehand
from tests.models import essay

PAIR = (essay("anna-1"), essay("bruno-1"))


def test_pairs_in_answers_out_and_scored(model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR, (PAIR[0], PAIR[0]), (PAIR[0], "Hello.")])
    done = samehand("answer", "-i", trials, "-o", tmp_path / "out", "--model", model)
    told = " ".join(done.stdout.split())
    assert told.startswith("3 trials; ")
    assert "undecided, which got 0.5; 1 of them with a text too short to compare" in told
    assert "--skip-bad" not in told
    truth = [{"id": f"t{place}", "same": place == 1} for place in range(3)]
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    scored = samehand("evaluate", tmp_path / "truth.jsonl", tmp_path / "out", "--json")
    assert json.loads(scored.stdout)["n"] == 3


def test_figures_of_a_component_are_two_commands(model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR, (PAIR[0], PAIR[0])])
    truth = [{"id": f"t{place}", "same": place == 1} for place in range(2)]
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    drawn = []
    for component in ("dml", "bfs"):
        out = tmp_path / component
        samehand("answer", "-i", trials, "-o", out, "--model", model, "--component", component)
        samehand("evaluate", tmp_path / "truth.jsonl", out, "--plots", out)
        drawn.append((out / "histograms.png").read_bytes())
        assert (out / "reliability.png").exists()
    assert drawn[0] != drawn[1]


def test_evidence_by_genres_has_no_component(tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    said = complaint("answer", "-i", trials, "-o", tmp_path / "out", "--component", "dml")
    assert "none of the paper's components" in said
    assert not (tmp_path / "out").exists()


def test_gzip_is_accepted(model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    plain = trials / "pairs.jsonl"
    (trials / "pairs.jsonl.gz").write_bytes(gzip.compress(plain.read_bytes()))
    plain.unlink()
    samehand("answer", "-i", trials, "-o", tmp_path / "out", "--model", model)
    assert (tmp_path / "out" / "answers.jsonl").read_text().count("\n") == 1


def test_bad_input_is_named(model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    nowhere = tmp_path / "nowhere"
    options = ("-o", tmp_path / "out", "--model")
    assert "nowhere" in complaint("answer", "-i", nowhere, *options, model)
    assert "no model here" in complaint("answer", "-i", trials, *options, nowhere)
    (trials / "pairs.jsonl").write_text('{"id": "a", "pair": ["one"]}\n')
    said = complaint("answer", "-i", trials, *options, model)
    assert "pairs.jsonl, line 1" in said
    assert "--skip-bad" not in said


def test_a_device_that_is_not_there_is_named(model: Path, tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    options = ("-o", tmp_path / "out", "--model", model, "--device", "abacus")
    assert "no device 'abacus'" in complaint("answer", "-i", trials, *options)


def test_the_packaged_model_is_the_default(tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    samehand("answer", "-i", trials, "-o", tmp_path / "out")
    samehand("answer", "-i", trials, "-o", tmp_path / "named", "--model", PACKAGED)
    answers = [(tmp_path / name / "answers.jsonl").read_bytes() for name in ("out", "named")]
    assert answers[0] == answers[1]


def test_without_any_model_it_says_what_to_do(tmp_path: Path) -> None:
    trials = write_pairs(tmp_path / "in", [PAIR])
    script = (
        "import sys, pathlib, samehand.verifier\n"
        "samehand.verifier.PACKAGED = pathlib.Path('nowhere')\n"
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


def test_of_two_runs_into_one_folder_the_second_is_told(model: Path, tmp_path: Path) -> None:
    asked = write_pairs(tmp_path / "in", [PAIR])
    output = tmp_path / "out"
    output.mkdir()
    with alone_in(output):
        said = complaint("answer", "-i", asked, "-o", output, "--model", model)
    assert "another samehand is at work in it" in said
    assert list(output.iterdir()) == []
