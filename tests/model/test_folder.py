"""A model on disk: it comes back the same, or not at all; and nothing in it can run."""

import ast
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save

import samehand
from samehand.errors import InputError
from samehand.model.description import About, Data, Statement
from samehand.model.folder import entries, read_model, write_model
from tests.models import save_genres_model, untrained

ABOUT = About(use="tests", data=Data(sources=("essays",)), training={"epochs": 3})
STATEMENT = Statement(
    name="two networks", evidence="paper", log10_lr_bounds=(-1.5, 2.0), about=ABOUT
)
FILES = [
    "model.json",
    "one/weights.safetensors",
    "one/vocabulary.json",
    "two/weights.safetensors",
]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    networks = [untrained("one"), untrained("two", seed=1)]
    write_model(folder, STATEMENT, networks)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "model"))


def test_round_trip(written: Path) -> None:
    found = read_model(written)
    for field in Statement.model_fields:
        assert getattr(found.description, field) == getattr(STATEMENT, field)
    for network, seed in zip(found.networks, (0, 1), strict=True):
        expected = untrained(network.name, seed)
        assert network._replace(tensors={}) == expected._replace(tensors={})
        assert network.tensors.keys() == expected.tensors.keys()
        for name, tensor in expected.tensors.items():
            assert np.array_equal(network.tensors[name], tensor), name
    assert found.evidence is found.case is None
    assert entries(written) == {"model.json", "one", "two"}


def test_a_model_that_is_read_and_written_has_the_same_files(written: Path, tmp_path: Path) -> None:
    found = read_model(written)
    write_model(tmp_path / "again", found.description, found.networks)
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (written / name).read_bytes()


def test_a_model_is_known_by_what_its_answers_depend_on(written: Path, tmp_path: Path) -> None:
    found = read_model(written)
    changes = {
        "renamed": Statement.model_validate(_said(found) | {"name": "another"}),
        "bounded": Statement.model_validate(_said(found) | {"log10_lr_bounds": (-1.5, 2.1)}),
    }
    for name, statement in changes.items():
        write_model(tmp_path / name, statement, found.networks)
    assert read_model(tmp_path / "renamed").sha256 == found.sha256
    assert read_model(tmp_path / "bounded").sha256 != found.sha256


def _said(found):
    return {name: getattr(found.description, name) for name in Statement.model_fields}


def test_networks_rounded_to_half_precision_keep_their_scoring(tmp_path: Path) -> None:
    network = untrained()
    write_model(tmp_path, STATEMENT, [network], half=True)
    (found,) = read_model(tmp_path).networks
    for name, tensor in network.tensors.items():
        rounded = tensor if name.startswith("scoring.") else tensor.astype(np.float16)
        assert np.array_equal(found.tensors[name], rounded), name


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=r"no model here" if name == "model.json" else name):
        read_model(folder)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["cut", "altered", "emptied"])
def test_a_damaged_file_is_refused(folder: Path, name: str, damage: str) -> None:
    path = folder / name
    content = bytearray(path.read_bytes())
    if damage == "cut":
        del content[len(content) // 2 :]
    elif damage == "emptied":
        content.clear()
    elif name == "model.json":
        content = bytearray(content.replace(b'safetensors": "', b'safetensors": "0', 1))
    else:
        content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=str(folder)):
        read_model(folder)


def test_a_folder_without_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model here"):
        read_model(tmp_path / "nothing")
    assert entries(tmp_path / "nothing") == set()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("[]", "not the description"),
        ("\x00", "not the description"),
        ('{"format": 5}', "not the description"),
        ('{"format": 4, "members": {}}', "format '4', where this samehand reads format 5"),
        ('{"name": "x"}', "not the description"),
        ("[" * 100_000, "not the description"),
        ('{"format":' * 100_000, "not the description"),
        ('{"format": ' + "9" * 100_000 + "}", "not the description"),
    ],
)
def test_another_description_is_refused(folder: Path, content: str, fault: str) -> None:
    (folder / "model.json").write_text(content)
    with pytest.raises(InputError, match=fault):
        read_model(folder)


@pytest.mark.parametrize(
    "changes",
    [
        {"lev_size": 6},
        {"unknown": 1},
        {"bfs_size": 50},
        {"unit_features": 3},
        {"unit_hidden": 1_024, "word_size": 4_096},
        {"word_size": 10**9},
        {"unit_width": 10**30},
        {"beta": 10**400},
    ],
)
def test_weights_of_another_network_are_refused(folder: Path, changes: dict[str, int]) -> None:
    description = json.loads((folder / "model.json").read_text())
    description["networks"][0]["config"] |= changes
    (folder / "model.json").write_text(json.dumps(description))
    with pytest.raises(InputError, match=r"not the weights|not the description"):
        read_model(folder)


@pytest.mark.parametrize("name", ["../one", "a/b", "", ".hidden", "one\n", "a\0b"])
def test_a_network_that_leads_elsewhere_is_refused(folder: Path, name: str) -> None:
    description = json.loads((folder / "model.json").read_text())
    description["networks"][0]["name"] = name
    (folder / "model.json").write_text(json.dumps(description))
    with pytest.raises(InputError, match="not the description"):
        read_model(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e9])
def test_weights_that_no_network_has_are_refused(tmp_path: Path, value: float) -> None:
    network = untrained()
    network.tensors["metric.dense.bias"][0] = value
    write_model(tmp_path, STATEMENT, [network])
    with pytest.raises(InputError, match=r"weights\.safetensors: .*holds"):
        read_model(tmp_path)


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"words": ' * 100_000, b'{"words": 7}'])
def test_a_vocabulary_that_is_none_is_refused(folder: Path, content: bytes) -> None:
    replace(folder, "one/vocabulary.json", content)
    with pytest.raises(InputError, match=r"one/vocabulary\.json: not a list of words"):
        read_model(folder)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_evidence_that_is_no_number_is_refused(tmp_path: Path, value: float) -> None:
    folder = save_genres_model(tmp_path)
    tensors = load_file(folder / "evidence.safetensors")
    for name, tensor in tensors.items():
        if tensor.dtype.kind == "f":
            replace(
                folder, "evidence.safetensors", save(tensors | {name: np.full_like(tensor, value)})
            )
            with pytest.raises(InputError, match=rf"evidence\.safetensors: '{name}' holds what"):
                read_model(folder)


def replace(folder: Path, name: str, content: bytes) -> None:
    """Forge a file of a model, and its digest in the description."""
    description = json.loads((folder / "model.json").read_text())
    description["files"][name] = hashlib.sha256(content).hexdigest()
    (folder / "model.json").write_text(json.dumps(description))
    (folder / name).write_bytes(content)


def test_an_encoder_that_is_to_be_fitted_is_read_only_on_request(tmp_path: Path) -> None:
    network = untrained()
    alone = {name: t for name, t in network.tensors.items() if not name.startswith("scoring.")}
    statement = Statement(name="encoder", evidence="genres")
    write_model(tmp_path, statement, [network._replace(tensors=alone)])
    with pytest.raises(InputError, match="samehand fit"):
        read_model(tmp_path)
    (found,) = read_model(tmp_path, without_evidence=True).networks
    assert found.tensors.keys() == alone.keys()
    write_model(tmp_path, STATEMENT, [network._replace(tensors=alone)])
    with pytest.raises(InputError, match=r"scoring\.\S+ is missing"):
        read_model(tmp_path)


PICKLING = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def test_nothing_is_pickled_anywhere() -> None:
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
