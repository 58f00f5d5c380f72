"""`samehand train` and `samehand ablate`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from samehand.cli.console import progress
from samehand.errors import InputError, needs

if TYPE_CHECKING:
    from samehand.training.config import TrainingConfig

Config = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", metavar="FILE", help="YAML; the settings it names differ from the preset."
    ),
]
Set = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="One setting that differs, such as network.beta=0.2; may be given several times.",
    ),
]
Devices = Annotated[
    str, typer.Option(metavar="N", help="How many devices of one machine; auto: all.")
]
Nodes = Annotated[int, typer.Option(metavar="N", help="How many machines.")]
Accelerator = Annotated[
    str, typer.Option(metavar="auto|cpu|gpu", help="Where to train; auto: a GPU if there is one.")
]


def train(
    store: Annotated[Path, typer.Argument(help="A folder made by samehand prepare.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RUN", help="Folder for checkpoints, figures, the model."
        ),
    ],
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="default|paper",
            help="Settings to begin with. default: those of the packaged model, which is meant "
            "where none is named; paper: those of the paper's system.",
        ),
    ] = None,
    config: Config = None,
    set: Set = [],  # noqa: B006
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on from the last checkpoint in RUN, with the settings that it was begun with.",
        ),
    ] = False,
    accelerator: Accelerator = "auto",
    devices: Devices = "auto",
    nodes: Nodes = 1,
) -> None:
    """Train a network on STORE.

    The finished model lies in RUN/model, the figures of each epoch in RUN/metrics.jsonl. The preset
    paper gives a model that answers; default an encoder alone, of which samehand fit makes one.

    Examples:
    $ samehand train store -o run
    $ samehand train store -o run-2 --preset paper --set seed=2 --set epochs=10
    $ samehand train store -o run-2 --resume
    """
    needs("train", "lightning")
    from samehand.corpus.store import Store
    from samehand.training.config import TrainingConfig
    from samehand.training.run import train as run
    from samehand.training.run_folder import is_main_process, settings_of

    if resume:
        settings = settings_of(output, preset, config, set)
    else:
        settings = TrainingConfig.read(preset or "default", config, set)
    trainer = _trainer(accelerator, devices, nodes)
    with progress() as watch:
        run(Store.open(store), output, settings, resume, progress=watch, **trainer)
    if is_main_process():
        what = "model" if settings.scoring.batch_pairs else "encoder, for `samehand fit`,"
        typer.echo(f"The {what} is in {output / 'model'}.")


def ablate(
    store: Annotated[Path, typer.Argument(help="A folder made by samehand prepare.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the runs and the table."),
    ],
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="paper|default",
            help="Settings to begin with. paper: those of the paper's system, which is meant where "
            "none is named; default: those of the packaged model.",
        ),
    ] = None,
    config: Config = None,
    set: Set = [],  # noqa: B006
    runs: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many trainings of each kind.")
    ] = 4,
    departures: Annotated[
        bool,
        typer.Option("--departures", help="Train our departures from the paper, too, one by one."),
    ] = False,
    only: Annotated[
        str | None,
        typer.Option(
            metavar="TRAINING", help="Train only this one, such as fixed-0 or learned-2, and stop."
        ),
    ] = None,
    accelerator: Accelerator = "auto",
    devices: Devices = "auto",
    nodes: Nodes = 1,
) -> None:
    """Train and score the rows of the paper's Table 1: epochs 29 to 33 of 35, over several runs.

    Called again, it goes on where it was interrupted, with the settings that it was begun with.
    Several such commands at once share the work; the last of them writes the table.

    Examples:
    $ samehand ablate store -o table-1
    $ samehand ablate store -o table-1 --only fixed-0
    """
    needs("train", "lightning")
    from samehand.corpus.store import Store
    from samehand.training.ablate import DEPARTURES, settings_for
    from samehand.training.ablate import ablate as run
    from samehand.training.table import markdown

    settings = settings_for(output, preset, config, set)
    trainer = _trainer(accelerator, devices, nodes)
    others = DEPARTURES if departures else {}

    def configure(changes: Sequence[str]) -> "TrainingConfig":
        return settings.changed(changes=changes)

    with progress() as watch:
        tables = run(
            Store.open(store), output, configure, runs,
            departures=others, only=only, progress=watch, **trainer,
        )  # fmt: skip
    for name, table in tables.items():
        typer.echo(markdown(table))
        typer.echo(f"Also in {output / name}.md, .csv and .tex.")


def _trainer(accelerator: str, devices: str, nodes: int) -> dict[str, Any]:
    if devices != "auto" and not devices.isdecimal():
        raise InputError(f"--devices {devices}: give a number, or auto.")
    return {
        "accelerator": accelerator,
        "devices": devices if devices == "auto" else int(devices),
        "num_nodes": nodes,
    }
