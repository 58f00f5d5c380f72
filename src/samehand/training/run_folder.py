"""The folder of a run: its config, its store, its checkpoints and figures, checked on resuming."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lightning.pytorch.utilities import rank_zero_only
from pydantic import ValidationError

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.io.locking import alone_in
from samehand.training.config import TrainingConfig

CONFIG = "config.json"
_STORE = "store.sha256"
"""File that identifies the store of a run."""
_OF_A_RUN = (CONFIG, "metrics.jsonl", "checkpoints", "model")


def is_main_process() -> bool:
    """Whether this is the only process of a run, or the first of several."""
    rank = getattr(rank_zero_only, "rank", None)
    return not rank


@contextmanager
def at_work(folder: Path, resume: bool) -> Iterator[None]:
    """Keep a run from all other processes; `InUseError` where one of them has it already."""
    if not is_main_process():
        yield
        return
    if resume and not folder.is_dir():
        raise InputError(f"{folder}: there is no run to resume.")
    make_folder(folder)
    with alone_in(folder):
        yield


def make_folder(folder: Path) -> None:
    """Make a folder, unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(
            f"{folder}: no folder can be made here ({reason}); choose another place."
        ) from None


def prepare_folder(folder: Path, store: Store, config: TrainingConfig, resume: bool) -> Path | None:
    """Write the config, or check it against the one there; returns the checkpoint to go on from.

    The same of the store: by its words the weights would be those of others.

    Where a run has several processes, the first has done this before it starts the others.
    """
    if is_main_process():
        if resume:
            _check_config(folder, _read_config(folder / CONFIG), config)
            _check_store(folder, store)
        else:
            _write_config(folder / CONFIG, config)
            (folder / _STORE).write_text(_digest(store), "utf-8")
    if resume and is_main_process():
        keep_last_checkpoint(folder)
    checkpoints = _checkpoints(folder) if resume else []
    last = _epoch(checkpoints[-1]) if checkpoints else -1
    if resume and is_main_process():
        _forget_later_epochs(folder / "metrics.jsonl", last)
    return checkpoints[-1] if checkpoints else None


def keep_last_checkpoint(folder: Path) -> None:
    """Remove the checkpoints of earlier epochs, which a run that was resumed leaves."""
    for path in _checkpoints(folder)[:-1]:
        path.unlink()


def _checkpoints(folder: Path) -> list[Path]:
    found = (path for path in (folder / "checkpoints").glob("epoch=*.ckpt") if _has_epoch(path))
    return sorted(found, key=_epoch)


def _has_epoch(checkpoint: Path) -> bool:
    return checkpoint.stem.removeprefix("epoch=").isdecimal()


def _epoch(checkpoint: Path) -> int:
    return int(checkpoint.stem.split("=")[-1])


def _write_config(path: Path, config: TrainingConfig) -> None:
    if any((path.parent / name).exists() for name in _OF_A_RUN):
        raise InputError(
            f"{path.parent}: holds a run already; go on with --resume, or choose another folder."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config.model_dump_json(indent=1), "utf-8")


def settings_of(
    folder: Path, preset: str | None = None, path: Path | None = None, changes: Sequence[str] = ()
) -> TrainingConfig:
    """The settings that a run was begun with; those that are given besides must agree with them."""
    begun = _read_config(folder / CONFIG)
    if preset is None:
        _check_config(folder, begun, begun.changed(path, changes))
    else:
        _check_config(folder, begun, TrainingConfig.read(preset, path, changes))
    return begun


def _read_config(path: Path) -> TrainingConfig:
    try:
        return TrainingConfig.model_validate_json(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{path.parent}: there is no run to resume.") from None
    except (ValidationError, UnicodeDecodeError):
        raise InputError(f"{path}: damaged, or of another version; start a new run.") from None


def _check_config(folder: Path, begun: TrainingConfig, config: TrainingConfig) -> None:
    ours, theirs = (dict(_settings(each.model_dump(mode="json"))) for each in (begun, config))
    for name in {**ours, **theirs}:
        one, other = ours.get(name), theirs.get(name)
        if one != other:
            raise InputError(
                f"{folder}: was begun with {name}={json.dumps(one)}, not {json.dumps(other)}; it "
                "goes on with its own settings, so leave out --preset, --config and --set."
            )


def _settings(content: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Single settings, each named with its groups."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _settings(value, f"{name}.{key}".removeprefix("."))
    else:
        yield name, content


def _check_store(folder: Path, store: Store) -> None:
    begun = folder / _STORE
    if begun.exists() and begun.read_text("utf-8").strip() != _digest(store):
        raise InputError(f"{folder}: was begun on another store; resume it with that one.")


def _digest(store: Store) -> str:
    files = (store.folder / name for name in ("store.json", "vocabulary.json"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _forget_later_epochs(path: Path, last: int) -> None:
    """Drop lines of epochs that the checkpoint does not hold, which are about to be repeated."""
    if not path.exists():
        return
    kept = []
    for line in path.read_text("utf-8").splitlines():
        try:
            if json.loads(line)["epoch"] <= last:
                kept.append(f"{line}\n")
        except (ValueError, KeyError, TypeError):  # cut off when the run was killed
            break
    path.write_text("".join(kept), "utf-8")


def last_figures(folder: Path) -> Any:
    """The measures after the last epoch, if there are any."""
    lines = (folder / "metrics.jsonl").read_text("utf-8").splitlines()
    return json.loads(lines[-1]) if lines else None
