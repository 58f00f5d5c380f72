"""An index made by Ray is the one that is made without, whatever happens to its workers.

These start a real Ray cluster of two worker processes on this machine, which takes some seconds.
"""

import json
import os
import signal
from pathlib import Path

import pytest

from samehand.corpus.readers import Columns
from samehand.index import Added, Entry, Index
from samehand.index.ray_job import Done, EmbedSlice, Job
from samehand.index.slices import slices
from samehand.verifier import Verifier
from tests.cli.console import complaint
from tests.index.documents import documents, line, write_jsonl

pytest.importorskip("ray")
COLUMNS = Columns(id="post")
PARTS = 8


def corpus_in(folder: Path, entries: list[Entry]) -> Path:
    """A folder of several files, each of which is a slice."""
    folder.mkdir()
    for part in range(PARTS):
        write_jsonl(folder / f"part-{part}.jsonl", entries[part::PARTS])
    return folder


def rows(index: Index) -> dict[str, tuple[object, ...]]:
    columns = ["id", "author", "topic", "tokens", "digest", "vector"]
    found = [row for batch in index.batches(columns) for row in batch.to_pylist()]
    ids = {row["id"]: tuple(map(str, row.values())) for row in found}
    assert len(ids) == len(found)  # nothing is there twice
    return ids


def workers() -> list[int]:
    """Processes of actors that embed."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"EmbedSlice" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_a_killed_worker_loses_and_doubles_nothing(
    tmp_path: Path, genres_model: Path, by_genres: Verifier
) -> None:
    entries = documents()
    corpus = corpus_in(tmp_path / "posts", entries)
    killed: list[int] = []

    def kill_one(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        if done and not killed:
            assert 0 < done < len(entries) == total
            killed.extend(workers()[:1])
            os.kill(killed[0], signal.SIGKILL)

    index = Index.at(tmp_path / "by ray", by_genres)
    added = index.add_by_ray([corpus], COLUMNS, model=genres_model, workers=2, progress=kill_one)
    assert killed
    assert added == Added(len(entries), 0, 0)
    plain = Index.build(tmp_path / "plain", entries, by_genres)
    assert rows(index) == rows(plain)
    assert index.authors == plain.authors == 12


def test_a_worker_embeds_what_is_new_and_refuses_another_text(
    tmp_path: Path, genres_model: Path, by_genres: Verifier
) -> None:
    """As Ray calls it, without Ray: what it writes is not part of the index until it is told."""
    entries = documents()
    index = Index.build(tmp_path / "index", entries[:20], by_genres)
    short = Entry("short", "Too short.", "writer 1", "essays")
    corpus = write_jsonl(tmp_path / "posts.jsonl", [*entries, short])
    embed = EmbedSlice(
        Job(str(tmp_path / "index" / "documents.lance"), str(genres_model), columns=COLUMNS)
    )
    for _ in range(2):  # as if what was done first had been lost
        done = embedded(embed, corpus)
        assert done.ids == [entry.id for entry in entries[20:]]
        assert (done.present, done.too_short, done.faults, done.refusal) == (20, 1, [], "")
        assert done.fragments
        assert len(index) == 20
    changed = [Entry(entries[0].id, entries[1].text, "writer 0", "essays")]
    assert "with another text" in embedded(embed, write_jsonl(corpus, changed)).refusal
    corpus.write_text(line(short) + "oops\n")
    (fault,) = embedded(embed, corpus).faults
    assert "posts.jsonl, line 2" in fault


def embedded(embed: EmbedSlice, corpus: Path) -> Done:
    (part,) = slices([corpus], COLUMNS)
    return Done(**json.loads(embed({"slice": json.dumps(part._asdict())})["done"]))


def test_what_cannot_be_is_refused(tmp_path: Path, genres_model: Path) -> None:
    corpus = write_jsonl(tmp_path / "posts.jsonl", documents()[:2])
    options = ("-o", tmp_path / "index", "-m", genres_model)
    said = complaint("index", corpus, *options, "--ray", "127.0.0.1:1")
    assert "no Ray cluster at 127.0.0.1:1" in said
    assert "--ray local" in complaint("index", corpus, *options, "--workers", 2)
