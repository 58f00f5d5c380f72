"""`samehand train` as a user runs it: small, on one core, and killed when it is told to be."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from samehand.corpus.store import Store
from samehand.training.config import TrainingConfig

SCRIPT = Path(sys.executable).with_name("samehand")
SMALLEST = (
    "network.word_size=12",
    "network.character_size=4",
    "network.filters=4",
    "network.unit_hidden=8",
    "network.document_hidden=8",
    "network.lev_size=8",
    "network.bfs_size=6",
    "network.ual_size=8",
)
"""Sizes that train in seconds."""
SMALLER = (
    "network.word_size=32",
    "network.character_size=4",
    "network.filters=8",
    "network.unit_hidden=16",
    "network.document_hidden=16",
    "network.lev_size=24",
    "network.bfs_size=20",
    "network.ual_size=32",
)
"""Sizes that learn a planted style."""
SMALL = (
    *SMALLEST,
    "lengths.vary=true",
    "lengths.shortest=20",
    "lengths.longest=60",
    "batch_pairs=16",
    "learning_rate=0.005",
    "scoring.batch_pairs=8",
    "scoring.learning_rate=0.001",
    "scoring.authors=0.3",
    "scoring.start_at=0.25",
    "initial_ranges=sizes",
    "word_dropout=0.1",
    "epochs=4",
)
"""Every part in use: dropout, words masked, lengths varied, scoring on its own authors."""


def small_config(*changes: str) -> TrainingConfig:
    return TrainingConfig.read("paper", None, (*SMALL, *changes))


class Run(NamedTuple):
    """A run that has ended."""

    folder: Path
    done: subprocess.CompletedProcess[str]

    @property
    def faults(self) -> list[str]:
        """Lines on stderr, but for those of progress."""
        lines = self.done.stderr.splitlines()
        return [line for line in lines if not line.startswith("training steps: ")]

    @property
    def weights(self) -> bytes:
        return (self.folder / "model" / "network" / "weights.safetensors").read_bytes()

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The measures of each epoch, but for the time it took."""
        return without_time(self.folder)

    @property
    def checkpoints(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "checkpoints").iterdir())


def without_time(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


def command(
    store: Store,
    folder: Path,
    *options: str,
    changes: tuple[str, ...] = (),
    settings: tuple[str, ...] | None = None,
) -> list[str]:
    """`settings`: instead of those of `small_config` with some changes."""
    if settings is None:
        each = [part for change in (*SMALL, *changes) for part in ("--set", change)]
        settings = ("--preset", "paper", *each)
    given = options if "--accelerator" in options else ("--accelerator", "cpu", *options)
    return [str(SCRIPT), "train", str(store.folder), "-o", str(folder), *settings, *given]


def one_core() -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1"}


def run_to_the_end(store: Store, folder: Path, *options: str, **settings: tuple[str, ...]) -> Run:
    asked = command(store, folder, *options, **settings)
    done = subprocess.run(asked, capture_output=True, text=True, env=one_core())
    assert done.returncode == 0, done.stderr
    return Run(folder, done)


def run_and_kill(store: Store, folder: Path, when: Callable[[], bool]) -> None:
    """Kill it, without a chance to tidy up, as soon as `when` says so."""
    with subprocess.Popen(command(store, folder), env=one_core()) as process:
        try:
            while not when():
                assert process.poll() is None, "it ended before it was to be killed"
                time.sleep(0.002)
        finally:
            process.kill()
    assert not (folder / "model").exists()
