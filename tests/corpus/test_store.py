"""Stores that are not there, not finished, or damaged, are not opened."""

import json
from pathlib import Path

import pytest

from samehand.corpus.store import VERSION, Store
from samehand.errors import InputError


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
    with pytest.raises(InputError, match=r"vocabulary\.json: missing or damaged"):
        _ = store.vocabulary
    assert store.trial_names == []
    assert store.vectors() is None


@pytest.mark.parametrize("content", [None, "{", "[]", '{"topics": []}'])
def test_a_store_without_the_names_of_its_authors(tmp_path: Path, content: str | None) -> None:
    store = Store(tmp_path, {})
    if content is not None:
        (tmp_path / "names.json").write_text(content)
    with pytest.raises(InputError, match=r"names\.json: missing or damaged"):
        _ = store.author_names
