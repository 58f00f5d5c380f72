"""The rows of the paper's Table 1, from two trainings a run."""

import csv
import io
import json
import shutil

import numpy as np
import pytest

from samehand.cli.main import main
from samehand.errors import InputError
from samehand.training.ablate import MEASURES, ROWS, ablate

from .runs import SMALL, small_config, without_time

QUICK = ("epochs=3", "scoring.start_at=0.3")
ON_CPU = {"accelerator": "cpu"}


@pytest.fixture(scope="module")
def made(store, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ablation")
    return folder, ablate(store, folder, small_config(*QUICK), runs=2, last=2, **ON_CPU)


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
def test_cells_are_means_and_deviations_over_runs_and_last_epochs(made, row):
    folder, table = made
    lines = [line for run in (0, 1) for line in without_time(folder / f"{row.kernel}-{run}")[-2:]]
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
    untouched = folder / "learned-0" / "model" / "weights.safetensors"
    before = untouched.stat().st_mtime_ns
    table = ablate(store, folder, small_config(*QUICK), runs=2, last=2, **ON_CPU)
    assert untouched.stat().st_mtime_ns == before
    assert table == made[1]
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
    assert [path.name for path in tmp_path.iterdir()] == ["learned-1"]
    assert without_time(tmp_path / "learned-1") == without_time(made[0] / "learned-1")
    assert capsys.readouterr().out == ""


def test_an_unknown_training_is_refused(store, tmp_path):
    with pytest.raises(InputError, match=r"--only learned-2: .* fixed-0, learned-0, fixed-1"):
        ablate(store, tmp_path, small_config(), runs=2, only="learned-2")


def test_trials_without_figures_are_refused(store, tmp_path):
    config = small_config("trials=[calibration]", "epochs=1")  # which is empty
    with pytest.raises(InputError, match="give no figures"):
        ablate(store, tmp_path, config, runs=1, last=1, **ON_CPU)
    assert json.loads((tmp_path / "fixed-0" / "metrics.jsonl").read_text())["pooled"] == {}
