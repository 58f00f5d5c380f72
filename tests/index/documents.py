"""Documents cut out of essays, for indexes."""

import json
from pathlib import Path

from samehand.index import Entry
from tests.models import essay

_WORDS = 60


def pieces() -> list[str]:
    """Texts of sixty words."""
    names = ("anna-1", "anna-2", "bruno-1", "bruno-2")
    words = [word for name in names for word in essay(name).split()]
    ends = range(_WORDS, len(words) + 1, _WORDS)
    return [" ".join(words[end - _WORDS : end]) for end in ends]


def documents(authors: int = 12) -> list[Entry]:
    """A document of each, by so many invented authors in turn."""
    return [
        Entry(f"post {number}", text, f"writer {number % authors}", "essays")
        for number, text in enumerate(pieces())
    ]


def write_jsonl(path: Path, entries: list[Entry]) -> Path:
    """A corpus with ids."""
    path.write_text("".join(map(line, entries)), "utf-8")
    return path


def line(entry: Entry) -> str:
    """A document as a line of JSON."""
    fields = {"author": entry.author, "topic": entry.topic, "text": entry.text, "post": entry.id}
    return json.dumps(fields) + "\n"
