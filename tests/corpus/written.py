"""A small corpus with known authors and topics, for tests that need one on disk."""

import json
import random
from pathlib import Path

AUTHORS = [f"author{number}" for number in range(12)]
TOPICS = [f"topic{number}" for number in range(8)]
MANNERS = ["so, well;", "and — yes!", "but... no?", "(of course)", "don't you see:", "I'd say"]


def texts(seed: int = 0) -> list[tuple[str, str, str]]:
    """Author, topic and text of 96 documents; no two of them alike."""
    rng = random.Random(seed)
    written = []
    for number, author in enumerate(AUTHORS):
        for turn in range(8):
            topic = TOPICS[(number + turn * turn) % len(TOPICS)]
            words = [f"{topic}word{rng.randrange(9)}" for _ in range(rng.randrange(10, 40))]
            words += [rng.choice(MANNERS[number % 6 :]) for _ in range(10)] + [f"end{len(written)}"]
            rng.shuffle(words)
            written.append((author, topic, " ".join(words)))
    return written


def write_folders(root: Path, documents: list[tuple[str, str, str]]) -> Path:
    for number, (author, topic, text) in enumerate(documents):
        folder = root / author / topic
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text(text, "utf-8")
    return root


def write_jsonl(path: Path, records: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def write_table(path: Path, documents: list[tuple[str, str, str]]) -> Path:
    names = ("author", "topic", "text")
    return write_jsonl(path, [dict(zip(names, row, strict=True)) for row in documents])


def write_pan(folder: Path, pairs: list[tuple[str, str, bool]]) -> Path:
    write_jsonl(
        folder / "pairs.jsonl",
        [{"id": f"t{i}", "pair": [a, b]} for i, (a, b, _) in enumerate(pairs)],
    )
    write_jsonl(
        folder / "truth.jsonl", [{"id": f"t{i}", "same": s} for i, (*_, s) in enumerate(pairs)]
    )
    return folder
