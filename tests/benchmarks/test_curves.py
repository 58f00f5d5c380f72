"""Curves by length, kind of trial and number of authors show what `answer` and `evaluate` give."""

import csv
import itertools
from pathlib import Path

import curves
import numpy as np
import pytest

from samehand.assessment import Assessment
from samehand.corpus.readers import Trial
from samehand.evaluation import score
from samehand.model.description import About, Counts, Data
from samehand.verdict import probability_of
from samehand.verifier import Verifier
from tests.models import ESSAYS, save_model

PIECES = {
    f"{path.stem} {half}": path.read_text("utf-8").split()[340 * half :][:340]
    for path in sorted(ESSAYS.glob("*.txt"))
    for half in (0, 1)
}


def text(name: str, words: int) -> str:
    return " ".join((2 * PIECES[name])[:words])


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    """Halves of essays; a third of the trials has a shorter text, half of them two fandoms."""
    lengths, made = itertools.cycle((600, 300, 600)), []
    for number, (one, other) in enumerate(itertools.combinations(PIECES, 2)):
        same = one.split("-")[0] == other.split("-")[0]
        topics = ("a", "a" if number % 2 else "b")
        texts = (text(one, 600), text(other, next(lengths)))
        made.append(Trial(str(number), texts[:1], texts[1], topics, same))
    return made


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two systems that learned from half of 800 authors, and one of all of them."""
    folders = []
    for number, share in enumerate((0.5, 0.5, 1.0)):
        about = About(
            data=Data(parts={"train": Counts(authors=800)}),
            training={"settings": {"authors_used": share}},
        )
        folder = tmp_path_factory.mktemp(f"run-{number}")
        save_model(folder / "model", about=about, networks=1 + number % 2)
        folders.append(folder)
    return folders


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "FEWEST", 2)


def by_verify(run: Path, trials: list[Trial]) -> np.ndarray:
    verifier = Verifier.load(run / "model")
    found: list[Assessment] = list(verifier.score((t.questioned, t.known) for t in trials))
    return np.array([probability_of(each.log10_lr) for each in found])


@pytest.mark.usefixtures("_few")
def test_rows_are_what_the_models_answer(trials: list[Trial], runs: list[Path]) -> None:
    opened = [curves.open_run(run, None) for run in runs]
    assert [run.authors for run in opened] == [400, 400, 800]
    half, all_of_them = curves.by_authors(trials, opened)
    assert (half["curve"], half["at"], all_of_them["at"]) == ("2 runs", 400, 800)
    same = [trial.same for trial in trials]
    measured = [score(same, by_verify(run, trials)) for run in runs]
    for name in curves.MEASURES:
        assert all_of_them[name] == pytest.approx(measured[2][name])
        values = [measured[0][name], measured[1][name]]
        assert half[name] == pytest.approx(np.mean(values))
        assert half[f"{name}_deviation"] == pytest.approx(np.std(values))


@pytest.mark.usefixtures("_few")
def test_texts_are_cropped_and_the_same_trials_compared(
    trials: list[Trial], runs: list[Path]
) -> None:
    seen = {}

    def answer(some: list[Trial]) -> list[np.ndarray]:
        (n,) = {len(side.split()) for trial in some for side in (trial.questioned, *trial.known)}
        seen[n] = [trial.id for trial in some]
        return [by_verify(runs[0], some)]

    rows = curves.by_length(trials, answer)
    assert list(seen) == [250, 500]
    assert seen[250] == [trial.id for trial in trials]
    assert set(seen[500]) < set(seen[250])
    counted = {(row["curve"], row["at"]): row["trials"] for row in rows}
    few, many = len(seen[500]), len(trials)
    assert counted == {
        ("that long", 250): many,
        ("that long", 500): few,
        ("the same trials", 250): few,
        ("the same trials", 500): few,
    }


@pytest.mark.usefixtures("_few")
def test_kinds_of_trials_are_named_as_in_the_paper(trials: list[Trial], runs: list[Path]) -> None:
    rows = {r["at"]: r for r in curves.by_kind(trials, lambda some: [by_verify(runs[0], some)])}
    kinds = {"SA_SF", "SA_DF", "DA_SF", "DA_DF"}
    assert rows.keys() == {"all"} | kinds | {
        f"{one} {other}" for one in ("SA_SF", "SA_DF") for other in ("DA_SF", "DA_DF")
    }
    assert sum(rows[name]["trials"] for name in kinds) == rows["all"]["trials"] == len(trials)
    for name in kinds:
        assert rows[name]["same"] == (rows[name]["trials"] if name[0] == "S" else 0)
        assert np.isnan(rows[name]["auc"])
    both = rows["SA_DF DA_SF"]
    assert both["trials"] == rows["SA_DF"]["trials"] + rows["DA_SF"]["trials"]
    assert 0 <= both["auc"] <= 1


@pytest.mark.usefixtures("_few")
def test_all_of_it_is_written(trials: list[Trial], runs: list[Path], tmp_path: Path) -> None:
    curves.curves(trials, [curves.open_run(run, "dml") for run in runs], tmp_path / "out")
    for name, n in (("lengths", 4), ("kinds", 9), ("authors", 2)):
        with (tmp_path / "out" / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == n
        assert all(tuple(row) == curves.COLUMNS for row in rows)
        assert {row["auc"] for row in rows if row["curve"] == "one kind"} <= {""}
    assert (tmp_path / "out" / "curves.png").read_bytes().startswith(b"\x89PNG")
