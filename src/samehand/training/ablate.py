"""The paper's Table 1 (`tab:results:pan`), and beside it what each departure from it changes.

Nothing that BFS and UAL learn reaches the encoder, so all rows with learned kernel parameters are
read off one training with several scoring heads side by side. The fixed kernel needs an encoder of
its own, and so does each departure.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.io.atomic import write_whole
from samehand.io.locking import InUseError
from samehand.io.progress import Progress, unwatched
from samehand.model.config import NetworkConfig
from samehand.training.config import TrainingConfig
from samehand.training.run import train
from samehand.training.run_folder import CONFIG, is_main_process, make_folder, settings_of
from samehand.training.table import Row, Table, summary, write_table

_WINDOW = 28 / 35, 33 / 35
"""The share of the epochs that counts: 29 to 33 of the paper's 35."""


Configure = Callable[[Sequence[str]], TrainingConfig]
"""The config to start from, with some single settings changed."""

HEADS = {
    "tanh_b0": ("tanh", 0.0),
    "tanh_b050": ("tanh", 0.05),
    "tanh_b100": ("tanh", 0.1),
    "tanh_b200": ("tanh", 0.2),
    "swish_b100": ("swish", 0.1),
    "swish_b125": ("swish", 0.125),
}
ROWS = (
    Row("DML", "fixed", "fixed", "dml"),
    Row("DML", "learned", "learned", "dml"),
    Row("BFS", "swish", "learned", "bfs swish_b100"),
    Row("BFS", "tanh", "learned", "bfs tanh_b100"),
    *(
        Row(f"UAL {f}", f"β = {beta:g}", "learned", f"ual {name}")
        for name, (f, beta) in HEADS.items()
    ),
)
OF_ENCODER: dict[str, tuple[str, ...]] = {
    "initial": ("initial_ranges=sizes",),
    "lengths": ("lengths={vary: true, shortest: 120, longest: 2600}",),
    "in-batch": (
        "in_batch={sources_per_batch: 4, pairs_per_topic: 8, same_topic: 0.4}",
        "pairs.even_sources=0.5",
        "scoring={authors: 0.1, batch_pairs: 0}",
        "batch_pairs=256",
    ),
    "statistics": ("network.unit_features=512",),
    "few-words": ("network.most_words=1000", "network.masking=suffix"),
    "wider": (
        "network.unit_hidden=128",
        "network.document_hidden=128",
        "network.lev_size=128",
    ),
    "less-dropout": (
        "network.dropout_recurrent=0.05",
        "network.dropout_attention=0.05",
        "network.dropout_metric=0.1",
        "network.dropout_characters=0.1",
    ),
    "masked-tokens": ("word_dropout=0.15", "layout_dropout=0.15"),
    "schedule": (
        "epochs=38",
        "learning_rate=1e-3",
        "final_learning_rate=1e-6",
        "final_from=1.0",
    ),
}
"""Our departures from the paper; all together make the default preset."""
OF_SCORING: dict[str, tuple[str, ...]] = {
    "one-source": ("pairs.within_source=true",),
    "unknown-domain": ("network.bfs_domain=unknown",),
    "even-kinds": ("scoring.even_kinds=true",),
    "kept-authors": ("scoring={authors: 0.15, dropout: 0}",),
    "late-start": (
        "scoring={authors: 0.15, dropout: 0, even_kinds: true, learning_rate: 3e-5, start_at: 0.9}",
        "network.bfs_domain=unknown",
    ),
}
"""Departures for BFS and UAL, which the default preset does without."""
DEPARTURES = OF_ENCODER | OF_SCORING


def settings_for(
    folder: Path, preset: str | None = None, path: Path | None = None, changes: Sequence[str] = ()
) -> TrainingConfig:
    """The settings that a table was begun with, if it was; else those given, or the paper's."""
    if (folder / CONFIG).exists():
        return settings_of(folder, preset, path, changes)
    return TrainingConfig.read(preset or "paper", path, changes)


def ablate(
    store: Store,
    folder: Path,
    configure: Configure,
    runs: int = 4,
    *,
    departures: Mapping[str, Sequence[str]] = MappingProxyType({}),
    only: str | None = None,
    progress: Progress = unwatched,
    **trainer_options: Any,
) -> dict[str, Table]:
    """Train what the tables need, going on where an earlier call was interrupted, and write them.

    The tables are those of `write_tables`, with the settings that each departure changes.

    To share the work, let several processes make the same call: each leaves the trainings to the
    others that they are at work on, and the last one writes the tables. `InUseError` is raised in
    those before it. Or let each do one training by `only`, which writes no tables.
    """
    if not configure(()).scoring.batch_pairs:
        raise InputError("The table has rows of BFS and UAL: set scoring.batch_pairs above 0.")
    kinds = {"fixed": ("network.learn_kernel=false",), "learned": (), **departures}
    plan = {f"{kind}-{run}": (kind, run) for run in range(runs) for kind in kinds}
    if only is not None and only not in plan:
        raise InputError(
            f"--only {only}: there is no such training; choose one of {', '.join(plan)}."
        )
    _keep_settings(folder, configure(()))
    names, before = [only] if only else list(plan), None
    while names and names != before:  # others may have ended some of them in the meantime
        before, names = names, []
        for name in before:
            kind, run = plan[name]
            try:
                _train(
                    store, folder / name, configure(kinds[kind]), run, kind,
                    {"progress": _named(progress, name), **trainer_options},
                )  # fmt: skip
            except InUseError:
                names.append(name)
    if names:
        raise InUseError(
            f"{folder}: other processes are at work on {', '.join(names)}; call again when they "
            "have ended, unless they write the tables themselves."
        )
    if only or not is_main_process():
        return {}
    return write_tables(folder, runs, departures)


def write_tables(folder: Path, runs: int, departures: Iterable[str] = ()) -> dict[str, Table]:
    """The tables of the trainings in a folder, by their logs alone; written there, too.

    Figures are over all trials that were scored, pooled; means and deviations over runs and the
    paper's window of epochs. The table is named `table`, and that of the departures `departures`.
    """
    rows = {"table": ROWS}
    if departures:
        rows["departures"] = _departure_rows(folder, departures)
    tables = {name: _table(folder, runs, of_table) for name, of_table in rows.items()}
    for name, table in tables.items():
        write_table(folder, name, table)
    return tables


def _keep_settings(folder: Path, config: TrainingConfig) -> None:
    make_folder(folder)
    if not (folder / CONFIG).exists():
        write_whole(folder / CONFIG, config.model_dump_json(indent=1))


def _named(progress: Progress, training: str) -> Progress:
    """Progress of one training of several."""

    def tell(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        progress(f"{training}: {doing}", done, total, note)

    return tell


def _train(
    store: Store, folder: Path, config: TrainingConfig, run: int, kind: str, options: dict[str, Any]
) -> None:
    """Do one training, unless it has been done."""
    if not (folder / "model" / "model.json").exists():
        config = config.model_copy(update={"seed": config.seed + run})
        heads = _heads(config) if kind == "learned" else {}
        train(store, folder, config, (folder / "config.json").exists(), heads, **options)


def _departure_rows(folder: Path, departures: Iterable[str]) -> tuple[Row, ...]:
    """The components that each departure trains, after those of the paper."""
    return tuple(
        Row(part.upper(), "paper" if kind == "learned" else kind, kind, part)
        for kind in ("learned", *departures)
        for part in ("dml", "bfs", "ual")
        if part in lines_of(folder / f"{kind}-0")[-1]["pooled"]
    )


def _table(folder: Path, runs: int, rows: Sequence[Row]) -> Table:
    return {
        row: summary(
            [
                line["pooled"].get(row.output)
                for run in range(runs)
                for line in window(lines_of(folder / f"{row.training}-{run}"))
            ]
        )
        for row in rows
    }


def lines_of(run: Path) -> list[Any]:
    """The measures after each epoch."""
    path = run / "metrics.jsonl"
    if not path.exists():
        raise InputError(f"{path}: missing; train that run first (samehand ablate).")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def window(lines: list[Any]) -> list[Any]:
    """The epochs that count; one at least."""
    first, last = (round(share * len(lines)) for share in _WINDOW)
    return lines[min(first, last - 1) : last]


def _heads(config: TrainingConfig) -> dict[str, NetworkConfig]:
    return {
        name: config.network.model_copy(update={"bfs_activation": activation, "beta": beta})
        for name, (activation, beta) in HEADS.items()
    }
