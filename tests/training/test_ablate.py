"""The paper's Table 1, from two trainings a run."""

import csv
import json
from pathlib import Path

import pytest

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.training.ablate import MEASURES, ROWS, ablate

from .runs import small_config


@pytest.fixture(scope="module")
def folder(store: Store, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ablation")
    config = small_config("epochs=2", "trials=[test]")
    assert ablate(store, folder, config, runs=1, only="fixed-0", accelerator="cpu") is None
    assert not (folder / "table.md").exists()
    assert ablate(store, folder, config, runs=1, last=2, accelerator="cpu")
    return folder


def test_the_rows_are_those_of_the_paper() -> None:
    assert [(row.component, row.setting) for row in ROWS] == [
        ("DML", "fixed"),
        ("DML", "learned"),
        ("BFS", "swish"),
        ("BFS", "tanh"),
        ("UAL tanh", "β = 0"),
        ("UAL tanh", "β = 0.05"),
        ("UAL tanh", "β = 0.1"),
        ("UAL tanh", "β = 0.2"),
        ("UAL swish", "β = 0.1"),
        ("UAL swish", "β = 0.125"),
    ]


def test_two_trainings_give_all_rows(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir() if path.is_dir()) == [
        "fixed-0",
        "learned-0",
    ]


def test_a_cell_is_the_mean_over_the_last_epochs(folder: Path) -> None:
    lines = (folder / "learned-0" / "metrics.jsonl").read_text().splitlines()
    expected = [json.loads(line)["pooled"]["ual tanh_b200"]["auc"] for line in lines]
    assert len(expected) == 2
    rows = list(csv.DictReader((folder / "table.csv").read_text("utf-8").splitlines()))
    (row,) = [r for r in rows if (r["component"], r["setting"]) == ("UAL tanh", "β = 0.2")]
    assert float(row["auc"]) == pytest.approx(100 * sum(expected) / 2, abs=1e-3)
    spread = 100 * abs(expected[0] - expected[1]) / 2
    assert float(row["auc_deviation"]) == pytest.approx(spread, abs=1e-3)


def test_all_formats_hold_all_rows_and_measures(folder: Path) -> None:
    markdown = (folder / "table.md").read_text("utf-8").splitlines()
    latex = (folder / "table.tex").read_text("utf-8")
    assert len(markdown) == 2 + len(ROWS)
    assert all(measure in markdown[0] for measure in MEASURES)
    assert latex.count(r"\pm") == len(ROWS) * len(MEASURES)
    assert latex.startswith(r"\begin{tabular}")


def test_what_is_trained_is_not_trained_again(folder: Path, store: Store) -> None:
    weights = folder / "learned-0" / "model" / "weights.safetensors"
    before = weights.stat().st_mtime_ns
    config = small_config("epochs=2", "trials=[test]")
    ablate(store, folder, config, runs=1, last=1, accelerator="cpu")
    assert weights.stat().st_mtime_ns == before


def test_an_unknown_training_is_refused(folder: Path, store: Store) -> None:
    with pytest.raises(InputError, match="fixed-0, learned-0"):
        ablate(store, folder, small_config(), runs=1, only="fixed-7")
