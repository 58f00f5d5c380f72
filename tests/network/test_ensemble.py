"""Several networks as one model on disk: all of them as they were, or none."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from samehand.errors import InputError
from samehand.network.network import Network
from samehand.network.weights import (
    ENSEMBLE,
    WORDING,
    copy_model,
    load_members,
    save_ensemble,
    save_network,
)
from samehand.text.ngrams import NgramModel
from samehand.text.vocabulary import SPECIAL, Vocabulary

from .drawn import N_CHARACTERS, N_WORDS, batch, small, texts

NAMES = ("one", "two")
VOCABULARIES = {
    "one": Vocabulary((*SPECIAL, *"abcdefghij"), (*SPECIAL, *"abcdefg")),
    "two": Vocabulary((*SPECIAL, *"jihgfedcba"), (*SPECIAL, *"gfedcba")),
}


def save_member(folder: Path, seed: int, half: bool = False, **changes: int) -> Network:
    torch.manual_seed(seed)
    config = small(impostors=12, **changes)
    network = Network(config, N_WORDS, N_CHARACTERS).eval()
    assert network.scoring.impostors is not None
    torch.nn.init.normal_(network.scoring.impostors.vectors)
    torch.nn.init.normal_(network.scoring.adaptation.confusion.weight)
    save_network(folder, network, VOCABULARIES[folder.name], {}, half)
    return network


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for seed, name in enumerate(NAMES):
        save_member(tmp_path / "model" / name, seed)
    save_ensemble(tmp_path / "model", NAMES, {"name": "both"})
    return tmp_path / "model"


def test_members_come_back_in_their_order_with_their_vocabularies(folder: Path) -> None:
    members, description = load_members(folder)
    assert description["about"] == {"name": "both"}
    assert [member.vocabulary for member in members] == [VOCABULARIES[name] for name in NAMES]
    for member, name in zip(members, NAMES, strict=True):
        [(alone, *_)], _ = load_members(folder / name)
        for tensor, value in alone.state_dict().items():
            assert torch.equal(member.network.state_dict()[tensor], value), tensor


def test_one_network_is_a_model_of_one_member(folder: Path) -> None:
    members, description = load_members(folder / "one")
    assert len(members) == 1
    assert "network" in description


@pytest.mark.parametrize("name", ["model.json", "weights.safetensors", "vocabulary.json"])
@pytest.mark.parametrize("damage", ["cut", "altered", "missing"])
def test_a_damaged_member_is_refused(folder: Path, name: str, damage: str) -> None:
    path = folder / "two" / name
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(content[:-9] if damage == "cut" else content[:-3] + b" " + content[-2:])
    with pytest.raises(InputError, match=str(path)):
        load_members(folder)


def test_another_network_in_the_place_of_a_member_is_refused(folder: Path) -> None:
    shutil.rmtree(folder / "two")
    save_member(folder / "two", seed=7)
    with pytest.raises(InputError, match="cut or altered"):
        load_members(folder)


def test_a_missing_member_is_refused(folder: Path) -> None:
    shutil.rmtree(folder / "two")
    with pytest.raises(InputError, match="missing"):
        load_members(folder)


@pytest.mark.parametrize("name", ["../x", "..", ".", "", "one/../../x", "/etc", "one/"])
def test_members_lie_in_the_folder_itself(folder: Path, name: str) -> None:
    shutil.copytree(folder / "one", folder.parent / "x")
    shutil.copytree(folder / "one", folder.parent, dirs_exist_ok=True)
    shutil.copytree(folder / "one", folder, dirs_exist_ok=True)
    description = json.loads((folder / ENSEMBLE).read_text())
    description["members"] = {name: description["members"]["one"]}
    (folder / ENSEMBLE).write_text(json.dumps(description))
    with pytest.raises(InputError, match="not in its folder"):
        load_members(folder)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "1", "null", "{}", '{"members": 3}', '{"members": ["one"]}', '{"members": {}}'],
)
def test_another_description_is_refused(folder: Path, content: str) -> None:
    (folder / ENSEMBLE).write_text(content)
    with pytest.raises(InputError, match=ENSEMBLE):
        load_members(folder)


def test_a_description_that_is_no_text_is_refused(folder: Path) -> None:
    (folder / ENSEMBLE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=ENSEMBLE):
        load_members(folder)


def test_members_that_cut_texts_otherwise_are_refused(folder: Path) -> None:
    shutil.rmtree(folder / "two")
    save_member(folder / "two", seed=1, unit_hop=20)
    save_ensemble(folder, NAMES, {})
    with pytest.raises(InputError, match="different units"):
        load_members(folder)


def counted() -> NgramModel:
    rng = np.random.default_rng(0)
    types = [*SPECIAL, *"abcdefghij"]
    tokens = [rng.integers(2, 12, size=n) for n in (5_000, *[200] * 20)]
    return NgramModel.count(types, tokens[:1], tokens[1:])


@pytest.fixture
def worded(tmp_path: Path) -> Path:
    for seed, name in enumerate(NAMES):
        save_member(tmp_path / "worded" / name, seed, doubt=True, wording=True)
    save_ensemble(tmp_path / "worded", NAMES, {}, counted())
    return tmp_path / "worded"


def test_the_wording_is_common_to_all_members(worded: Path, folder: Path) -> None:
    members, description = load_members(worded)
    assert members[0].wording is members[1].wording
    assert members[0].wording.limit == counted().limit
    again = worded.parent / "again"
    copy_model(worded, again, {"name": "copied"})
    assert load_members(again)[1]["sha256"] == description["sha256"]
    assert all(member.wording is None for member in load_members(folder)[0])


@pytest.mark.parametrize("damage", ["altered", "missing", "unnamed"])
def test_a_wording_that_is_not_the_one_on_record_is_refused(worded: Path, damage: str) -> None:
    if damage == "missing":
        (worded / WORDING).unlink()
    elif damage == "altered":
        (worded / WORDING).write_bytes((worded / WORDING).read_bytes()[:-1] + b"x")
    else:
        description = json.loads((worded / ENSEMBLE).read_text())
        del description["wording_sha256"]
        (worded / ENSEMBLE).write_text(json.dumps(description))
    with pytest.raises(InputError, match=WORDING):
        load_members(worded)


def test_a_member_that_needs_a_wording_is_no_model_by_itself(worded: Path) -> None:
    with pytest.raises(InputError, match="a part of a model"):
        load_members(worded / "one")


def test_members_are_told_of_the_wording_all_or_none(worded: Path, folder: Path) -> None:
    shutil.copytree(folder / "two", worded / "two", dirs_exist_ok=True)
    save_ensemble(worded, NAMES, {}, counted())
    with pytest.raises(InputError, match="only some"):
        load_members(worded)


def test_half_precision_answers_nearly_the_same(tmp_path: Path) -> None:
    network = save_member(tmp_path / "one", seed=3, half=True)
    whole = save_member(tmp_path / "two", seed=3)
    [(found, *_)], _ = load_members(tmp_path / "one")
    assert all(p.dtype == torch.float32 for p in found.parameters())
    sizes = [(tmp_path / name / "weights.safetensors").stat().st_size for name in NAMES]
    assert sizes[0] < 0.75 * sizes[1]
    documents = batch(texts([100, 40, 31, 90, 12, 77, 5, 60]), network.config)
    with torch.no_grad():
        levs, theirs = found(documents), whole(documents)
        assert torch.allclose(levs, theirs, atol=1e-3)
        answers = [made.score(*y.chunk(2)).ual for made, y in ((found, levs), (whole, theirs))]
    assert torch.allclose(*answers, atol=1e-3)
