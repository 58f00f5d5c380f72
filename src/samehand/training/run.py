"""A training run: the data, the network, Lightning's trainer, and the model at the end."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lightning
import torch
from lightning.fabric.utilities.exceptions import MisconfigurationException
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from lightning.pytorch.utilities.seed import isolate_rng

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.io.progress import Progress, unwatched
from samehand.model.config import NetworkConfig
from samehand.model.description import About, Data, Statement
from samehand.model.folder import write_model
from samehand.network.initial_ranges import start_as_authors
from samehand.network.network import Losses, Network, Scoring
from samehand.network.weights import stored
from samehand.training.checkpoints import SafeCheckpoints
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.figures import draw_figures
from samehand.training.module import TrainingModule
from samehand.training.run_folder import (
    at_work,
    is_main_process,
    keep_last_checkpoint,
    last_figures,
    prepare_folder,
)
from samehand.training.scores import EpochScores

NETWORK = "network"
"""The name of the network in the model of a run."""
_LOSSES_EVERY = 20
"""Steps from one look at the losses to the next."""


def train(
    store: Store,
    folder: Path,
    config: TrainingConfig,
    resume: bool = False,
    variants: dict[str, NetworkConfig] | None = None,
    callbacks: tuple[Callback, ...] = (),
    progress: Progress = unwatched,
    **trainer_options: Any,
) -> TrainingModule:
    """Train a network and write it to `folder`/model. `trainer_options` go to the `Trainer`.

    `variants` are further scoring heads to train on the same LEVs.
    """
    callbacks = (*callbacks, _Steps(progress))
    with _quiet_lightning(), isolate_rng(include_cuda=False), at_work(folder, resume):
        torch.manual_seed(config.seed)
        return _train(store, folder, config, resume, variants or {}, callbacks, trainer_options)


def _train(
    store: Store,
    folder: Path,
    config: TrainingConfig,
    resume: bool,
    variants: dict[str, NetworkConfig],
    callbacks: tuple[Callback, ...],
    trainer_options: dict[str, Any],
) -> TrainingModule:
    data = PairData(store, config)
    network = new_network(store, config)
    heads = {name: _new_head(variant, config.seed) for name, variant in variants.items()}
    module = TrainingModule(network, data, config, heads)
    scores = EpochScores(data, _trial_names(store, config), folder / "metrics.jsonl")
    checkpoint = prepare_folder(folder, store, config, resume)
    with _clear_faults(folder, config):
        trainer = _trainer(folder, config, [scores, *callbacks], trainer_options)
        trainer.fit(module, data, ckpt_path=checkpoint)
        if is_main_process():
            draw_figures(folder, config)
            keep_last_checkpoint(folder)
            _write_model(folder, store, config, module.network)
    return module


def _new_head(config: NetworkConfig, seed: int) -> Scoring:
    """A scoring head. All start alike, so that they differ in nothing but their settings."""
    torch.manual_seed(seed)
    return Scoring(config)


def _write_model(folder: Path, store: Store, config: TrainingConfig, network: Network) -> None:
    """Write what a run leaves: a model as the paper has it, or an encoder that is to be fitted."""
    scoring = config.scoring.batch_pairs > 0
    statement = Statement(
        name=folder.resolve().name,
        evidence="paper" if scoring else "genres",
        about=About(
            data=Data.model_validate(store.about),
            training={"settings": config.model_dump(mode="json"), "figures": last_figures(folder)},
        ),
    )
    vocabulary = store.vocabulary.first(config.network.most_words)
    kept = stored(network, NETWORK, vocabulary, scoring=scoring)
    write_model(folder / "model", statement, [kept])


def new_network(store: Store, config: TrainingConfig) -> Network:
    """A network for a store's vocabulary, with its initial word vectors if it has any."""
    vocabulary = store.vocabulary.first(config.network.most_words)
    network = Network(config.network, len(vocabulary.words), len(vocabulary.characters))
    if config.initial_ranges == "authors":
        start_as_authors(network.encoder)
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


_FOR_PROGRAMMERS = (
    ".*does not have many workers",
    ".*log_every_n_steps",
    ".*LeafSpec",
    ".*exists and is not empty",
    "The dirpath has changed",
)
"""Warnings of Lightning that somebody who trains can do nothing about."""


class _Steps(Callback):
    """Tells which step of all epochs is done, and every so often the losses."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._losses = progress, ""

    def on_train_start(self, trainer: lightning.Trainer, module: Any) -> None:
        """Say from where the run goes on."""
        self._tell(trainer, 0)

    def on_train_batch_end(
        self, trainer: lightning.Trainer, module: Any, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        """Count a step; a look at the losses waits for the device."""
        if batch_idx % _LOSSES_EVERY == 0:
            found = trainer.callback_metrics
            named = [(name, found.get(f"{name}_step")) for name in Losses._fields]
            self._losses = "".join(
                f", {name} {loss:.3f}" for name, loss in named if loss is not None
            )
        self._tell(trainer, batch_idx + 1)

    def _tell(self, trainer: lightning.Trainer, done: int) -> None:
        if not trainer.is_global_zero:
            return
        epoch, epochs = trainer.current_epoch, trainer.max_epochs or 1
        steps = int(trainer.num_training_batches)  # the next epoch may have a few more or less
        note = f"epoch {min(epoch + 1, epochs)} of {epochs}{self._losses}"
        self._progress("training steps", epoch * steps + done, epochs * steps, note)


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
    defaults = {
        "precision": _precision(options.get("accelerator", "auto")),
        "logger": _logger(folder),
        "enable_progress_bar": False,
        "log_every_n_steps": _LOSSES_EVERY,
    }
    try:
        return lightning.Trainer(
            **(defaults | options),
            max_epochs=config.epochs,
            callbacks=[*callbacks, keep],
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


def _precision(accelerator: str) -> Any:
    on_gpu = accelerator != "cpu" and torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    return "bf16-mixed" if on_gpu else "32-true"


def _logger(folder: Path) -> Any:
    try:
        from lightning.pytorch.loggers import TensorBoardLogger

        return TensorBoardLogger(folder, name="", version="tensorboard")
    except ModuleNotFoundError:  # the figures are in metrics.jsonl all the same
        return False


@contextmanager
def _quiet_lightning() -> Iterator[None]:
    """Keep back what Lightning says to those who program with it."""
    loggers = [logging.getLogger(name) for name in ("lightning.pytorch", "lightning.fabric")]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        for message in _FOR_PROGRAMMERS:
            warnings.filterwarnings("ignore", message)
        for logger in loggers:
            logger.setLevel(logging.WARNING)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
