"""A reader of both texts judges by what it has read, and by nothing else."""

import gzip
import json
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
LAYOUT = 2, 256, 8


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


def some_pairs(lengths, seed=0):
    from texts import Pair

    rng = np.random.default_rng(seed)
    drawn = (rng.integers(20, size=both).astype(np.int16) for n in lengths for both in n)
    return [Pair(first, second, True) for first, second in zip(drawn, drawn, strict=True)]


def sums(reader, pairs, mask="dense_mask", **layout):
    """(pairs, parts) log-likelihoods, in the order of the pairs."""
    import network
    from texts import Layout

    found = torch.zeros(len(pairs), 3)
    for rows in Layout(*LAYOUT, **layout).lots(pairs):
        here = rows.tokens > 0
        found[rows.given[here]] = reader(rows, getattr(network, mask)(rows)).plain[here]
    return found


@torch.inference_mode()
def test_what_is_read_of_a_pair_does_not_depend_on_what_stands_beside_it(reader):
    pairs = some_pairs([(30, 12), (4, 50), (90, 70), (100, 70), (60, 3), (1, 1), (20, 20)])
    found = sums(reader, pairs)
    for pair, of_pair in zip(pairs, found, strict=True):
        assert torch.allclose(sums(reader, [pair]), of_pair, atol=1e-3)
    assert (found[:, 1] - found[:, 2]).abs().min() > 1e-3  # what it is told makes a difference


@torch.inference_mode()
def test_each_reading_is_as_if_there_were_no_other(reader):
    pairs = some_pairs([(30, 12), (4, 50), (90, 70)])
    both, one = sums(reader, pairs), sums(reader, pairs, both=False)
    assert torch.allclose(both[:, :2], one[:, :2], atol=1e-3)
    assert (one[:, 2] == 0).all()
    others = [pair._replace(same=False) for pair in pairs]
    assert torch.allclose(both[:, 2], sums(reader, others, both=False)[:, 2], atol=1e-3)


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@torch.inference_mode()
def test_a_gpu_s_mask_by_blocks_is_the_same(reader):
    pairs = some_pairs([(30, 12), (4, 50), (90, 70), (100, 70), (60, 3), (1, 1), (20, 20)])
    by_blocks = sums(reader, pairs, "block_mask")
    assert torch.allclose(sums(reader, pairs), by_blocks, atol=1e-3)


@torch.inference_mode()
def test_likelihoods_of_all_second_texts_sum_to_one(reader):
    """Of one symbol, whatever it is told: or else evidence would be no ratio of likelihoods."""
    from network import SPECIAL
    from texts import Pair

    assert len(reader.symbols.weight) == SPECIAL + 20
    first = some_pairs([(9, 1)])[0].first
    every = [Pair(first, np.array([n], np.int16), True) for n in range(-SPECIAL, 20)]
    for told in sums(reader, every).T[1:]:
        assert told.exp().sum().item() == pytest.approx(1.0, abs=1e-5)


@torch.inference_mode()
def test_what_is_unlikely_either_way_is_hardly_evidence(reader):
    from network import dense_mask
    from texts import Layout, Pair

    reader.symbols.weight.mul_(0.5)  # so that some are rather likely, and others not
    first = some_pairs([(9, 1)])[0].first
    every = [Pair(first, np.array([n], np.int16), True) for n in range(20)]
    for rows in Layout(1, 512, 20).lots(every):
        found = reader(rows, dense_mask(rows))
    plain = found.plain[:, 1] - found.plain[:, 2]
    unlikely = found.plain[:, 1:].max(1).values < -9
    likely = found.plain[:, 1:].min(1).values > -6
    assert unlikely.any()
    assert likely.any()
    assert (found.evidence[unlikely].abs() < 0.2 * plain[unlikely].abs() + 1e-6).all()
    assert (found.evidence[likely].abs() > 0.7 * plain[likely].abs()).all()


def test_long_texts_are_read_in_pieces_each_after_one_of_the_other():
    from network import PIECE
    from texts import read_after

    short, long = np.arange(7, dtype=np.int16), np.arange(2 * PIECE + 5, dtype=np.int16)
    pieces = read_after(short, long)
    assert [len(pair.second) for pair in pieces] == [PIECE, PIECE, 5]
    assert all(np.array_equal(pair.first, short) for pair in pieces)
    assert np.array_equal(np.concatenate([pair.second for pair in pieces]), long)
    assert [len(pair.first) for pair in read_after(long, short)] == [PIECE]


def test_words_are_hidden_and_in_a_made_up_genre_stand_for_others(tmp_path):
    from texts import alphabet

    letters = alphabet(make_store(tmp_path, authors=10, unseen=6), 5)
    every, rng = np.arange(letters.size), np.random.default_rng(0)
    for _ in range(20):
        seen = letters.disguised(rng, made_up=False)
        assert ((seen == every) | (seen == letters.hidden)).all()
    renamed = [letters.disguised(rng, made_up=True) for _ in range(20)]
    assert any(((seen != every) & (seen != letters.hidden)).any() for seen in renamed)


def test_rare_words_stand_for_those_that_look_like_them(tmp_path):
    from texts import alphabet

    store = make_store(tmp_path, authors=10, unseen=6)
    letters = alphabet(store, 5)
    of_type, n = letters.of_type, letters.size
    word = {name: of_type[place] for place, name in enumerate(store.types)}
    common = store.vocabulary.words[2:7]
    assert [word[name] for name in common] == list(range(5))
    rare = [name for name in ("perhaps", "besides", "word1x2", "word3x2") if name not in common]
    assert all(5 <= word[name] < n for name in rare)
    assert word["word1x2"] == word["word3x2"] != word["perhaps"]


def test_learning_leaves_a_reader_and_what_it_makes_of_trials(tmp_path):
    store = make_store(tmp_path / "corpus")
    sizes = ["--width=16", "--layers=1", "--heads=2", "--workers=0"]
    little = [
        *sizes,
        "--minutes",
        "0.01",
        "0.03",
        "--looks=1",
        "--layout",
        "1",
        "3072",
        "8",
        "--trials=test",
    ]
    done = subprocess.run(
        [sys.executable, FOLDER / "learn.py", store.folder, "-o", tmp_path / "reader", *little],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "test " in done.stdout
    for place in ("", "0"):
        weights = load_file(tmp_path / "reader" / place / "weights-0.safetensors")
        assert all(torch.isfinite(values).all() for values in weights.values())
    found = np.load(tmp_path / "reader" / "found.npz")
    log_odds, same = found["test"]
    assert np.isfinite([log_odds, found["0-test"][0]]).all()
    assert np.array_equal(same, store.trials("test").same_author)
    assert np.isfinite(found["judging"]).all()


def test_beside_a_model_it_is_weighed_on_the_same_trials(tmp_path):
    essays = sorted((FOLDER.parents[1] / "examples" / "essays").glob("*.txt"))
    texts = [path.read_text("utf-8") for path in essays]
    pairs = [(0, 1), (2, 3), (0, 2), (1, 3)]
    lines = [json.dumps({"id": str(n), "pair": [texts[a], texts[b]]})
             for n, (a, b) in enumerate(pairs)]  # fmt: skip
    trials = tmp_path / "trials" / "dev-essays"
    trials.mkdir(parents=True)
    trials.joinpath("pairs.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    found = np.array([[1.0, -1.0, 0.5, -2.0], [1, 1, 0, 0]])
    np.savez(tmp_path / "found.npz", **{"dev-essays": found})

    def beside(*options):
        return subprocess.run(
            [sys.executable, FOLDER / "beside.py", tmp_path, tmp_path / "trials", *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    shown = dict(line.split(" AUC ") for line in beside().stdout.splitlines())
    figures = {" ".join(name.split()): float(rest.split()[0]) for name, rest in shown.items()}
    assert figures["dev reader"] == 0.75  # three of the four comparisons
    assert figures["dev model"] == 1.0
    assert len(figures) == 7
    assert beside("--look", "0").returncode == 2
