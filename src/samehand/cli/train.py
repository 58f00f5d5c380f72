"""`samehand train` and `samehand ablate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from samehand.training.config import TrainingConfig

Config = Annotated[
    Path | None, typer.Option("--config", "-c", help="YAML; what it leaves out has its default.")
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

    The finished model lies in RUN/model, the figures of each epoch in RUN/metrics.jsonl.
    """
    from samehand.training import require_extra

    require_extra()
    from samehand.corpus.store import Store
    from samehand.training.run import is_main_process
    from samehand.training.run import train as run

    run(
        Store.open(store),
        output,
        _config(config, set),
        resume,
        **_trainer(accelerator, devices, nodes),
    )
    if is_main_process():
        typer.echo(f"The model is in {output / 'model'}.")


def ablate(
    store: Annotated[Path, typer.Argument(help="A folder made by `samehand prepare`.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the runs and the table."),
    ],
    config: Config = None,
    set: Set = [],  # noqa: B006
    runs: Annotated[int, typer.Option(min=1, help="Trainings of each kind.")] = 4,
    last: Annotated[int, typer.Option(min=1, help="Epochs at the end that count.")] = 4,
    only: Annotated[
        str | None,
        typer.Option(help="Train only this one, such as fixed-0 or learned-2, and stop."),
    ] = None,
    accelerator: Accelerator = "auto",
    devices: Devices = "auto",
    nodes: Nodes = 1,
) -> None:
    """Train and score the rows of the paper's Table 1.

    Called again, it goes on where it was interrupted.
    """
    from samehand.training import require_extra

    require_extra()
    from samehand.corpus.store import Store
    from samehand.training.ablate import ablate as run
    from samehand.training.ablate import markdown

    settings, trainer = _config(config, set), _trainer(accelerator, devices, nodes)
    table = run(Store.open(store), output, settings, runs, last, only, **trainer)
    if table is None:
        return
    typer.echo(markdown(table))
    typer.echo(f"Also in {output}/table.md, table.csv and table.tex.")


def _config(path: Path | None, changes: list[str]) -> "TrainingConfig":
    from samehand.training.config import TrainingConfig

    return TrainingConfig.read(path, changes)


def _trainer(accelerator: str, devices: str, nodes: int) -> dict[str, Any]:
    from samehand.errors import InputError

    if devices != "auto" and not devices.isdecimal():
        raise InputError(f"--devices {devices}: give a number, or auto.")
    return {
        "accelerator": accelerator,
        "devices": devices if devices == "auto" else int(devices),
        "num_nodes": nodes,
    }
