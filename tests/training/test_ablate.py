"""The rows of the paper's Table 1, from two trainings a run."""

import csv
import io
import json
import shutil
from contextlib import ExitStack

import numpy as np
import pytest

from samehand.cli.main import main
from samehand.errors import InputError
from samehand.io.locking import InUseError
from samehand.training.ablate import DEPARTURES, ROWS, ablate, window, write_tables
from samehand.training.config import TrainingConfig
from samehand.training.run_folder import at_work
from samehand.training.table import MEASURES

from .runs import SMALL, small_config, without_time

QUICK = ("epochs=3", "scoring.start_at=0.3")
ON_CPU = {"accelerator": "cpu"}


def quick(changes):
    return small_config(*QUICK, *changes)


@pytest.fixture(scope="module")
def made(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ablation")
    tables = ablate(store, folder, quick, runs=2, **ON_CPU)
    assert list(tables) == ["table"]
    return folder, tables["table"]


def test_the_epochs_that_count_are_those_of_the_paper():
    epochs = list(range(1, 36))
    assert window(epochs) == [29, 30, 31, 32, 33]
    for n in range(1, 35):
        assert window(epochs[:n])


def test_rows_are_those_of_the_paper(made):
    assert [(row.component, row.setting) for row in made[1]] == [
        ("DML", "fixed"),
        ("DML", "learned"),
        ("BFS", "swish"),
        ("BFS", "tanh"),
        ("UAL tanh", "β = 0"),
        ("UAL tanh", "β = 0.05"),
        ("UAL tanh", "β = 0.1"),
        ("UAL tanh", "β = 0.2"),
        ("UAL swish", "β = 0.1"),
        ("UAL swish", "β = 0.125"),
    ]


def test_rows_that_share_training_share_it(made):
    trained = sorted(path.name for path in made[0].iterdir() if path.is_dir())
    assert trained == ["fixed-0", "fixed-1", "learned-0", "learned-1"]
    kernels = {name: without_time(made[0] / name)[-1]["kernel"]["gamma"] for name in trained}
    assert kernels["fixed-0"] == kernels["fixed-1"] == pytest.approx(0.09)
    assert kernels["learned-0"] != pytest.approx(0.09, abs=1e-6)
    assert kernels["learned-0"] != kernels["learned-1"]  # another run, another seed


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.component} {row.setting}")
def test_cells_are_means_and_deviations_over_runs_and_the_epochs_that_count(made, row):
    folder, table = made
    runs = (without_time(folder / f"{row.training}-{run}") for run in (0, 1))
    lines = [line for run in runs for line in window(run)]
    for measure in MEASURES:
        values = 100 * np.array([line["pooled"][row.output][measure] for line in lines])
        assert table[row][measure].mean == pytest.approx(values.mean())
        assert table[row][measure].deviation == pytest.approx(values.std())


def test_heads_differ_as_their_rows_say(made):
    last = without_time(made[0] / "learned-0")[-1]["pooled"]
    assert last["ual tanh_b0"]["conf"] > last["ual tanh_b200"]["conf"]
    assert last["bfs tanh_b0"] == last["bfs tanh_b200"]  # β is no concern of the BFS
    assert last["bfs tanh_b100"] != last["bfs swish_b100"]


def test_the_table_is_written_in_three_formats(made):
    folder, table = made
    rows = [line.split("|")[1:-1] for line in (folder / "table.md").read_text().splitlines()]
    assert {len(row) for row in rows} == {2 + len(MEASURES)}
    assert [row[0].strip() for row in rows[2:]] == [row.component for row in ROWS]
    cell = table[ROWS[0]]["auc"]
    assert rows[2][2].strip() == f"{cell.mean:.1f} ± {cell.deviation:.1f}"

    read = list(csv.DictReader(io.StringIO((folder / "table.csv").read_text())))
    assert len(read) == len(ROWS)
    for record, row in zip(read, ROWS, strict=True):
        assert float(record["ece"]) == pytest.approx(table[row]["ece"].mean, abs=1e-4)
        assert float(record["ece_deviation"]) == pytest.approx(
            table[row]["ece"].deviation, abs=1e-4
        )

    latex = (folder / "table.tex").read_text().splitlines()
    body = [line for line in latex if line.startswith(("DML", "BFS", "UAL"))]
    assert len(body) == len(ROWS)
    assert all(line.count("&") == 1 + len(MEASURES) and line.endswith(r"\\") for line in body)
    assert "β" not in "".join(latex)


def test_called_again_it_trains_only_what_is_missing(made, store, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(made[0], folder)
    for name in ("table.md", "table.csv", "table.tex"):
        (folder / name).unlink()
    shutil.rmtree(folder / "learned-1")
    shutil.rmtree(folder / "fixed-0" / "model")  # killed before the end
    untouched = folder / "learned-0" / "model" / "network" / "weights.safetensors"
    before = untouched.stat().st_mtime_ns
    tables = ablate(store, folder, quick, runs=2, **ON_CPU)
    assert untouched.stat().st_mtime_ns == before
    assert tables == {"table": made[1]}
    assert (folder / "table.md").read_text() == (made[0] / "table.md").read_text()


def test_only_trains_one_from_the_command_line(made, store, tmp_path, monkeypatch, capsys):
    settings = [part for change in (*SMALL, *QUICK) for part in ("--set", change)]
    asked = ["samehand", "ablate", str(store.folder), "-o", str(tmp_path), *settings]
    monkeypatch.setattr(
        "sys.argv", [*asked, "--accelerator", "cpu", "--runs", "2", "--only", "learned-1"]
    )
    with pytest.raises(SystemExit) as raised:
        main()
    assert raised.value.code in (0, None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "learned-1"]
    assert without_time(tmp_path / "learned-1") == without_time(made[0] / "learned-1")
    assert capsys.readouterr().out == ""


def test_called_again_it_goes_on_with_its_own_settings(made, store, tmp_path, monkeypatch, capsys):
    folder = shutil.copytree(made[0], tmp_path / "copy")
    asked = ["samehand", "ablate", str(store.folder), "-o", str(folder), "--runs", "2"]
    for given, code, said in (
        ((), (0, None), "| DML "),
        (("--set", "epochs=3"), (0, None), "| DML "),
        (("--set", "epochs=4"), (2,), "was begun with epochs=3, not 4; it goes on with its own"),
        (("--preset", "default"), (2,), "it goes on with its own settings"),
    ):
        monkeypatch.setattr("sys.argv", [*asked, *given])
        with pytest.raises(SystemExit) as raised:
            main()
        assert raised.value.code in code
        shown = capsys.readouterr()
        assert said in shown.out + shown.err


@pytest.mark.parametrize("changes", [("network.learn_kernel=false",), *DEPARTURES.values()])
def test_settings_that_were_kept_are_changed_as_those_that_were_typed(changes):
    kept = TrainingConfig.model_validate_json(TrainingConfig.read("paper").model_dump_json())
    assert kept.changed(changes=changes) == TrainingConfig.read("paper", None, changes)


def test_what_another_process_is_at_work_on_is_left_to_it(made, store, tmp_path):
    folder = tmp_path / "shared"
    shutil.copytree(made[0], folder)
    (folder / "table.md").unlink()
    shutil.rmtree(folder / "fixed-1")
    shutil.rmtree(folder / "learned-0" / "model")
    with (
        at_work(folder / "learned-0", resume=True),
        pytest.raises(InUseError, match="other processes are at work on learned-0; call again"),
    ):
        ablate(store, folder, quick, runs=2, **ON_CPU)
    assert without_time(folder / "fixed-1") == without_time(made[0] / "fixed-1")
    assert not (folder / "learned-0" / "model").exists()
    assert not (folder / "table.md").exists()


def test_the_last_of_those_who_share_the_work_writes_the_tables(made, store, tmp_path):
    """Whoever is at work on the first training has ended before this process has."""
    folder = tmp_path / "shared"
    shutil.copytree(made[0], folder)
    shutil.rmtree(folder / "fixed-1")
    aside = (folder / "fixed-0" / "model").rename(tmp_path / "model")
    with ExitStack() as stack:
        stack.enter_context(at_work(folder / "fixed-0", resume=True))

        def configure(changes):
            if (folder / "fixed-1" / "config.json").exists() and aside.exists():
                aside.rename(folder / "fixed-0" / "model")
                stack.close()
            return quick(changes)

        assert ablate(store, folder, configure, runs=2, **ON_CPU) == {"table": made[1]}


def test_tables_are_made_from_logs_alone(made, tmp_path):
    for log in made[0].glob("*/metrics.jsonl"):
        (tmp_path / log.parent.name).mkdir()
        shutil.copy(log, tmp_path / log.parent.name)
    assert write_tables(tmp_path, 2) == {"table": made[1]}
    assert (tmp_path / "table.tex").read_text() == (made[0] / "table.tex").read_text()
    with pytest.raises(InputError, match=r"fixed-2/metrics\.jsonl: missing; train that run first"):
        write_tables(tmp_path, 3)


def test_an_unknown_training_is_refused(store, tmp_path):
    with pytest.raises(InputError, match=r"--only learned-2: .* fixed-0, learned-0, fixed-1"):
        ablate(store, tmp_path, quick, runs=2, only="learned-2")


def test_an_encoder_alone_has_no_rows_of_bfs_and_ual(store, tmp_path):
    alone = "in_batch={sources_per_batch: 2}", "scoring={batch_pairs: 0}", "network.ual_size=120"
    with pytest.raises(InputError, match=r"set scoring\.batch_pairs above 0"):
        ablate(store, tmp_path, lambda changes: small_config(*alone))


def test_trials_without_figures_are_refused(store, tmp_path):
    def configure(changes):
        return small_config("trials=[calibration]", "epochs=1", *changes)  # which is empty

    with pytest.raises(InputError, match="give no figures"):
        ablate(store, tmp_path, configure, runs=1, **ON_CPU)
    assert json.loads((tmp_path / "fixed-0" / "metrics.jsonl").read_text())["pooled"] == {}


ALONE = ("in_batch={sources_per_batch: 1}", "scoring={batch_pairs: 0}", "network.ual_size=120")


def test_departures_have_a_table_of_their_own_with_what_each_trains(store, tmp_path):
    departures = {"wider": ["network.unit_hidden=12"], "alone": ALONE}
    tables = ablate(store, tmp_path, quick, runs=1, departures=departures, **ON_CPU)
    table = tables["departures"]
    assert [(row.setting, row.component) for row in table] == [
        *((setting, part) for setting in ("paper", "wider") for part in ("DML", "BFS", "UAL")),
        ("alone", "DML"),
    ]
    (line,) = window(without_time(tmp_path / "wider-0"))
    (wider,) = (cells for row, cells in table.items() if row[:2] == ("UAL", "wider"))
    assert wider["auc"].mean == pytest.approx(100 * line["pooled"]["ual"]["auc"])
    assert (tmp_path / "departures.md").read_text().count("\n") == 2 + len(table)
