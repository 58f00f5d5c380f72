"""A training run in a folder: config, checkpoints, logs, and the network at the end."""

import hashlib
import json
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lightning
import torch
from lightning.fabric.utilities.exceptions import MisconfigurationException
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, RichProgressBar
from lightning.pytorch.utilities import rank_zero_only
from pydantic import ValidationError

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.network.config import NetworkConfig
from samehand.network.network import Network, Scoring
from samehand.network.weights import save_network
from samehand.training.checkpoints import SafeCheckpoints
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.module import TrainingModule
from samehand.training.scores import EpochScores

_STORE = "store.sha256"
"""What tells of the store that a run was begun on."""
_OF_A_RUN = ("config.json", "metrics.jsonl", "checkpoints", "model")


def train(
    store: Store,
    folder: Path,
    config: TrainingConfig,
    resume: bool = False,
    variants: dict[str, NetworkConfig] | None = None,
    callbacks: tuple[Callback, ...] = (),
    **trainer_options: Any,
) -> TrainingModule:
    """Train a network and write it to `folder`/model. `trainer_options` go to the `Trainer`.

    `variants` are further scoring heads to train on the same LEVs.
    """
    _silence_lightning()
    lightning.seed_everything(config.seed, verbose=False)
    data = PairData(store, config)
    network = new_network(store, config)
    heads = {name: Scoring(variant) for name, variant in (variants or {}).items()}
    module = TrainingModule(network, data, config, heads)
    scores = EpochScores(data, _trial_names(store, config), folder / "metrics.jsonl")
    checkpoint = _prepare_folder(folder, store, config, resume)
    with _clear_faults(folder, config):
        trainer = _trainer(folder, config, [scores, *callbacks], trainer_options)
        trainer.fit(module, data, ckpt_path=checkpoint)
        if is_main_process():
            about = {
                "training": config.model_dump(mode="json"),
                "data": store.about,
                "metrics": _last_line(folder),
            }
            vocabulary = store.vocabulary.first(config.network.most_words)
            save_network(folder / "model", module.network, vocabulary, about)
    return module


def is_main_process() -> bool:
    """Whether this is the only process of a run, or the first of several."""
    rank = getattr(rank_zero_only, "rank", None)
    return not rank


def new_network(store: Store, config: TrainingConfig) -> Network:
    """A network for a store's vocabulary, with its initial word vectors if it has any."""
    vocabulary = store.vocabulary.first(config.network.most_words)
    network = Network(config.network, len(vocabulary.words), len(vocabulary.characters))
    vectors = store.vectors()
    if vectors is not None:
        if vectors.shape[1] != config.network.word_size:
            raise InputError(
                f"{store.folder}: its word vectors have {vectors.shape[1]} dimensions; "
                "set network.word_size to that."
            )
        with torch.no_grad():
            network.encoder.words.weight.copy_(torch.tensor(vectors[: len(vocabulary.words)]))
    return network


class _LossBar(RichProgressBar):
    """Shows the loss of each component at this step, and the time left."""

    def get_metrics(self, *args: Any) -> dict[str, Any]:
        shown = super().get_metrics(*args)
        return {
            name[:3]: shown[name] for name in ("dml_step", "bfs_step", "ual_step") if name in shown
        }


def _trainer(
    folder: Path, config: TrainingConfig, callbacks: list[Callback], options: dict[str, Any]
) -> lightning.Trainer:
    keep = ModelCheckpoint(
        folder / "checkpoints",
        "{epoch}",
        save_top_k=1,
        save_on_train_epoch_end=True,
        enable_version_counter=False,
    )
    somebody_looks = sys.stderr.isatty()
    bar = [_LossBar(refresh_rate=5)] if somebody_looks else []
    defaults = {
        "precision": _precision(options.get("accelerator", "auto")),
        "logger": _logger(folder),
        "enable_progress_bar": somebody_looks,
        "log_every_n_steps": 20,
    }
    try:
        return lightning.Trainer(
            **(defaults | options),
            max_epochs=config.epochs,
            callbacks=[*callbacks, keep, *bar],
            plugins=[SafeCheckpoints()],
            default_root_dir=folder,
            enable_model_summary=False,
            reload_dataloaders_every_n_epochs=1,
            use_distributed_sampler=False,
            num_sanity_val_steps=0,
        )
    except (MisconfigurationException, ValueError) as error:
        asked = ", ".join(f"{name} {value}" for name, value in options.items())
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(f"This machine cannot train with {asked}: {reason}.") from None


@contextmanager
def _clear_faults(folder: Path, config: TrainingConfig) -> Iterator[None]:
    """One sentence for what can end a run that was begun well."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not _out_of_memory(error):
            raise
        raise InputError(
            f"The memory does not suffice for batch_pairs = {config.batch_pairs}: start again with "
            "fewer, or with a smaller lengths.longest (the last good checkpoint is kept)."
        ) from None
    except SystemExit:  # how Lightning leaves on Ctrl-C
        raise KeyboardInterrupt from None
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror or str(error), str(folder)) from None


def _out_of_memory(error: Exception) -> bool:
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return "can't allocate memory" in str(error)  # how PyTorch says it on a CPU


def _trial_names(store: Store, config: TrainingConfig) -> list[str]:
    known = store.trial_names
    if config.trials is None:
        return known
    for name in config.trials:
        if name not in known:
            raise InputError(
                f"trials: {store.folder} has no set {name!r}; choose from {', '.join(known)}."
            )
    return list(config.trials)


def _prepare_folder(
    folder: Path, store: Store, config: TrainingConfig, resume: bool
) -> Path | None:
    """Write the config, or check it against the one there; returns the checkpoint to go on from.

    The same of the store: by its words the weights would be those of others.

    Where a run has several processes, the first has done this before it starts the others.
    """
    if is_main_process():
        if resume:
            _check_config(folder / "config.json", config)
            _check_store(folder, store)
        else:
            _write_config(folder / "config.json", config)
            (folder / _STORE).write_text(_digest(store), "utf-8")
    found = (path for path in (folder / "checkpoints").glob("epoch=*.ckpt") if _has_epoch(path))
    checkpoints = sorted(found, key=_epoch) if resume else []
    last = _epoch(checkpoints[-1]) if checkpoints else -1
    if resume and is_main_process():
        _forget_later_epochs(folder / "metrics.jsonl", last)
    return checkpoints[-1] if checkpoints else None


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


def _check_config(path: Path, config: TrainingConfig) -> None:
    try:
        begun = TrainingConfig.model_validate_json(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path.parent}: there is no run to resume.") from None
    except (ValidationError, UnicodeDecodeError):
        raise InputError(f"{path}: damaged, or of another version; start a new run.") from None
    if begun != config:
        raise InputError(
            f"{path}: differs from the config given; resume with the one the run was started with."
        )


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


def _last_line(folder: Path) -> Any:
    lines = (folder / "metrics.jsonl").read_text("utf-8").splitlines()
    return json.loads(lines[-1]) if lines else None


def _precision(accelerator: str) -> Any:
    on_gpu = accelerator != "cpu" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return "bf16-mixed" if on_gpu else "32-true"


def _logger(folder: Path) -> Any:
    try:
        from lightning.pytorch.loggers import TensorBoardLogger

        return TensorBoardLogger(folder, name="", version="tensorboard")
    except ModuleNotFoundError:  # the figures are in metrics.jsonl all the same
        return False


def _silence_lightning() -> None:
    """Keep back what Lightning says to those who program with it."""
    for name in ("lightning.pytorch", "lightning.fabric"):
        logging.getLogger(name).setLevel(logging.WARNING)
    for message in (
        ".*does not have many workers",
        ".*log_every_n_steps",
        ".*LeafSpec",
        ".*exists and is not empty",
        "The dirpath has changed",
    ):
        warnings.filterwarnings("ignore", message)
