"""Readers of strangers' files, with good files to begin from and past ones that did harm."""

import atexit
import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from samehand.corpus.readers import read_corpus, read_trials
from samehand.errors import InputError
from samehand.evaluation.answers import read_truth
from samehand.reading import Unreadable, read_content
from samehand.reading.html import html_text
from samehand.reading.markdown import markdown_text
from samehand.reading.word import docx_text
from samehand.report.case_file import read_case_file
from samehand.training.config import TrainingConfig
from samehand.verifier import Verifier
from tests.models import save_genres_model
from tests.reading.files import docx, typeset

EXPECTED = (InputError, Unreadable)
"""How reading a bad file may end: in a sentence."""

PROSE = "It rained all night.\n\nNobody minded – the roof is “new”, said Zoë."
PAGE = f"<html><head><title>no</title></head><p>{PROSE}</p><ul><li>a<li hidden>b</ul>&#233;<br>"
NOTES = f"---\na: b\n---\n# {PROSE}\n\n- a *b* [c](d)\n\n```\nno\n```\n> e\n\n| a |\n|---|\n| b |\n"


class Target(NamedTuple):
    """Something that reads bytes."""

    read: Callable[[bytes], object]
    seeds: Sequence[bytes]
    past: Sequence[bytes] = ()
    """Once harmful files."""


def _folder() -> Path:
    """A new one, which goes when the program ends."""
    folder = tempfile.mkdtemp(prefix="fuzz-")
    atexit.register(shutil.rmtree, folder)
    return Path(folder)


def _file(name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    """A reader of files as one of bytes."""
    place = _folder() / name

    def run(content: bytes) -> object:
        place.write_bytes(content)
        return read(place)

    return run


def _word(content: bytes) -> str:
    """Bytes as the body of a Word file: what packs them is not ours to read."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("word/document.xml", content)
    return docx_text(file.getvalue())


def _body(content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return packed.read("word/document.xml")


def _table(**columns: Sequence[object]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def _of_model(name: str) -> Target:
    """A file of a model, whose digest is forged to be right."""
    folder = save_genres_model(_folder())
    place, description = min(folder.rglob(name)), folder / "model.json"
    good = place.read_bytes()

    def read(content: bytes) -> Verifier:
        place.write_bytes(content)
        if place != description:
            described = json.loads(description.read_text("utf-8"))
            stated = place.relative_to(folder).as_posix()
            described["files"][stated] = hashlib.sha256(content).hexdigest()
            description.write_text(json.dumps(described), "utf-8")
        return Verifier.load(folder)

    return Target(read, [good], [DEEP, b"{" + b'"a":' * 100_000])


def _rows(read: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda path: list(read(path))  # type: ignore[call-overload]


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


PAIR = json.dumps({"id": "1", "pair": [PROSE, PROSE], "fandoms": ["a", "b"]}).encode()
ROW = json.dumps({"author": "ann", "topic": "rain", "text": PROSE}).encode()
TRUTH = b'{"id": "1", "same": true, "authors": ["a", "a"]}\n'
TABLE = b'author,topic,text\nann,rain,"It rained, all\nnight."\n'
CONFIG = b"epochs: 3\nnetwork:\n  lev_size: 50\nlengths: {vary: true}\n"
DEEP = b"[" * 100_000
NUMBER = b"<p>&#" + b"9" * 5_000 + b";"

TARGETS: dict[str, Callable[[], Target]] = {
    "html": lambda: Target(lambda content: html_text(_text(content)), [PAGE.encode()], [NUMBER]),
    "markdown": lambda: Target(
        lambda content: markdown_text(_text(content)), [NOTES.encode()], [b"> " * 500, NUMBER]
    ),
    "word": lambda: Target(_word, [_body(docx(PROSE, table=[["a", "b"]], last="c"))]),
    "pdf": lambda: Target(
        lambda content: read_content(content, "it", "it.pdf").text, [typeset([PROSE] * 3)]
    ),
    "text": lambda: Target(
        lambda content: read_content(content, "it", "it.txt").text,
        [PROSE.encode(), PROSE.encode("utf-16")],
    ),
    "jsonl": lambda: Target(
        _file("it.jsonl", _rows(read_corpus)), [ROW], [DEEP, b"9" * 5_000, b'{"a\\nb": 1}']
    ),
    "csv": lambda: Target(_file("it.csv", _rows(read_corpus)), [TABLE]),
    "parquet": lambda: Target(
        _file("it.parquet", _rows(read_corpus)),
        [_table(author=["ann"], topic=["rain"], text=[PROSE])],
        [_table(author=["a"], topic=["b"], text=["c"], zz=["d"]).replace(b"zz", b"\xe9\xff")],
    ),
    "pairs": lambda: Target(_file("pairs.jsonl", _rows(read_trials)), [PAIR], [DEEP]),
    "truth": lambda: Target(
        _file("truth.jsonl", read_truth), [TRUTH, b"EN001 Y\nEN002 N\n"], [DEEP]
    ),
    "case": lambda: Target(
        _file("case.yaml", read_case_file), [b"number: 7\nitems: {a: b}\n"], [DEEP]
    ),
    "config": lambda: Target(
        _file("it.yaml", partial(TrainingConfig.read, "paper")), [CONFIG], [DEEP, b"[" * 5_000]
    ),
    "model": lambda: _of_model("model.json"),
    "vocabulary": lambda: _of_model("vocabulary.json"),
    "weights": lambda: _of_model("weights.safetensors"),
    "evidence": lambda: _of_model("evidence.safetensors"),
}
