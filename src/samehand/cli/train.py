"""`samehand train` and `samehand ablate`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.errors import InputError, needs

if TYPE_CHECKING:
    from samehand.training.config import TrainingConfig

Preset = Annotated[
    str, typer.Option(help="paper: the system of the paper; default: that of the packaged model.")
]
Config = Annotated[
    Path | None,
    typer.Option("--config", "-c", help="YAML; what it names is changed in the preset."),
]
Set = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Change one setting, such as network.beta=0.2."
    ),
]
Devices = Annotated[str, typer.Option(help="How many devices; on one machine.")]
Nodes = Annotated[int, typer.Option(help="How many machines.")]
Accelerator = Annotated[str, typer.Option(help="auto, cpu, gpu.")]


def train(
    store: Annotated[Path, typer.Argument(help="A folder made by `samehand prepare`.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RUN", help="Folder for checkpoints, logs, the model."
        ),
    ],
    preset: Preset = "default",
    config: Config = None,
    set: Set = [],  # noqa: B006
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the last checkpoint in RUN.")
    ] = False,
    accelerator: Accelerator = "auto",
    devices: Devices = "auto",
    nodes: Nodes = 1,
) -> None:
    """Train a network on STORE.

    The finished model lies in RUN/model, the figures of each epoch in RUN/metrics.jsonl. The preset
    paper gives a model that answers; default an encoder alone, of which `samehand fit` makes one.
    """
    needs("train", "lightning")
    from samehand.corpus.store import Store
    from samehand.training.run import train as run
    from samehand.training.run_folder import is_main_process

    settings = _config(preset, config, set)
    trainer = _trainer(accelerator, devices, nodes)
    run(Store.open(store), output, settings, resume, **trainer)
    if is_main_process():
        what = "model" if settings.scoring.batch_pairs else "encoder, for `samehand fit`,"
        typer.echo(f"The {what} is in {output / 'model'}.")


def ablate(
    store: Annotated[Path, typer.Argument(help="A folder made by `samehand prepare`.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the runs and the table."),
    ],
    preset: Preset = "paper",
    config: Config = None,
    set: Set = [],  # noqa: B006
    runs: Annotated[int, typer.Option(min=1, help="Trainings of each kind.")] = 4,
    departures: Annotated[
        bool, typer.Option("--departures", help="Also our departures from the paper, one by one.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(help="Train only this one, such as fixed-0 or learned-2, and stop."),
    ] = None,
    accelerator: Accelerator = "auto",
    devices: Devices = "auto",
    nodes: Nodes = 1,
) -> None:
    """Train and score the rows of the paper's Table 1: epochs 29 to 33 of 35, over several runs.

    Called again, it goes on where it was interrupted. Several such commands at once share the work;
    the last of them writes the table.
    """
    needs("train", "lightning")
    from samehand.corpus.store import Store
    from samehand.training.ablate import DEPARTURES
    from samehand.training.ablate import ablate as run
    from samehand.training.table import markdown

    trainer = _trainer(accelerator, devices, nodes)
    others = DEPARTURES if departures else {}

    def configure(changes: Sequence[str]) -> "TrainingConfig":
        return _config(preset, config, [*set, *changes])

    tables = run(
        Store.open(store), output, configure, runs, departures=others, only=only, **trainer
    )
    for name, table in tables.items():
        typer.echo(markdown(table))
        typer.echo(f"Also in {output / name}.md, .csv and .tex.")


def _config(preset: str, path: Path | None, changes: list[str]) -> "TrainingConfig":
    from samehand.training.config import TrainingConfig

    return TrainingConfig.read(preset, path, changes)


def _trainer(accelerator: str, devices: str, nodes: int) -> dict[str, Any]:
    if devices != "auto" and not devices.isdecimal():
        raise InputError(f"--devices {devices}: give a number, or auto.")
    return {
        "accelerator": accelerator,
        "devices": devices if devices == "auto" else int(devices),
        "num_nodes": nodes,
    }
