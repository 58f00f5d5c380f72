"""Stores that are not there, not finished, or damaged, are not opened."""

import json
from pathlib import Path

import pytest

from samehand.corpus.store import VERSION, Store, read_vocabulary, write_vocabulary
from samehand.errors import InputError
from samehand.text.vocabulary import SPECIAL, Vocabulary


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "no finished store is here"),
        ("{", "not readable as JSON"),
        ("[]", "another version"),
        ('{"version": 0}', "another version"),
    ],
)
def test_what_is_no_store(tmp_path: Path, content: str | None, fault: str) -> None:
    if content is not None:
        (tmp_path / "store.json").write_text(content)
    with pytest.raises(InputError, match=fault):
        Store.open(tmp_path)


def test_a_store_without_its_arrays(tmp_path: Path) -> None:
    (tmp_path / "store.json").write_text(json.dumps({"version": VERSION}))
    store = Store.open(tmp_path)
    with pytest.raises(InputError, match=r"tokens\.npy: missing or damaged"):
        store.array("tokens")
    (tmp_path / "tokens.npy").write_bytes(b"\x93NUMPY nonsense")
    with pytest.raises(InputError, match=r"tokens\.npy: missing or damaged"):
        store.array("tokens")
    assert store.trial_names == []
    assert store.vectors() is None


def test_a_vocabulary_comes_back_whatever_is_in_it(tmp_path: Path) -> None:
    vocabulary = Vocabulary((*SPECIAL, "naïve", "\ud800", '"'), (*SPECIAL, "\ud83d", "é", "\\"))
    write_vocabulary(tmp_path / "v.json", vocabulary)
    assert read_vocabulary(tmp_path / "v.json") == vocabulary


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        "{}",
        '{"words": 3, "characters": []}',
        json.dumps({"words": SPECIAL, "characters": [*SPECIAL, "ab"]}),
        json.dumps({"words": ["the"], "characters": SPECIAL}),
        json.dumps({"words": [*SPECIAL, 3], "characters": SPECIAL}),
    ],
)
def test_a_vocabulary_that_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "v.json").write_text(content)
    with pytest.raises(InputError, match=r"v\.json"):
        read_vocabulary(tmp_path / "v.json")
