"""Corpora with planted styles: authors differ in their habits, topics in their content words."""

import json
from pathlib import Path

import numpy as np

from samehand.corpus.pairs import Deltas, Pairs
from samehand.corpus.prepare import Preparation, prepare
from samehand.corpus.store import Store, write_pairs

HABITS = (
    ("however", "but", "yet", "though"),
    ("on", "upon", "onto", "over"),
    ("perhaps", "maybe", "possibly", "likely"),
    (".", "!", ";", "…"),
    ("very", "quite", "rather", "really"),
    ("also", "too", "besides", "moreover"),
)
"""Ways to say the same, of which an author nearly always takes one."""
FAITHFUL = 0.95


def write_corpus(
    path: Path, authors: int, documents: int, tokens: int, *, styled: bool, seed: int
) -> Path:
    """`authors` with `documents` each, on 8 topics. Without style, all write alike."""
    rng = np.random.default_rng(seed)
    favourite = rng.integers(4, size=(authors, len(HABITS)))
    with path.open("w", encoding="utf-8") as file:
        for author in range(authors):
            for number in range(documents):
                topic = (author + number // 2) % 8
                text = _text(favourite[author] if styled else None, topic, tokens, rng)
                name = f"{path.stem} {author}"
                file.write(json.dumps({"author": name, "topic": f"t{topic}", "text": text}) + "\n")
    return path


def _text(favourite: np.ndarray | None, topic: int, tokens: int, rng: np.random.Generator) -> str:
    """A token in four is about the topic, the others tell the author."""
    habit = rng.integers(len(HABITS), size=tokens)
    way = rng.integers(4, size=tokens)
    if favourite is not None:
        way = np.where(rng.random(tokens) < FAITHFUL, favourite[habit], way)
    content = rng.integers(12, size=tokens)
    about = rng.random(tokens) < 0.25
    return " ".join(
        f"word{topic}x{c}" if a else HABITS[h][w]
        for a, c, h, w in zip(about, content, habit, way, strict=True)
    )


def make_store(
    folder: Path,
    *,
    authors: int = 60,
    unseen: int = 40,
    documents: int = 6,
    tokens: int = 40,
    styled: bool = True,
    seed: int = 0,
) -> Store:
    """A store to train on, whose set `test` holds trials of other authors."""
    folder.mkdir(parents=True, exist_ok=True)
    seen, other = (
        write_corpus(folder / f"{name}.jsonl", n, documents, tokens, styled=styled, seed=s)
        for name, n, s in (("seen", authors, 2 * seed), ("unseen", unseen, 2 * seed + 1))
    )
    deltas = Deltas(same_author=0.4)
    plan = Preparation(
        [seen], test=[other], topics="labels", n_words=200, deltas=deltas, workers=1, seed=seed
    )
    store = prepare(plan, folder / "store")
    write_pairs(store.folder, "test", _one_to_one(store.trials("test")))
    return store


def _one_to_one(trials: Pairs) -> Pairs:
    """As many trials by one author as by two."""
    n = min(trials.same_author.sum(), (~trials.same_author).sum())
    keep = np.zeros(len(trials), bool)
    for kind in (True, False):
        keep[np.flatnonzero(trials.same_author == kind)[:n]] = True
    return trials.where(keep)
