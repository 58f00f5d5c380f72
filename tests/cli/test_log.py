"""`samehand verify --log` and `samehand log check`, as an auditor uses them."""

import hashlib
import json
from pathlib import Path

from samehand import __version__
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS

ANNA, BRUNO = ESSAYS / "anna-1.txt", ESSAYS / "bruno-1.txt"


def digest_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_each_verdict_leaves_a_line_that_can_be_checked(model: Path, tmp_path: Path) -> None:
    log, report = tmp_path / "log.jsonl", tmp_path / "report.html"
    command = ("verify", ANNA, BRUNO, "--model", model, "--json")
    plain = samehand(*command).stdout
    assert samehand(*command, "--log", log).stdout == plain
    samehand(*command, "--log", log, "--report", report, "--prior", "1:9")
    first, second = map(json.loads, log.read_text("utf-8").splitlines())
    said = json.loads(plain)
    assert {name: first[name] for name in said} == said
    assert first["questioned"]["file_sha256"] == digest_of(ANNA)
    assert first["samehand"] == __version__
    assert first["time"] <= second["time"]
    assert first["report_sha256"] is None
    assert second["report_sha256"] == digest_of(report)
    assert second["prior"] == 1 / 9
    assert not any(line in log.read_text("utf-8") for line in ANNA.read_text("utf-8").split("\n\n"))
    told = samehand("log", "check", log).stdout
    assert told.startswith("2 lines, which are as written; the last has the SHA-256 ")
    last = told.split()[-1].rstrip(".")
    assert json.loads(samehand("log", "check", log, "--json").stdout)["sha256"] == last
    samehand("log", "check", log, "--sha256", last.upper())
    log.write_text(log.read_text("utf-8").replace('"prior": 1.0', '"prior": 9.0'), "utf-8")
    assert "line 2: does not follow from the line before" in complaint("log", "check", log)


def test_where_no_log_can_be_kept_nothing_is_answered(model: Path, tmp_path: Path) -> None:
    command = ("verify", ANNA, BRUNO, "--model", model, "--log")
    (tmp_path / "other.json").write_text("{}\n")
    assert "no line of a log" in complaint(*command, tmp_path / "other.json")
    assert "cannot be written there" in complaint(*command, tmp_path / "none" / "log")
    assert "is read, and would be lost" in complaint(*command, ANNA)
    same = tmp_path / "one"
    assert "would be lost" in complaint(*command, same, "--report", same)
    assert not same.exists()
