"""A training run in a folder: config, checkpoints, logs, and the network at the end."""

import json
import logging
import sys
from pathlib import Path
from typing import Any

import lightning
import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint, RichProgressBar

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.model.network import Network, Scoring
from samehand.model.weights import save_network
from samehand.training.checkpoints import SafeCheckpoints
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.module import TrainingModule
from samehand.training.scores import EpochScores


def train(
    store: Store,
    folder: Path,
    config: TrainingConfig,
    resume: bool = False,
    variants: dict[str, Scoring] | None = None,
    callbacks: tuple[Callback, ...] = (),
    **trainer_options: Any,
) -> TrainingModule:
    """Train a network and write it to `folder`/model. `trainer_options` go to Lightning's `Trainer`."""
    checkpoint = _prepare_folder(folder, config, resume)
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    lightning.seed_everything(config.seed, verbose=False)
    data = PairData(store, config)
    module = TrainingModule(new_network(store, config), data, config, variants)
    names = list(config.trials or store.trial_names)
    keep = ModelCheckpoint(
        folder / "checkpoints", "{epoch}", save_top_k=1, save_on_train_epoch_end=True, enable_version_counter=False
    )
    trainer = lightning.Trainer(
        **({"max_epochs": config.epochs, "precision": _precision(), "logger": _loggers(folder),
            "enable_model_summary": False, "enable_progress_bar": sys.stderr.isatty(),
            "log_every_n_steps": 20} | trainer_options),
        callbacks=[EpochScores(data, names, folder / "metrics.jsonl"), keep, *_progress(), *callbacks],
        plugins=[SafeCheckpoints()],
        default_root_dir=folder,
        reload_dataloaders_every_n_epochs=1,
        use_distributed_sampler=False,
        num_sanity_val_steps=0,
    )  # fmt: skip
    try:
        trainer.fit(module, data, ckpt_path=checkpoint)
    except torch.OutOfMemoryError:
        raise InputError(
            f"The device ran out of memory at batch_pairs = {config.batch_pairs}: lower it, and go on with --resume."
        ) from None
    if trainer.is_global_zero and trainer.state.finished and not trainer.interrupted:
        about = {"training": config.model_dump(mode="json"), "data": store.about, "metrics": _last_line(folder)}
        save_network(folder / "model", module.network, store.vocabulary, about)
    return module


def new_network(store: Store, config: TrainingConfig) -> Network:
    """A network for a store's vocabulary, with its initial word vectors if it has any."""
    vocabulary = store.vocabulary
    network = Network(config.network, len(vocabulary.words), len(vocabulary.characters))
    vectors = store.vectors()
    if vectors is not None:
        if vectors.shape[1] != config.network.word_size:
            raise InputError(
                f"{store.folder}: its word vectors have {vectors.shape[1]} dimensions; set network.word_size to that."
            )
        with torch.no_grad():
            network.encoder.words.weight.copy_(torch.tensor(vectors))
    return network


def _prepare_folder(folder: Path, config: TrainingConfig, resume: bool) -> Path | None:
    """Write the config, or check it against the one there; returns the checkpoint to go on from."""
    path = folder / "config.json"
    if not resume:
        if path.exists():
            raise InputError(f"{folder}: holds a run already; go on with --resume, or choose another folder.")
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(config.model_dump_json(indent=1), "utf-8")
        return None
    if not path.exists():
        raise InputError(f"{folder}: there is no run to resume.")
    if TrainingConfig.model_validate_json(path.read_text("utf-8")) != config:
        raise InputError(f"{path}: differs from the config given; resume with the one the run was started with.")
    checkpoints = sorted((folder / "checkpoints").glob("*.ckpt"), key=lambda p: p.stat().st_mtime)
    if checkpoints:
        _forget_later_epochs(folder / "metrics.jsonl", int(checkpoints[-1].stem.split("=")[-1]))
        return checkpoints[-1]
    (folder / "metrics.jsonl").unlink(missing_ok=True)
    return None


def _forget_later_epochs(path: Path, last: int) -> None:
    """Drop lines of epochs that the checkpoint does not hold; they are about to be written again."""
    if path.exists():
        lines = [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
        kept = [line for line in lines if json.loads(line)["epoch"] <= last]
        path.write_text("".join(f"{line}\n" for line in kept), "utf-8")


def _last_line(folder: Path) -> Any:
    lines = (folder / "metrics.jsonl").read_text("utf-8").splitlines()
    return json.loads(lines[-1]) if lines else None


def _progress() -> list[Callback]:
    """A bar with the losses and the time left, where somebody is looking."""
    return [RichProgressBar(refresh_rate=5)] if sys.stderr.isatty() else []


def _precision() -> Any:
    return "bf16-mixed" if torch.cuda.is_available() and torch.cuda.is_bf16_supported() else "32-true"


def _loggers(folder: Path) -> Any:
    try:
        from lightning.pytorch.loggers import TensorBoardLogger

        return TensorBoardLogger(folder, name="", version="tensorboard")
    except ModuleNotFoundError:  # the figures are in metrics.jsonl all the same
        return False
