"""`samehand adapt`, and its other names, as a user runs them."""

import json
from pathlib import Path

from samehand.verifier import Verifier
from tests.casework.written import trials, write
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS


def test_the_command_tells_what_it_did(genres_model: Path, tmp_path: Path) -> None:
    new, n = tmp_path / "new", len(list(ESSAYS.iterdir()))
    done = samehand("adapt", genres_model, ESSAYS, "-o", new)
    assert done.stdout.startswith(f"Adapted to {n} texts by others (median of ")
    assert f"0 pairs by one author and 0 by two: {new}\n" in done.stdout
    assert "is not known yet; try it on other pairs (samehand validate)." in done.stdout
    assert "exists already" in complaint("adapt", genres_model, ESSAYS, "-o", new)
    again = samehand("adapt", genres_model, ESSAYS, "-o", new, "--force", "--json")
    assert json.loads(again.stdout)["texts"]["used"] == n


def test_other_names_make_the_same_models(genres_model: Path, tmp_path: Path) -> None:
    pairs, truth = write(tmp_path / "trials", trials(3, 2))
    for place, arguments in {
        "texts": ("adapt", genres_model, ESSAYS),
        "acquainted": ("acquaint", genres_model, ESSAYS),
        "pairs": ("adapt", genres_model, "--pairs", pairs, "--truth", truth),
        "calibrated": ("calibrate", genres_model, pairs, truth),
    }.items():
        samehand(*arguments, "-o", tmp_path / place)
    for one, other in (("texts", "acquainted"), ("pairs", "calibrated")):
        assert Verifier.load(tmp_path / one).facts == Verifier.load(tmp_path / other).facts
    shown = samehand("--help").stdout
    assert "adapt" in shown
    assert "acquaint" not in shown


def test_mistakes_are_one_sentence(genres_model: Path, model: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert "too little to adapt to" in complaint("adapt", genres_model, "-o", new)
    assert "cannot be adapted" in complaint("adapt", model, ESSAYS, "-o", new)
    assert "nowhere" in complaint("adapt", genres_model, tmp_path / "nowhere", "-o", new)
    table = tmp_path / "table.jsonl"
    table.write_text('{"body": "A text."}\n', "utf-8")
    assert "--text-column" in complaint("acquaint", genres_model, table, "-o", new)
    assert not new.exists()
