"""The model card says what was measured, of the model that was measured, and where it fails."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from quality_figures import AnsweredSet, quality

from samehand.evaluation.summary import jsonable
from samehand.model.description import About, Data, Statement
from samehand.model.folder import read_model, write_model
from tests.models import genres_evidence, untrained

CARD = Path(__file__).parents[2] / "recipes" / "default" / "card.py"
SETTINGS = {"epochs": 7, "batch_pairs": 64, "seed": 3, "scoring": {"authors": 0.15}}
COUNTS = {
    "git": {"documents": 20, "authors": 4, "words": 2_000_000},
    "mpi": {"documents": 10, "authors": 3, "words": 1_000_000},
    "court": {"documents": 5, "authors": 2, "words": 500_000},
}
PLAIN = {"auc": 0.7, "cllr": 0.8, "cllr_cal": 0.02, "ece": 0.03, "undecided": 0.2}


def answered(name, kind, share_right, confidence, n=200):
    """A set on which our system is right so often, and says that it is so sure."""
    rng = np.random.default_rng(0)
    same = np.arange(n) % 2 == 0
    correct = np.arange(n) < round(share_right * n)
    sure = confidence + rng.uniform(-0.02, 0.02, n)
    ours = np.where(same == correct, sure, 1 - sure)
    peer = np.where(same, 0.5, 0.49) + rng.uniform(-0.01, 0.01, n)
    undecided = np.arange(n) < n // 10
    cropped = dict.fromkeys(("100-250", "250-500"), (same, ours))
    systems = {"samehand": ours, "ppm": peer}
    parts = {"strict": undecided, "reported": undecided}
    return AnsweredSet(name, kind, kind == "old", same, systems, undecided, parts, cropped)


def save(folder, data):
    """A model that says of its data what is given; returns its SHA-256."""
    networks = [untrained("one"), untrained("two", seed=1)]
    fitted = {"trials": 1_234, "texts": 600, "authors": 99, "tokens": 9_000, "genres": ["essays"]}
    about = About(
        data=Data.model_validate(data),
        training={
            "networks": {name: {"settings": SETTINGS} for name in ("one", "two")},
            "evidence": fitted,
        },
    )
    said = Statement(name="twins", evidence="genres", log10_lr_bounds=(-1.5, 1.0), about=about)
    write_model(folder, said, networks, evidence=genres_evidence(networks).tensors())
    return read_model(folder).sha256


def write_card(*arguments):
    return subprocess.run(
        [sys.executable, CARD, *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, and figures measured with it."""
    folder = tmp_path_factory.mktemp("card")
    train = {key: sum(c[key] for c in COUNTS.values()) for key in COUNTS["git"]}
    sha256 = save(folder / "model", {"parts": {"train": train}, "training": COUNTS})
    sets = [
        answered("dev-git", "old", 0.80, 0.8),
        answered("dev-court", "old", 0.55, 0.9),
        answered("shift-letters", "shift", 0.52, 0.9),
    ]
    found = {"model": {"name": "twins", "sha256": sha256}} | quality(sets, resamples=50)
    found["several_known"] = {"4": {"trials": 20, "sources": 2, "1": PLAIN, "4": PLAIN}}
    found["adapting"] = {"shift-letters": {"nothing": PLAIN, "20 texts": PLAIN}}
    (folder / "quality.json").write_text(json.dumps(jsonable(found)))
    return folder


@pytest.fixture(scope="module")
def card(folder):
    done = write_card(folder / "quality.json", folder / "model", "-o", folder / "card.md")
    assert done.returncode == 0, done.stderr
    return (folder / "card.md").read_text("utf-8")


def test_sources_of_one_kind_are_counted_together(card):
    assert "| Mailing lists and Usenet | git, mpi | 30 | 7 | 3.0 |" in card
    assert "| Speech, written down | court | 5 | 2 | 0.5 |" in card
    assert "| **all** |  | **35** | **9** | **3.5** |" in card


def test_figures_are_those_measured(card, folder):
    found = json.loads((folder / "quality.json").read_text())
    scores = found["sets"]["dev-git"]["systems"]["samehand"]
    low, high = scores["intervals"]["auc"]
    assert f"{scores['auc']:.3f} [{low:.3f}, {high:.3f}]" in card
    words = " ".join(card.split())
    assert "7 epochs, batches of 64 pairs, seeds 3, 3; 15 % of the authors" in words
    assert "1,234 trials over 600 texts by 99 authors of 2 genres: essays, others" in words
    assert "held between 1/32 and 10" in words
    assert "| 20 texts | 0.700 | 0.800 | 0.020 | 0.030 | 0.200 | 0.800 |" in card


def test_where_it_fails_is_read_from_the_figures(card):
    failing = card.split("## Where it fails")[1].split("\n## ")[0]
    new = "**Of shift: genres that are in no training text: over-confident.**"
    assert f"{new} On average it claims 90 %" in failing
    assert "right in 52 %" in failing
    [more] = [line for line in failing.splitlines() if "More confident than right" in line]
    assert "dev-court (90 % against 55 %)" in more
    assert "dev-git" not in more
    [useless] = [line for line in failing.splitlines() if "worse than none" in line]
    assert "dev-court" in useless
    assert "shift-letters" in useless
    assert "dev-git" not in useless


def test_tables_are_not_ragged_and_commands_stay_indented(card):
    for block in card.split("\n\n"):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1
    for command in ("make benchmark-quality", "samehand prepare", "python recipes/default"):
        assert f"\n    {command}" in card
    assert "{" not in card


def test_figures_of_another_model_are_refused(folder, tmp_path):
    (tmp_path / "quality.json").write_text('{"model": {"sha256": "0123456789ab"}}')
    done = write_card(tmp_path / "quality.json", folder / "model", "-o", tmp_path / "card.md")
    assert done.returncode == 2
    assert "another model" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "card.md").exists()


def test_a_model_without_counts_by_source_is_refused(folder, tmp_path):
    sha256 = save(tmp_path / "model", {"parts": {}})
    (tmp_path / "quality.json").write_text(json.dumps({"model": {"sha256": sha256}}))
    done = write_card(tmp_path / "quality.json", tmp_path / "model", "-o", tmp_path / "card.md")
    assert done.returncode == 2
    assert "each source" in done.stderr
