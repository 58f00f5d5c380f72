"""What is there to be learned is learned, for unseen authors; what is not there is not claimed."""

import json
from pathlib import Path
from typing import Any

from samehand.training.config import TrainingConfig
from samehand.training.run import train

from .planted import make_store

SETTINGS = (
    "network.word_size=64",
    "network.character_size=4",
    "network.filters=8",
    "network.unit_hidden=32",
    "network.document_hidden=32",
    "network.lev_size=32",
    "network.bfs_size=20",
    "network.ual_size=32",
    "lengths.vary=false",
    "batch_pairs=32",
    "learning_rate=0.004",
    "final_learning_rate=0.001",
    "epochs=8",
)


def last_epoch(folder: Path, *, styled: bool) -> dict[str, Any]:
    store = make_store(folder, authors=300, unseen=200, styled=styled)
    config = TrainingConfig.read(None, [*SETTINGS, "trials=[test]"])
    train(store, folder / "run", config, accelerator="cpu", logger=False)
    measured: dict[str, Any] = json.loads(
        (folder / "run" / "metrics.jsonl").read_text().splitlines()[-1]
    )
    return measured["pooled"]


def test_planted_styles_are_recognised_in_unseen_authors(tmp_path: Path) -> None:
    pooled = last_epoch(tmp_path, styled=True)
    assert all(pooled[component]["auc"] > 0.95 for component in ("dml", "bfs", "ual")), pooled


def test_without_style_there_is_doubt_and_nothing_else(tmp_path: Path) -> None:
    pooled = last_epoch(tmp_path, styled=False)
    assert pooled["ual"]["n"] >= 300
    assert all(abs(pooled[component]["auc"] - 0.5) < 0.05 for component in ("dml", "bfs", "ual"))
    assert pooled["ual"]["ece"] < 0.05
