"""A reader of both texts judges by what it has read, and by nothing else."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from tests.training.planted import make_store

FOLDER = Path(__file__).parents[2] / "recipes" / "reader"
MODULES = "network", "texts"


@pytest.fixture(scope="module", autouse=True)
def recipe():
    """Its files import each other by name, as scripts do."""
    sys.path.insert(0, str(FOLDER))
    yield
    sys.path.remove(str(FOLDER))
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture
def reader():
    from network import Reader, Sizes

    torch.manual_seed(0)
    reader = Reader(20, Sizes(width=32, layers=2, heads=2, dropout=0.0)).eval()
    with torch.no_grad():  # as it begins, all symbols are about as likely
        reader.symbols.weight.normal_(0.0, 0.5)
    return reader


def some_pieces(lengths, seed):
    from network import PIECE, SPECIAL, Pieces

    drawn = np.random.default_rng(seed).integers(20, size=(len(lengths), PIECE)) + SPECIAL
    return Pieces(torch.from_numpy(drawn), torch.tensor(lengths))


def evidence(reader, first, second):
    from network import read_both

    same, other = read_both(reader, first, second)
    return same.second - other.second


@torch.inference_mode()
def test_evidence_of_a_pair_does_not_depend_on_others_nor_on_what_is_behind_its_pieces(reader):
    from network import Pieces

    first, second = some_pieces([30, 4], 0), some_pieces([12, 50], 1)
    found = evidence(reader, first, second)
    alone = evidence(reader, *(Pieces(*(part[:1] for part in side)) for side in (first, second)))
    assert found[0].item() == pytest.approx(alone.item(), abs=1e-4)
    cut = (
        side._replace(symbols=side.symbols.masked_fill(
            torch.arange(side.symbols.shape[1]) >= side.lengths[:, None], 5))
        for side in (first, second)
    )  # fmt: skip
    assert torch.allclose(found, evidence(reader, *cut), atol=1e-4)
    assert found.abs().min() > 1e-3  # what it is told makes a difference


@torch.inference_mode()
def test_likelihoods_of_all_second_texts_sum_to_one(reader):
    """Of one symbol, whatever it is told: or else evidence would be no ratio of likelihoods."""
    from network import OTHER, SAME, SPECIAL, Pieces, read

    first = some_pieces([9] * 23, 2)
    first = Pieces(first.symbols[:1].expand(23, -1), first.lengths)
    every = torch.arange(23)[:, None].expand(-1, first.symbols.shape[1])
    assert len(reader.symbols.weight) == SPECIAL + 20
    for told in (SAME, OTHER):
        found = read(reader, first, Pieces(every, torch.ones(23, dtype=torch.long)),
                     torch.full((23,), told))  # fmt: skip
        assert found.second.exp().sum().item() == pytest.approx(1.0, abs=1e-5)


def test_rare_words_stand_for_those_that_look_like_them(tmp_path):
    from texts import symbols

    store = make_store(tmp_path, authors=10, unseen=6)
    of_type, n = symbols(store, 5)
    word = {name: of_type[place] for place, name in enumerate(store.types)}
    common = store.vocabulary.words[2:7]
    assert [word[name] for name in common] == list(range(5))
    rare = [name for name in ("perhaps", "besides", "word1x2", "word3x2") if name not in common]
    assert all(5 <= word[name] < n for name in rare)
    assert word["word1x2"] == word["word3x2"] != word["perhaps"]


def test_learning_leaves_a_reader_and_what_it_makes_of_trials(tmp_path):
    store = make_store(tmp_path / "corpus")
    sizes = ["--width=16", "--layers=1", "--heads=2"]
    little = [*sizes, "--minutes", "0.01", "0.03", "--pairs=8", "--trials=test"]
    done = subprocess.run(
        [sys.executable, FOLDER / "learn.py", store.folder, "-o", tmp_path / "reader", *little],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "test " in done.stdout
    weights = load_file(tmp_path / "reader" / "weights.safetensors")
    assert all(torch.isfinite(values).all() for values in weights.values())
    trials = store.trials("test")
    log_odds, same = np.load(tmp_path / "reader" / "trials" / "test.npy")
    assert np.isfinite(log_odds).all()
    assert np.array_equal(same, trials.same_author)
    judging, _ = np.load(tmp_path / "reader" / "judging.npy")
    assert np.isfinite(judging).all()
