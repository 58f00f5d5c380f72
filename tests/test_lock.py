"""The versions with hashes of a release are those of the requirements and constraints."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
NO_TOOLS = [extra for extra in EXTRAS if extra not in ("all", "dev", "bench")]
LOCKS = {"requirements.lock": ["docs", "plots", "tables", "web"], "requirements-all.lock": NO_TOOLS}
VERSION = r"(?m)^([\w.-]+)==([^\s;]+)"


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def named(requirement: str) -> str:
    return re.split(r"[\[<>=~; ]", requirement)[0].lower()


@pytest.mark.parametrize("name", LOCKS)
def test_all_that_is_asked_for_is_locked(name: str) -> None:
    asked = [*PROJECT["dependencies"], *(r for extra in LOCKS[name] for r in EXTRAS[extra])]
    locked = dict(re.findall(VERSION, text_of(name)))
    assert {named(requirement) for requirement in asked} - {"samehand"} <= locked.keys()


@pytest.mark.parametrize("name", LOCKS)
def test_each_locked_version_has_hashes_and_nothing_else(name: str) -> None:
    entries = re.split(r"(?m)^(?=[\w.-]+==)", text_of(name))
    assert not entries[0]
    assert len(entries) > 20
    for entry in entries[1:]:
        first, *hashes = entry.strip().splitlines()
        assert re.fullmatch(r"[\w.-]+==\S+(?: ; .+)? \\", first), entry
        assert hashes, entry
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?", x) for x in hashes)


@pytest.mark.parametrize("name", LOCKS)
def test_versions_are_those_of_the_constraints(name: str) -> None:
    locked, stated = (dict(re.findall(VERSION, text_of(x))) for x in (name, "constraints.txt"))
    both = locked.keys() & stated.keys()
    assert {"numpy", "numba"} <= both
    assert {name: locked[name] for name in both} == {name: stated[name] for name in both}


def test_what_trains_is_locked_too() -> None:
    assert re.search(r"(?m)^torch==", text_of("requirements-all.lock"))
