"""Planted styles are learned; where there are none, nothing is, and the network says so."""

import pytest

from samehand.corpus.store import Store
from samehand.training.ablate import DEPARTURES
from samehand.training.config import TrainingConfig
from samehand.training.run import train
from samehand.verifier import Verifier

from .planted import make_store
from .runs import SMALLER, without_time

SIZES = (
    *SMALLER,
    "initial_ranges=sizes",
    "batch_pairs=32",
    "learning_rate=0.01",
    "final_learning_rate=0.002",
    # BFS and UAL as they are best over several genres
    "network.bfs_activation=tanh",
    *DEPARTURES["late-start"],
)

IN_BATCH = (
    "in_batch={sources_per_batch: 1, pairs_per_topic: 8, same_topic: 0.3}",
    "network.unit_features=24",
    "network.most_words=80",
    "network.masking=suffix",
)


def figures(store: Store, folder, epochs: int, *changes: str):
    """Figures of each component after the last epoch, on trials of authors never met."""
    config = TrainingConfig.read("paper", None, [*SIZES, f"epochs={epochs}", *changes])
    train(store, folder, config, accelerator="cpu")
    return without_time(folder)[-1]["pooled"]


def test_a_planted_style_is_learned(tmp_path):
    store = make_store(tmp_path, authors=800, unseen=250, documents=4)
    found = figures(store, tmp_path / "run", epochs=10)
    for part in ("dml", "bfs", "ual"):
        assert found[part]["auc"] > 0.95
    assert abs(found["bfs"]["auc"] - found["dml"]["auc"]) < 0.01
    assert found["bfs"]["ece"] < 0.05


def test_a_planted_style_is_learned_in_batch_with_statistics_of_units(tmp_path):
    store = make_store(tmp_path, authors=800, unseen=250, documents=4)
    found = figures(store, tmp_path / "run", 6, *IN_BATCH)
    for part in ("dml", "bfs", "ual"):
        assert found[part]["auc"] > 0.95
    verifier = Verifier.load(tmp_path / "run" / "model")
    assert verifier.embed(["one two three four"]).shape == (1, 24)


def test_without_style_nothing_is_learned_in_batch(tmp_path):
    store = make_store(tmp_path, authors=800, unseen=1000, documents=4, tokens=30, styled=False)
    found = figures(store, tmp_path / "run", 3, *IN_BATCH)
    for part in ("dml", "bfs", "ual"):
        assert found[part]["auc"] == pytest.approx(0.5, abs=0.05)
    assert found["ual"]["ece"] < 0.05


def test_without_style_nothing_is_learned_and_nothing_promised(tmp_path):
    store = make_store(tmp_path, authors=800, unseen=1000, documents=4, tokens=30, styled=False)
    assert len(store.trials("test")) > 1000
    found = figures(store, tmp_path / "run", epochs=5)
    for part in ("dml", "bfs", "ual"):
        assert found[part]["auc"] == pytest.approx(0.5, abs=0.05)
    assert found["bfs"]["ece"] < 0.05
    assert found["ual"]["ece"] < 0.05
