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
MODULES = "alphabet", "network", "rows", "texts"
SYMBOLS = 20
LENGTHS = [(30, 12), (4, 50), (90, 70), (100, 70), (60, 3), (1, 1), (20, 20)]


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
    reader = Reader(SYMBOLS, Sizes(width=32, alone=2, across=2, heads=2, dropout=0.0)).eval()
    with torch.no_grad():  # as it begins, all symbols are about as likely
        reader.symbols.weight.normal_(0.0, 0.5)
    return reader


def some_pairs(lengths=LENGTHS):
    from rows import Pair

    rng = np.random.default_rng(0)
    drawn = (rng.integers(1, SYMBOLS, both).astype(np.int16) for n in lengths for both in n)
    return [Pair(first, second, True) for first, second in zip(drawn, drawn, strict=True)]


def sums(reader, pairs, masks="dense_masks", counted=None):
    """(3, pairs) both log-likelihoods and the evidence, in the order of the pairs."""
    import rows as rows_module

    counted = torch.ones(SYMBOLS, dtype=torch.bool) if counted is None else counted
    read = rows_module.RowReader(reader, counted)
    found = torch.zeros(3, len(pairs))
    for rows in rows_module.Layout(2, 256, 8).lots(pairs):
        here = rows.tokens > 0
        told = read(rows, *getattr(rows_module, masks)(rows))
        found[:, rows.given[here]] = torch.cat([told.likelihood, told.evidence[None]])[:, here]
    return found


def places(reader, pair):
    """(2, symbols of both texts) log-likelihoods, one text after the other, without rows."""
    from network import NONE

    attend = torch.nn.functional.scaled_dot_product_attention
    read = []
    for text in (pair.first, pair.second):
        symbols = torch.tensor([0, *text.tolist()])[None]
        place = torch.arange(symbols.shape[1])[None]
        read.append(
            (symbols, reader.read(symbols, place, lambda *qkv: attend(*qkv, is_causal=True)))
        )
    found = []
    for (symbols, own), (_, other) in (read, read[::-1]):
        target = torch.cat([symbols[:, 1:], torch.tensor([[NONE]])], 1)
        x = reader.beside(own, other, attend)
        both = [reader.foretold(x, target, same)[0, :-1] for same in (True, False)]
        found.append(torch.stack(both))
    return torch.cat(found, 1)


@torch.inference_mode()
def test_a_pair_in_rows_is_what_its_texts_say_of_each_other(reader):
    from network import evidence

    pairs = some_pairs()
    found = sums(reader, pairs)
    for pair, of_pair in zip(pairs, found.T, strict=True):
        alone = places(reader, pair)
        assert torch.allclose(alone.sum(1), of_pair[:2], atol=1e-3)
        assert evidence(*alone).sum() / 2 == pytest.approx(of_pair[2].item(), abs=1e-3)
    assert (found[0] - found[1]).abs().min() > 1e-5  # the hypothesis makes a difference


@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
@torch.inference_mode()
def test_a_gpu_s_masks_by_blocks_are_the_same(reader):
    pairs = some_pairs()
    assert torch.allclose(sums(reader, pairs), sums(reader, pairs, "block_masks"), atol=1e-3)


@torch.inference_mode()
def test_no_place_sees_what_follows_it(reader):
    """Or else it would foretell what it has read."""
    pair = some_pairs([(40, 30)])[0]
    changed = pair._replace(second=np.where(np.arange(30) < 20, pair.second, 1).astype(np.int16))
    before, after = (places(reader, one)[:, 40:60] for one in (pair, changed))
    assert torch.allclose(before, after, atol=1e-4)
    other = places(reader, pair._replace(first=pair.first[::-1].copy()))[:, 40:60]
    assert not torch.allclose(before, other, atol=1e-4)  # the other text it sees


@torch.inference_mode()
def test_likelihoods_of_all_symbols_sum_to_one(reader):
    """By either hypothesis: or else evidence would be no ratio of likelihoods."""
    first = some_pairs([(9, 1)])[0]
    every = [first._replace(second=np.array([n], np.int16)) for n in range(SYMBOLS)]
    of_second = torch.stack([places(reader, pair)[:, -1] for pair in every])
    assert torch.allclose(of_second.exp().sum(0), torch.ones(2), atol=1e-5)


def test_what_is_unlikely_either_way_is_hardly_evidence_and_no_symbol_says_much():
    from network import evidence

    found = evidence(torch.tensor([-12.0, -1.0, -0.1]), torch.tensor([-10.0, -1.5, -9.0]))
    floor = np.exp(-6)
    by_hand = np.log((np.exp(-12) + floor) / (np.exp(-10) + floor))
    assert found[0].item() == pytest.approx(by_hand, rel=1e-4)
    assert abs(found[0]) < 0.02
    assert found[1].item() == pytest.approx(0.5, abs=0.01)
    assert found[2] == 1.0


@torch.inference_mode()
def test_symbols_that_do_not_count_are_no_evidence(reader):
    pairs = some_pairs()
    counted = torch.arange(SYMBOLS) < 7
    from network import evidence

    for pair, found in zip(pairs, sums(reader, pairs, counted=counted)[2], strict=True):
        both = torch.from_numpy(np.concatenate([pair.first, pair.second])) < 7
        by_hand = (evidence(*places(reader, pair)) * both).sum() / 2
        assert found.item() == pytest.approx(by_hand.item(), abs=1e-3)


def test_rare_words_stand_for_those_that_look_like_them():
    from alphabet import Alphabet

    types = ["the", "House", "mouse", "grouse", "42", "?!", "walking", "talking", "the", "Zoë"]
    counts = np.array([9, 1, 2, 3, 1, 1, 4, 5, 0, 1])
    letters = Alphabet.count(["the"], types, counts, 2)
    assert letters.looks == ("0ng", "0se")
    symbol = dict(zip(types, letters.symbols(types).tolist(), strict=True))
    assert symbol["the"] == letters.size - 1
    assert symbol["mouse"] == symbol["grouse"] != symbol["House"]
    assert symbol["walking"] == symbol["talking"]
    assert symbol["House"] == symbol["Zoë"]  # one ending is rare, the other word too short for one
    assert len({symbol[name] for name in ("the", "House", "mouse", "42", "?!", "walking")}) == 6
    kind_of_mouse = letters.hidden[symbol["mouse"]]
    assert kind_of_mouse == letters.hidden[symbol["walking"]] == letters.symbols(["cat"])[0]
    assert letters.hidden[symbol["the"]] == kind_of_mouse  # of three letters no ending is told
    assert not letters.counted[[symbol["mouse"], symbol["walking"]]].any()
    assert letters.counted[[symbol["the"], symbol["House"], symbol["?!"]]].all()


def test_words_are_hidden_and_in_a_made_up_genre_stand_for_others(tmp_path):
    from texts import Shelf, alphabet

    store = make_store(tmp_path, authors=10, unseen=6)
    letters = alphabet(store, 5, 3)
    shelf = Shelf(store, letters, 100)
    every, rng = np.arange(letters.size), np.random.default_rng(0)
    for _ in range(20):
        seen = shelf.disguise(rng, made_up=False)
        assert ((seen == every) | (seen == letters.hidden)).all()
    renamed = [shelf.disguise(rng, made_up=True) for _ in range(20)]
    assert any(((seen != every) & (seen != letters.hidden)).any() for seen in renamed)


def test_learning_leaves_a_reader_and_what_it_makes_of_trials(tmp_path):
    store = make_store(tmp_path / "corpus")
    little = "--width=16 --alone=1 --across=1 --heads=2 --workers=0 --longest=500 --looks=1"
    little += " --minutes 0.01 0.03 --layout 1 1024 8 --trials=test"
    done = subprocess.run(
        [sys.executable, FOLDER / "learn.py", store.folder, "-o", tmp_path / "reader",
         *little.split()],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "test " in done.stdout
    weights = load_file(tmp_path / "reader" / "weights.safetensors")
    assert all(torch.isfinite(values).all() for values in weights.values())
    about = json.loads((tmp_path / "reader" / "reader.json").read_text("utf-8"))
    assert about["sizes"]["width"] == 16
    found = np.load(tmp_path / "reader" / "found.npz")
    for name in ("test", "0-test", "whole", "pieces"):
        assert np.isfinite(found[name]).all()
        assert (found[name][1] > 0).all()
    assert np.array_equal(found["test"][2], store.trials("test").same_author)


def test_beside_a_model_it_is_weighed_on_trials_that_it_was_not_fitted_to(tmp_path):
    essays = sorted((FOLDER.parents[1] / "examples" / "essays").glob("*.txt"))
    texts = [path.read_text("utf-8") for path in essays]
    pairs = [(0, 1), (2, 3), (0, 2), (1, 3)]
    lines = [json.dumps({"id": str(n), "pair": [texts[a], texts[b]]})
             for n, (a, b) in enumerate(pairs)]  # fmt: skip
    content = gzip.compress("\n".join(lines).encode())
    right = np.array([[10.0, 5.0, -5.0, -8.0], [25.0] * 4, [1, 1, 0, 0]])
    found = {"dev-one": right, "dev-two": right, "shift-three": right * [[-1], [1], [1]]}
    for name in found:
        (tmp_path / "trials" / name).mkdir(parents=True)
        (tmp_path / "trials" / name / "pairs.jsonl.gz").write_bytes(content)
    np.savez(tmp_path / "found.npz", **found)

    def beside(*options):
        return subprocess.run(
            [sys.executable, FOLDER / "beside.py", tmp_path, tmp_path / "trials", *options],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    shown = {tuple(line.split()[:2]): line.split()[2:] for line in beside().stdout.splitlines()}
    assert shown["dev", "model"][0] == shown["dev", "reader"][0] == "1.000"
    assert shown["shift", "model"][0] == "1.000"  # the same texts
    assert shown["shift", "reader"][0] == "0.000"  # by weights of dev sets, whatever it shows here
    assert len(shown) == 7
    assert beside("--look", "0").returncode == 2
