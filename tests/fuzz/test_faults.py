"""Once harmful files end in a sentence now, and the fuzzer finds harmful ones."""

import random
from pathlib import Path

import pytest

from samehand.errors import InputError
from tests.fuzz import fuzz
from tests.fuzz.targets import TARGETS, Target


@pytest.mark.parametrize("name", TARGETS)
def test_what_once_did_harm_does_none(name: str) -> None:
    target = TARGETS[name]()
    kept = sorted((fuzz.FAULTS / name).glob("*"))
    for content in (*target.past, *(path.read_bytes() for path in kept)):
        assert fuzz.harm(target, content) is None


@pytest.mark.parametrize("name", TARGETS)
def test_it_begins_from_files_that_are_read(name: str) -> None:
    target = TARGETS[name]()
    for seed in target.seeds:
        target.read(seed)


def test_what_does_harm_is_found_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(content: bytes) -> None:
        if content[:1] != b"{":
            raise InputError("This is refused in a sentence.")
        if b"[[" in content:
            raise RecursionError

    monkeypatch.setattr(fuzz, "FAULTS", tmp_path)
    tried, faults = fuzz.fuzz("it", Target(read, [b"{}"]), 0.5, random.Random(0))
    assert tried > faults > 0
    assert all(b"[[" in path.read_bytes() for path in (tmp_path / "it").iterdir())
