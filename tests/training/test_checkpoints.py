"""A checkpoint comes back as it was, and is there whole or not at all."""

import errno

import pytest
import torch
from safetensors import SafetensorError

from samehand.errors import InputError
from samehand.training import checkpoints
from samehand.training.checkpoints import SafeCheckpoints

CONTENT = {
    "epoch": 3,
    "weights": {"a": torch.arange(6.0).view(2, 3), "half": torch.ones(2).bfloat16()},
    "state": {0: {"step": torch.tensor(7.0), "moment": torch.ones(4)}, 1: {}},
    "groups": [{"lr": 0.1, "betas": (0.9, 0.999), "params": [0, 1], "fused": None}],
    "best": float("inf"),
    "empty": torch.zeros(0, 3),
    "tensor": "a name that looks like the format's own",
    "items": [True, "“ü"],
}


def equal(ours, theirs):
    if isinstance(ours, torch.Tensor):
        return torch.equal(ours, theirs) and ours.dtype == theirs.dtype
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(equal(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, list | tuple):
        return len(ours) == len(theirs) and all(map(equal, ours, theirs))
    return ours == theirs


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "checkpoints" / "epoch=0.ckpt"
    SafeCheckpoints().save_checkpoint(CONTENT, path)
    return path


def test_round_trip(saved):
    assert equal(CONTENT, SafeCheckpoints().load_checkpoint(saved))
    assert [path.name for path in saved.parent.iterdir()] == ["epoch=0.ckpt"]


def test_round_trip_of_a_real_one(finished, tmp_path):
    path = finished.folder / "checkpoints" / "epoch=3.ckpt"
    content = SafeCheckpoints().load_checkpoint(path)
    assert content["epoch"] == 3
    assert any(name.startswith("network.encoder") for name in content["state_dict"])
    assert not any(name.startswith("store.") for name in content["state_dict"])
    SafeCheckpoints().save_checkpoint(content, tmp_path / "again.ckpt")
    assert equal(content, SafeCheckpoints().load_checkpoint(tmp_path / "again.ckpt"))


@pytest.mark.parametrize("damage", ["cut", "altered", "emptied", "another", "of another program"])
def test_a_damaged_one_is_refused(saved, damage):
    content = bytearray(saved.read_bytes())
    if damage == "cut":
        del content[-5:]
    elif damage == "altered":
        content[-1] ^= 1
    elif damage == "emptied":
        content.clear()
    elif damage == "another":
        content = bytearray(b"PK\x03\x04" + bytes(300))
    else:
        checkpoints.save_file({"a": torch.ones(1)}, saved)
        content = bytearray(saved.read_bytes())
    saved.write_bytes(content)
    with pytest.raises(InputError, match=r"epoch=0\.ckpt: not a checkpoint of samehand"):
        SafeCheckpoints().load_checkpoint(saved)


@pytest.mark.parametrize(
    "failure",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        SafetensorError("I/O error: No space left on device (os error 28)"),
        KeyboardInterrupt(),
    ],
    ids=["system", "safetensors", "interrupted"],
)
def test_a_failure_while_writing_leaves_the_older_one_intact(saved, monkeypatch, failure):
    before = saved.read_bytes()

    def write_half_and_fail(tensors, path, metadata):
        path.write_bytes(b"half")
        raise failure

    monkeypatch.setattr(checkpoints, "save_file", write_half_and_fail)
    expected = KeyboardInterrupt if isinstance(failure, KeyboardInterrupt) else OSError
    with pytest.raises(expected) as raised:
        SafeCheckpoints().save_checkpoint(CONTENT | {"epoch": 4}, saved)
    if isinstance(failure, SafetensorError):
        assert raised.value.filename == str(saved)
        assert "No space left" in raised.value.strerror
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["epoch=0.ckpt"]


def test_remove(saved):
    SafeCheckpoints().remove_checkpoint(saved)
    SafeCheckpoints().remove_checkpoint(saved)
    assert not saved.exists()
