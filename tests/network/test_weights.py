"""A network on disk: it comes back the same, or not at all; and nothing in it can run."""

import ast
import json
import shutil
from pathlib import Path

import pytest
import torch

import samehand
from samehand.errors import InputError
from samehand.network.network import Network
from samehand.network.weights import load_network, save_network
from samehand.text.vocabulary import Vocabulary

from .drawn import batch, small, texts

WORDS = ("<PAD>", "<UNK>", *"abcdefghij")
VOCABULARY = Vocabulary(WORDS, ("<PAD>", "<UNK>", "a", "b", "ü", "“", "\u2028"))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    torch.manual_seed(0)
    network = Network(small(learn_kernel=False), len(WORDS), 7).eval()
    folder = tmp_path_factory.mktemp("saved")
    save_network(folder, network, VOCABULARY, {"data": {"authors": 3}, "metrics": {"auc": 0.9}})
    return network, folder


@pytest.fixture
def folder(saved, tmp_path):
    return Path(shutil.copytree(saved[1], tmp_path / "model"))


def test_round_trip(saved):
    network, folder = saved
    found, vocabulary, description = load_network(folder)
    assert vocabulary == VOCABULARY
    assert found.config == network.config
    assert description["about"] == {"data": {"authors": 3}, "metrics": {"auc": 0.9}}
    assert not found.training
    for name, value in network.state_dict().items():
        assert torch.equal(found.state_dict()[name], value), name
    documents = batch(texts([40, 3]), network.config)._replace()
    types = documents.types._replace(characters=documents.types.characters.clamp(max=6))
    documents = documents._replace(types=types)
    assert torch.equal(found(documents), network(documents))


@pytest.mark.parametrize("name", ["weights.safetensors", "vocabulary.json", "model.json"])
def test_a_missing_file_is_refused(folder, name):
    (folder / name).unlink()
    with pytest.raises(InputError, match=r"no model here" if name == "model.json" else name):
        load_network(folder)


@pytest.mark.parametrize("name", ["weights.safetensors", "vocabulary.json", "model.json"])
@pytest.mark.parametrize("damage", ["cut", "altered", "emptied"])
def test_a_damaged_file_is_refused(folder, name, damage):
    path = folder / name
    content = bytearray(path.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "emptied":
        content.clear()
    elif name == "model.json":
        content = bytearray(content.replace(b'"sha256": "', b'"sha256": "0'))
    else:
        content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=str(folder)):
        load_network(folder)


def test_a_folder_without_model_is_refused(tmp_path):
    with pytest.raises(InputError, match="no model here"):
        load_network(tmp_path / "nothing")


@pytest.mark.parametrize(
    "content",
    ["[]", "1", "{}", '{"format": 4}', '{"format": 4, "network": 3}', "\x00", '{"format": 3}'],
)
def test_another_description_is_refused(folder, content):
    (folder / "model.json").write_text(content)
    with pytest.raises(InputError, match=r"format 3; this samehand reads format 4|model\.json"):
        load_network(folder)


@pytest.mark.parametrize("changes", [{"lev_size": 6}, {"unknown": 1}, {"bfs_size": 50}])
def test_weights_of_another_network_are_refused(folder, changes):
    description = json.loads((folder / "model.json").read_text())
    description["network"] |= changes
    (folder / "model.json").write_text(json.dumps(description))
    with pytest.raises(InputError, match=r"do not fit|not the description"):
        load_network(folder)


PICKLING = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def test_nothing_is_pickled_anywhere():
    files = sorted(Path(samehand.__file__).parent.rglob("*.py"))
    assert len(files) > 50
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert not PICKLING & {name.name.split(".")[0] for name in node.names}, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] not in PICKLING, path
            if isinstance(node, ast.Attribute):
                called = ast.unparse(node)
                assert called not in ("torch.load", "torch.save", "torch.package"), path
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert ast.unparse(node.value) == "False", path
