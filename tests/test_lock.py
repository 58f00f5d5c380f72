"""The versions with hashes of a release are those of the requirements and constraints."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKED = dict(re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "requirements.lock").read_text("utf-8")))


def named(requirement: str) -> str:
    return re.split(r"[\[<>=~; ]", requirement)[0].lower()


def test_all_that_a_light_installation_asks_for_is_locked() -> None:
    extras = PROJECT["optional-dependencies"]
    asked = [
        *PROJECT["dependencies"],
        *(r for e in ("docs", "plots", "tables", "web") for r in extras[e]),
    ]
    assert {named(requirement) for requirement in asked} <= LOCKED.keys()


def test_each_locked_version_has_hashes_and_nothing_else() -> None:
    text = (ROOT / "requirements.lock").read_text("utf-8")
    entries = re.split(r"(?m)^(?=[\w.-]+==)", text)[1:]
    assert len(entries) == len(LOCKED)
    for entry in entries:
        lines = entry.strip().splitlines()
        assert len(lines) > 1, entry
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", x) for x in lines[1:])


def test_versions_are_those_of_the_constraints() -> None:
    stated = dict(
        re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "constraints.txt").read_text("utf-8"))
    )
    both = LOCKED.keys() & stated.keys()
    assert {"numpy", "numba"} <= both
    assert {name: LOCKED[name] for name in both} == {name: stated[name] for name in both}
