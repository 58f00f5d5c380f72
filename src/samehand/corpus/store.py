"""The encoded corpus on disk: arrays that are memory-mapped, and JSON. Training reads nothing else.

Only numpy is needed to read it. A store is a folder:

    store.json            what it was made from, counts, parts; written last
    vocabulary.json       words and characters by number
    tokens.npy            the type of every token, documents one after another
    type_word.npy         word number of each type
    type_characters.npy   character numbers of each type (types, 15)
    document_ends.npy     where each document's tokens end
    author.npy topic.npy source.npy part.npy    of each document
    names.json            authors, topics and sources by number
    types.txt             the types themselves, a line each
    trials/NAME.npy       sets of trials (first document, second document, same author, same topic)
    vectors.npy           initial word vectors, if any were given
    test-trials/          the test part's trials with their texts: pairs.jsonl, truth.jsonl
    pair-counts.png       how often the same pair is drawn in ten epochs
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import Pairs
from samehand.errors import InputError
from samehand.text.layout import BLANK_LINE, LINE_END
from samehand.text.vocabulary import Vocabulary, read_vocabulary

VERSION = 2
_FILES = ("store.json", "vocabulary.json", "names.json", "types.txt", "pair-counts.png")
_FOLDERS = ("trials", "test-trials")
PARTS = ("train", "calibration", "test", "trials")


@dataclass(frozen=True)
class Store:
    """An encoded corpus, opened for reading."""

    folder: Path
    about: dict[str, Any]

    @classmethod
    def open(cls, folder: Path) -> "Store":
        """Open a finished store."""
        try:
            about = json.loads((folder / "store.json").read_text("utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            raise InputError(
                f"{folder}: no finished store is here; make one with `samehand prepare`"
            ) from None
        except ValueError:
            raise InputError(
                f"{folder / 'store.json'}: not readable as JSON; prepare the store again"
            ) from None
        if not isinstance(about, dict) or about.get("version") != VERSION:
            raise InputError(
                f"{folder}: made by another version of samehand; prepare the store again"
            )
        return cls(folder, about)

    def array(self, name: str) -> NDArray[Any]:
        """One of the arrays, memory-mapped."""
        path = self.folder / f"{name}.npy"
        try:
            array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError):
            raise InputError(f"{path}: missing or damaged; prepare the store again") from None
        return array

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words and characters by number."""
        path = self.folder / "vocabulary.json"
        try:
            content = path.read_bytes()
        except OSError:
            raise InputError(f"{path}: missing or damaged; prepare the store again") from None
        return read_vocabulary(content, path)

    @cached_property
    def types(self) -> list[str]:
        """The types of tokens by number."""
        path = self.folder / "types.txt"
        try:
            return path.read_text("utf-8", "surrogatepass").split("\n")
        except (OSError, ValueError):
            raise InputError(f"{path}: missing or damaged; prepare the store again") from None

    @cached_property
    def author_names(self) -> list[str]:
        """The names of the authors by number."""
        path = self.folder / "names.json"
        try:
            names: list[str] = json.loads(path.read_text("utf-8"))["authors"]
        except (OSError, ValueError, KeyError, TypeError):
            raise InputError(f"{path}: missing or damaged; prepare the store again") from None
        return names

    def documents(self, part: str) -> NDArray[np.int64]:
        """Indices of the documents of one part."""
        return np.flatnonzero(self.array("part") == PARTS.index(part))

    @property
    def trial_names(self) -> list[str]:
        """The sets of trials kept in the store."""
        return sorted(path.stem for path in (self.folder / "trials").glob("*.npy"))

    @cached_property
    def line_ends(self) -> NDArray[np.int64]:
        """The types that stand for line ends and blank lines."""
        known = self.vocabulary.words
        words = [known.index(name) for name in (LINE_END, BLANK_LINE) if name in known]
        return np.flatnonzero(np.isin(self.array("type_word"), words))

    def trials(self, name: str) -> Pairs:
        """One set of trials."""
        first, second, same_author, same_topic = self.array(f"trials/{name}")
        return Pairs(first, second, same_author.astype(np.bool_), same_topic.astype(np.bool_))

    def vectors(self) -> NDArray[np.float32] | None:
        """Initial word vectors, if the store was given any."""
        return self.array("vectors") if (self.folder / "vectors.npy").exists() else None


def is_of_store(name: str) -> bool:
    """Whether a store has something of that name."""
    return name in (*_FILES, *_FOLDERS) or name.endswith(".npy")


def write_pairs(folder: Path, name: str, pairs: Pairs) -> None:
    """Keep a set of trials, by the numbers of their documents, in a store that is being made."""
    (folder / "trials").mkdir(exist_ok=True)
    rows = np.stack([pairs.first, pairs.second, pairs.same_author, pairs.same_topic])
    np.save(folder / "trials" / f"{name}.npy", rows.astype(np.int32))
