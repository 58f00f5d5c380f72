"""Checkpoints without pickle, in one file that appears whole or not at all.

Tensors are in safetensors, the rest is JSON in its header.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import torch
from lightning.fabric.plugins import CheckpointIO
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from samehand.errors import InputError


class SafeCheckpoints(CheckpointIO):
    """Lightning's data to resume a run, as one safetensors file."""

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: Any, storage_options: Any = None
    ) -> None:
        """Write a file beside, then move it: a full disk or a kill leaves the one before intact."""
        tensors: dict[str, Tensor] = {}
        tree = json.dumps(_flatten(checkpoint, "", tensors))
        final = Path(path)
        final.parent.mkdir(parents=True, exist_ok=True)
        beside = final.with_name(f".{final.name}.unfinished")
        try:
            save_file(tensors, beside, {"tree": tree, "sha256": _digest(tree, tensors)})
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(final)
        except SafetensorError as error:  # how a full disk shows
            reason = f"the checkpoint could not be written ({error})"
            raise OSError(None, reason, str(final)) from None
        finally:
            beside.unlink(missing_ok=True)

    def load_checkpoint(
        self, path: Any, map_location: Any = None, weights_only: bool | None = None
    ) -> dict[str, Any]:
        """Read it back."""
        try:
            with safe_open(path, "pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                about = file.metadata()
            if about["sha256"] != _digest(about["tree"], tensors):
                raise ValueError
            restored: dict[str, Any] = _restore(json.loads(about["tree"]), tensors)
        except (SafetensorError, KeyError, TypeError, ValueError):
            raise InputError(
                f"{path}: not a checkpoint of samehand, or a damaged one; delete it to go on "
                "from the one before, or from the start."
            ) from None
        return restored

    def remove_checkpoint(self, path: Any) -> None:
        """Delete one that a newer one has replaced."""
        Path(path).unlink(missing_ok=True)


def _digest(tree: str, tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256(tree.encode())
    for name in sorted(tensors):
        digest.update(tensors[name].reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def _flatten(value: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """The structure, tensors taken out; dictionaries as items, for their keys may be numbers."""
    if isinstance(value, Tensor):
        tensors[name] = value.detach().cpu().contiguous().clone()
        return {"tensor": name}
    if isinstance(value, dict):
        return {"items": [[key, _flatten(v, f"{name}/{key}", tensors)] for key, v in value.items()]}
    if isinstance(value, list | tuple):
        return [_flatten(v, f"{name}/{i}", tensors) for i, v in enumerate(value)]
    return value


def _restore(tree: Any, tensors: dict[str, Tensor]) -> Any:
    if isinstance(tree, list):
        return [_restore(part, tensors) for part in tree]
    if isinstance(tree, dict):
        if "tensor" in tree:
            return tensors[tree["tensor"]]
        return {key: _restore(part, tensors) for key, part in tree["items"]}
    return tree
