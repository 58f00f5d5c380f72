"""The recipes of the paper: a queue of trainings, tables from logs, O2D2 and the ensemble."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from samehand.corpus.store import Store, write_pairs
from samehand.evaluation import score
from samehand.training.config import TrainingConfig
from samehand.training.run import train
from tests.recipes.test_pan20 import SMALL
from tests.training.planted import make_store
from tests.training.runs import one_core

RECIPES = Path(__file__).parents[2] / "recipes" / "paper"
SETTINGS = [part for change in SMALL for part in ("--set", change)]
ON_CPU = ("--accelerator", "cpu", *SETTINGS)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Half of the trials are called calibration: of other trials, though not of other authors."""
    made = make_store(tmp_path_factory.mktemp("corpus"), authors=80, unseen=60)
    trials = made.trials("test")
    first = np.arange(len(trials)) % 2 == 0
    for name, chosen in (("calibration", first), ("test", ~first)):
        write_pairs(made.folder, name, trials.where(chosen))
    return made


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


def recipe(name: str, *arguments: object, **changed: str) -> subprocess.CompletedProcess[str]:
    binaries = Path(sys.executable).parent
    by = [sys.executable] if name.endswith(".py") else []
    return subprocess.run(
        [*by, str(RECIPES / name), *map(str, arguments)],
        capture_output=True,
        text=True,
        env=one_core() | changed | {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}"},
    )


def test_workers_share_the_trainings_of_the_table_and_the_last_writes_it(
    store: Store, tmp_path: Path
) -> None:
    asked = ("table.sh", store.folder, tmp_path / "out", 2, 300, "--runs", 1, *ON_CPU)
    done = recipe(*asked)
    assert done.returncode == 0, (done.stdout, done.stderr)
    trained = sorted(path.parent.name for path in (tmp_path / "out").glob("*/metrics.jsonl"))
    assert trained == ["fixed-0", "learned-0"]
    table = (tmp_path / "out" / "table.md").read_text("utf-8")
    again = recipe("tables.py", tmp_path / "out", "--runs", 1)
    assert (again.returncode, again.stdout.strip()) == (0, table.strip())

    told = recipe("trends.py", tmp_path / "out", "--runs", 1)
    assert told.returncode == 0, told.stderr
    rows = {row[0]: row[2:] for row in map(cells, told.stdout.splitlines()[2:])}
    by_row = {tuple(row[:2]): row[2:] for row in map(cells, table.splitlines()[2:])}
    shown = rows["MCE falls as β grows"][0].split(", ")
    mce = [
        by_row["UAL tanh", f"β = {beta}"][-1].split(" ")[0] for beta in ("0", "0.05", "0.1", "0.2")
    ]
    assert shown == mce
    held = all(float(one) > float(other) for one, other in pairwise(shown))
    assert rows["MCE falls as β grows"][1] == f"{held:d} of 1"


def test_what_time_was_too_short_for_is_left_to_the_next_call(store: Store, tmp_path: Path) -> None:
    done = recipe("table.sh", store.folder, tmp_path / "out", 1, 1, "--runs", 1, *ON_CPU)
    assert done.returncode == 3
    done = recipe("tables.py", tmp_path / "out")
    assert done.returncode == 2
    assert "missing; train that run first" in done.stderr


def test_a_setting_that_is_none_ends_the_queue(store: Store, tmp_path: Path) -> None:
    done = recipe("table.sh", store.folder, tmp_path / "out", 1, 300, "--set", "epoch=1")
    assert done.returncode == 1
    assert "there is no setting epoch" in done.stdout


def test_shares_of_the_authors_take_the_same_number_of_steps(store: Store, tmp_path: Path) -> None:
    asked = ("authors.sh", store.folder, tmp_path / "out", 1, 2, 300)
    changed = {"PARTS": "4 1", "EPOCHS": "2"}
    done = recipe(*asked, "--accelerator", "cpu", *SETTINGS[:-2], **changed)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert len(list(tmp_path.rglob("model.json"))) == 2
    configs = [
        TrainingConfig.model_validate_json((tmp_path / "out" / name / "config.json").read_text())
        for name in ("1-of-4-0", "1-of-1-0")
    ]
    assert [(c.authors_used, c.epochs) for c in configs] == [(0.25, 8), (1, 2)]
    assert recipe(*asked, "--not-looked-at", **changed).returncode == 0  # nothing is left to do


def test_rejection_and_the_ensemble_are_measured_before_and_after(
    store: Store, tmp_path: Path
) -> None:
    runs = [tmp_path / name for name in ("one", "two")]
    for seed, run in enumerate(runs):
        config = TrainingConfig.read("paper", None, (*SMALL, f"seed={seed}", "epochs=6"))
        made = train(store, run, config, accelerator="cpu")
    done = recipe("rejection.py", store.folder, *runs)
    assert done.returncode == 0, done.stderr
    head, _, *rows = map(cells, done.stdout.splitlines())
    assert [row[:2] for row in rows] == [
        [name, how] for name in ("one network", "ensemble of 2") for how in ("without", "with")
    ]
    by_name = [dict(zip(head, row, strict=True)) for row in rows]
    assert by_name[0]["rejected"] == by_name[2]["rejected"] == "0.0 ± 0.0"

    alone = recipe("rejection.py", store.folder, runs[1])
    trials = store.trials("test")
    levs = made.embed(trials.first), made.embed(trials.second)
    probability = made.eval().network.scoring.posteriors(*levs)[1].detach().double().numpy()
    auc = 100 * score(trials.same_author, probability)["auc"]
    assert alone.stdout.splitlines()[2].split("|")[4].strip() == f"{auc:.1f} ± 0.0"

    refused = recipe("rejection.py", store.folder, runs[0], "--fit", "none")
    assert refused.returncode == 2
    assert "no set of trials 'none'; choose from calibration, test" in refused.stderr
