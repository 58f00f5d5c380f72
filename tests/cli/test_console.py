"""How far along a long job is: a bar on a terminal, and elsewhere a line now and then."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from samehand.cli import console
from samehand.cli.console import progress
from samehand.cli.main import main
from tests.casework.written import Writer, trials, write
from tests.corpus.written import texts, write_table
from tests.models import ESSAYS

REPEATS = 40
"""Of a corpus that takes long enough to read."""
LINE = re.compile(
    r"(?P<doing>[a-z][\w\d: -]*?)(: (?P<done>[\d,]+)( of (?P<total>[\d,]+))?)?(, .+)? "
    r"\(\d+:\d\d:\d\d(, about (\d+ days?, )?\d+:\d\d:\d\d left)?\)"
)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "EVERY", 0.001)


def wait_for(shown: Callable[[], str], wanted: str) -> str:
    """Everything shown until `wanted` came."""
    seen = ""
    while wanted not in seen:
        time.sleep(0.001)
        seen += shown()
    return seen


def test_a_line_tells_what_is_done_and_how_long_the_rest_will_take(
    often: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(console, "monotonic", lambda: clock[0])

    def shown() -> str:
        return capsys.readouterr().err

    with progress() as watch:
        time.sleep(0.01)
        assert shown() == ""
        watch("finding topics")
        assert wait_for(shown, "(").startswith("finding topics (0:00:00)\n")
        watch("reading posts", 7)
        wait_for(shown, "reading posts: 7 (0:00:00)\n")
        watch("embedding documents", 0, 12_000)
        clock[0] += 60
        watch("embedding documents", 1_500, 12_000)
        wait_for(shown, "embedding documents: 1,500 of 12,000 (0:01:00, about 0:07:00 left)\n")
        watch("embedding documents", 12_010, 12_000, "one more than was counted")
        wait_for(shown, "12,010 of 12,010, one more than was counted (0:01:00, about 0:00:00 left)")
        watch("training steps", 900, 1_000)  # goes on
        clock[0] += 10
        watch("training steps", 950, 1_000)
        wait_for(shown, "training steps: 950 of 1,000 (0:00:10, about 0:00:10 left)\n")
    assert capsys.readouterr().out == ""
    shown()
    time.sleep(0.01)
    assert shown() == ""


def test_on_a_terminal_there_is_a_bar_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    with progress() as watch:
        watch("embedding documents", 1, 4)
        shown = wait_for(lambda: capsys.readouterr().err, "embedding documents: 1 of 4 (0:00:0")
        assert "━" in shown
    assert capsys.readouterr().err.endswith("\x1b[2K")  # the line is erased


def lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *command: object
) -> list[str]:
    """Lines a command tells while at work, one after another without repeats."""
    monkeypatch.setattr("sys.argv", ["samehand", *map(str, command)])
    with pytest.raises(SystemExit) as raised:
        main()
    said = capsys.readouterr()
    assert raised.value.code in (0, None), said.err
    return said.err.splitlines()


@pytest.fixture
def commands(model: Path, genres_model: Path, tmp_path: Path) -> dict[str, tuple[object, ...]]:
    pairs, truth = write(tmp_path / "trials", trials(20, 20))
    corpus = write_table(tmp_path / "corpus.jsonl", texts())
    long = write_table(tmp_path / "long.jsonl", REPEATS * texts())
    others = tmp_path / "others"
    for number in range(12):
        (others / str(number)).mkdir(parents=True)
        (others / str(number) / "1.txt").write_text(Writer(number).text(20))
    return {
        "answer": ("-i", pairs.parent, "-o", tmp_path / "answers", "-m", model),
        "embed": (corpus, "-o", tmp_path / "levs.jsonl", "-m", model),
        "adapt": (genres_model, others, "-o", tmp_path / "adapted"),
        "validate": (model, pairs, truth),
        "prepare": (long, "-o", tmp_path / "store"),
        "verify": ("--each", others, others, "-m", model),
    }


@pytest.mark.parametrize(
    ("command", "doing", "total"),
    [
        ("answer", "answering trials", 40),
        ("embed", "embedding documents", len(texts())),
        ("adapt", "embedding texts", 12),
        ("validate", "answering trials", 40),
        ("prepare", "reading long", REPEATS * len(texts())),
        ("verify", "comparing writers", 12),
    ],
)
def test_long_work_says_how_far_it_is(
    often: None, commands: dict[str, tuple[object, ...]], command: str, doing: str, total: int,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    told = [
        LINE.fullmatch(line) for line in lines(capsys, monkeypatch, command, *commands[command])
    ]
    assert told
    assert all(told)
    totals = {match["doing"]: match["total"] for match in told if match}
    assert totals[doing] == f"{total:,}"


def test_a_fault_is_still_one_sentence(
    often: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{"author": "a", "text": essay} for essay in (ESSAYS / "anna-1.txt").read_text().split()]
    file = tmp_path / "c.jsonl"
    file.write_text("\n".join(map(json.dumps, [*rows, "not an object"])))
    monkeypatch.setattr(
        "sys.argv", ["samehand", "embed", str(file), "-o", str(tmp_path / "l.jsonl")]
    )
    with pytest.raises(SystemExit) as raised:
        main()
    assert raised.value.code == 2
    *told, last = capsys.readouterr().err.splitlines()
    assert all(LINE.fullmatch(line) for line in told)
    assert last.startswith(f"samehand: {file}, line ")
