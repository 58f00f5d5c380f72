"""Trials by invented writers, each with habits of their own, and the files that hold them."""

import json
from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from samehand.cli.main import app

_COMMON = [
    "the", "a", "of", "and", "to", "in", "that", "it", "is", "was", "he", "for", "on", "are",
    "as", "with", "his", "they", "at", "be", "this", "have", "from", "or", "had", "by", "but",
    "some", "what", "there", "we", "can", "out", "other", "were", "all", "your", "when", "up",
    "use", "how", "said", "an", "each", "she",
]  # fmt: skip
_THINGS = [
    "river", "letter", "window", "garden", "train", "winter", "kitchen", "neighbour", "market",
    "bridge", "story", "money", "evening", "village", "music", "doctor", "summer", "field",
    "teacher", "road", "paper", "table", "horse", "morning", "city",
]  # fmt: skip
_MARKS = (".", "!", "...", "?", " -", ";")


class Writer:
    """Prefers some words, marks, capitals and lengths of sentences to others."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._common = self._random.dirichlet(np.full(len(_COMMON), 0.3))
        self._marks = self._random.dirichlet(np.full(len(_MARKS), 0.3))
        self._length = self._random.integers(4, 16)
        self._capitals = self._random.random() < 0.5

    def text(self, sentences: int = 12) -> str:
        return " ".join(self._sentence() for _ in range(sentences))

    def _sentence(self) -> str:
        count = self._random.poisson(self._length) + 2
        words = list(self._random.choice(_COMMON, count, p=self._common))
        for place in self._random.integers(0, count, count // 3):
            words[place] = self._random.choice(_THINGS)
        sentence = " ".join(words) + self._random.choice(_MARKS, p=self._marks)
        return sentence.capitalize() if self._capitals else sentence


Rows = list[tuple[str, tuple[str, str], bool]]


def trials(n_same: int, n_different: int, seed: int = 0) -> Rows:
    """(id, texts, same), each text in one trial only."""
    rows: Rows = []
    for number in range(n_same + n_different):
        one = Writer(1_000_000 * seed + 2 * number)
        same = number < n_same
        other = one if same else Writer(1_000_000 * seed + 2 * number + 1)
        rows.append((f"s{seed}t{number}", (one.text(), other.text()), same))
    return rows


def write(folder: Path, rows: Rows) -> tuple[Path, Path]:
    """pairs.jsonl and truth.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    pairs, truth = folder / "pairs.jsonl", folder / "truth.jsonl"
    pairs.write_text("".join(json.dumps({"id": i, "pair": t}) + "\n" for i, t, _ in rows))
    truth.write_text("".join(json.dumps({"id": i, "same": s}) + "\n" for i, _, s in rows))
    return pairs, truth


def write_pairs(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    """A folder with pairs.jsonl alone, whose trials are t0, t1, …"""
    folder.mkdir(parents=True)
    records = [{"id": f"t{place}", "pair": pair} for place, pair in enumerate(pairs)]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))
    return folder


def run(*arguments: object) -> str:
    """Output of a command in this process, which has imported everything already."""
    done = CliRunner().invoke(app, [str(a) for a in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout
