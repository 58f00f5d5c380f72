"""Checkpoints without pickle: tensors in safetensors, the rest in its JSON header, in one file that appears whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

from lightning.fabric.plugins import CheckpointIO
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from samehand.errors import InputError


class SafeCheckpoints(CheckpointIO):
    """What Lightning saves to resume a run, as one safetensors file."""

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any = None) -> None:
        """Write to a file beside, then move it into place: a full disk or a kill leaves the one before intact."""
        tensors: dict[str, Tensor] = {}
        tree = _flatten(checkpoint, "", tensors)
        final = Path(path)
        final.parent.mkdir(parents=True, exist_ok=True)
        beside = final.with_name(f".{final.name}.unfinished")
        try:
            save_file(tensors, beside, {"tree": json.dumps(tree)})
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            beside.replace(final)
        except SafetensorError as error:  # how a full disk shows
            raise OSError(None, f"the checkpoint could not be written ({error})", str(final)) from None
        finally:
            beside.unlink(missing_ok=True)

    def load_checkpoint(self, path: Any, map_location: Any = None, weights_only: bool | None = None) -> dict[str, Any]:
        """Read it back."""
        try:
            with safe_open(path, "pt") as file:
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
                tree = json.loads(file.metadata()["tree"])
        except (SafetensorError, KeyError, TypeError, ValueError):
            raise InputError(f"{path}: not a checkpoint of samehand, or a damaged one.") from None
        restored: dict[str, Any] = _restore(tree, tensors)
        return restored

    def remove_checkpoint(self, path: Any) -> None:
        """Delete one that a newer one has replaced."""
        Path(path).unlink(missing_ok=True)


def _flatten(value: Any, name: str, tensors: dict[str, Tensor]) -> Any:
    """The structure with tensors taken out. A dictionary becomes a list of items, since its keys may be numbers."""
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
