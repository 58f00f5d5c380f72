"""Read, split, count, encode: from corpora on disk to a store that training can open."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand import __version__
from samehand.corpus.encode import Encoder
from samehand.corpus.gathering import Gathered, Progress
from samehand.corpus.numbering import write_tokens
from samehand.corpus.pairs import SUBSETS, Deltas, Pairs, sample_epoch
from samehand.corpus.readers import Columns
from samehand.corpus.split import CALIBRATION, DROPPED, TEST, TRAIN, check_disjoint_authors, split
from samehand.corpus.store import PARTS, VERSION, Store, write_trials
from samehand.corpus.topics import cluster_topics, topics_are_informative
from samehand.corpus.trials import sample_trials
from samehand.corpus.trials import write_trials as write_pan_trials
from samehand.errors import InputError
from samehand.text.vectors import read_vectors

TRIALS = PARTS.index("trials")


@dataclass(frozen=True)
class Preparation:
    """What to prepare, and how."""

    corpora: Sequence[Path]
    dev: Sequence[Path] = ()
    """For corpora that come split already: the calibration part …"""
    test: Sequence[Path] = ()
    """… and the test part."""
    trials: Sequence[Path] = ()
    """Folders of trials in PAN format, to be scored during training; each is named by its folder."""
    columns: Columns = field(default_factory=Columns)
    format: str | None = None
    shares: tuple[float, float, float] = (0.75, 0.125, 0.125)
    disjoint_topics: bool = True
    topics: str = "auto"
    """`labels`: as given; `text`: clusters of content words; `auto`: clusters where the labels say nothing."""
    n_topics: int = 200
    n_words: int = 5_000
    n_characters: int = 300
    subsets: frozenset[str] = frozenset(SUBSETS)
    """The kinds of test trials to keep."""
    deltas: Deltas = field(default_factory=Deltas)
    vectors: Path | None = None
    seed: int = 0
    workers: int | None = None


def prepare(
    plan: Preparation,
    folder: Path,
    on_bad: Callable[[str], None] | None = None,
    progress: Progress = lambda what, done, total: None,
) -> Store:
    """Make a store. Nothing stands at `folder` until it is complete. `on_bad` takes faults of single records."""
    with _unfinished(folder) as made:
        documents = Gathered(made, Encoder(plan.workers))
        for paths, part in ((plan.corpora, TRAIN), (plan.dev, CALIBRATION), (plan.test, TEST)):
            documents.read(paths, part, plan.columns, plan.format, on_bad, progress)
        for trials in plan.trials:
            documents.read_trials(trials, TRIALS, progress)

        progress("finding topics", 0, None)
        clustered = _find_topics(plan, documents)
        author, topic = _numbers(documents.authors), _numbers(zip(documents.source, documents.topics, strict=True))
        progress("splitting", 0, None)
        part = _split(plan, documents, author, topic)
        kept = np.flatnonzero(part != DROPPED)

        progress("counting words", 0, None)
        vocabulary, about = write_tokens(
            made, documents.tokens(), documents.token_ends(), documents.types,
            part == TRAIN, kept, plan.n_words, plan.n_characters,
        )  # fmt: skip
        if plan.vectors:
            vectors = read_vectors(plan.vectors, vocabulary.words, plan.seed)
            np.save(made / "vectors.npy", vectors.values)
            about["vectors_found"] = vectors.found
        labels = {"author": author, "topic": topic, "source": np.array(documents.source), "part": part}
        for name, values in labels.items():
            np.save(made / f"{name}.npy", values[kept].astype(np.int8 if name == "part" else np.int32))
        progress("sampling trials", 0, None)
        _write_trials(plan, documents, labels, kept, made)
        about |= _description(plan, documents, labels, kept) | {"topics_from_text": clustered}
        _write_names(made, documents, author, topic)
        documents.discard()
        (made / "store.json").write_text(json.dumps(about, indent=1, ensure_ascii=False), "utf-8")
    return Store.open(folder)


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A hidden folder beside the wanted one, moved to its place at the end, removed on failure."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-unfinished-", dir=folder.parent))
    try:
        yield made
        made.chmod(0o755)
        if folder.exists():  # the caller meant to replace it: the old one goes only now
            shutil.rmtree(folder)
        os.rename(made, folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _numbers(names: Any) -> NDArray[np.int32]:
    """Each name's number, in order of first sight."""
    seen: dict[Any, int] = {}
    return np.fromiter((seen.setdefault(name, len(seen)) for name in names), np.int32)


def _find_topics(plan: Preparation, documents: Gathered) -> list[str]:
    """Replace labels by clusters of content words where asked for or needed; the sources where this was done."""
    source, part = np.array(documents.source), np.array(documents.part)
    clustered = []
    for number, name in enumerate(documents.source_names):
        inside = np.flatnonzero((source == number) & (part != TRIALS)).tolist()
        if not inside or plan.topics == "labels":
            continue
        authors, topics = ([column[i] for i in inside] for column in (documents.authors, documents.topics))
        if plan.topics == "text" or not topics_are_informative(authors, topics):
            found = cluster_topics(map(documents.text, inside), plan.n_topics, plan.seed)
            for document, topic in zip(inside, found, strict=True):
                documents.topics[document] = topic
            clustered.append(name)
    return clustered


def _split(
    plan: Preparation, documents: Gathered, author: NDArray[np.int32], topic: NDArray[np.int32]
) -> NDArray[np.int8]:
    part = np.array(documents.part)
    part[(np.diff(documents.token_ends()) == 0) & (part != TRIALS)] = DROPPED
    if plan.dev or plan.test:
        names = np.array(documents.authors, object)
        shared = check_disjoint_authors(*(names[part == given] for given in (TRAIN, CALIBRATION, TEST)))
        if shared:
            raise InputError(
                f"{len(shared)} authors (such as {shared[0]!r}) are in more than one of the parts given; "
                "leave each in one, or leave out --dev and --test to have the corpus split."
            )
    else:
        inside = np.flatnonzero(part == TRAIN)
        if len(np.unique(author[inside])) < 2:
            raise InputError(f"{plan.corpora[0]}: all texts are by one author; pairs need at least two.")
        part[inside] = split(author[inside], topic[inside], plan.shares, plan.seed, plan.disjoint_topics).part
    if not (part == TRAIN).any():
        raise InputError(f"{plan.corpora[0]}: no document is left to train on; give more text.")
    return part


def _write_trials(
    plan: Preparation, documents: Gathered, labels: dict[str, NDArray[Any]], kept: NDArray[np.int64], made: Path
) -> None:
    """Trials of the calibration and the test part, the latter with their text in PAN format, and the sets given."""
    place = np.zeros(len(documents.authors), np.int64)
    place[kept] = np.arange(len(kept))

    def renumbered(pairs: Pairs) -> Pairs:
        return Pairs(place[pairs.first], place[pairs.second], pairs.same_author, pairs.same_topic)

    for part, name in ((CALIBRATION, "calibration"), (TEST, "test")):
        inside = np.flatnonzero(labels["part"] == part)
        author, topic, source = (labels[label][inside] for label in ("author", "topic", "source"))
        sampled = sample_trials(author, topic, plan.deltas, plan.seed, plan.subsets, groups=source)
        pairs = Pairs(inside[sampled.first], inside[sampled.second], sampled.same_author, sampled.same_topic)
        write_trials(made, name, renumbered(pairs))
        if part == TEST:
            write_pan_trials(made / "test-trials", pairs, documents.text, documents.authors, documents.topics)
    for name, pairs in documents.trials.items():
        write_trials(made, name, renumbered(pairs))


def _description(
    plan: Preparation, documents: Gathered, labels: dict[str, NDArray[Any]], kept: NDArray[np.int64]
) -> dict[str, Any]:
    """What `store.json` says, and the table after `prepare` shows."""
    part, author, topic, source = (labels[name] for name in ("part", "author", "topic", "source"))
    lengths = np.diff(documents.token_ends())
    parts = {
        name: {
            "documents": int((inside := part == number).sum()),
            "authors": len(np.unique(author[inside])),
            "topics": len(np.unique(topic[inside])),
            "tokens": int(lengths[inside].sum()),
        }
        for number, name in enumerate(PARTS)
    }
    training = np.flatnonzero(part == TRAIN)
    epoch = sample_epoch(author[training], topic[training], plan.deltas, plan.seed, 0, source[training])
    place = 2 * epoch.same_author.astype(np.int64) + epoch.same_topic
    shares = np.bincount(place, minlength=len(SUBSETS)) / max(1, len(epoch))
    given = int((np.array(documents.part) == TRAIN).sum())
    return {
        "version": VERSION,
        "made_by": f"samehand {__version__}",
        "sources": [name for name in documents.source_names if not name.startswith("trials/")],
        "parts": parts,
        "dropped": documents.dropped | {"between parts": int((part == DROPPED).sum()) - documents.dropped["without words"]},
        "pairs_an_epoch": len(epoch),
        "subsets": dict(zip(SUBSETS, shares.tolist(), strict=True)),
        "trials": {name: len(pairs) for name, pairs in documents.trials.items()},
        "read": given,
    }


def _write_names(made: Path, documents: Gathered, author: NDArray[np.int32], topic: NDArray[np.int32]) -> None:
    def by_number(names: list[str], numbers: NDArray[np.int32]) -> list[str]:
        return [names[i] for i in np.unique(numbers, return_index=True)[1].tolist()]

    names = {
        "authors": by_number(documents.authors, author),
        "topics": by_number(documents.topics, topic),
        "sources": documents.source_names,
    }
    (made / "names.json").write_text(json.dumps(names, ensure_ascii=False), "utf-8")
