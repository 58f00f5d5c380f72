"""Read, split, count, encode: from corpora on disk to a store that training can open."""

import json
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.ingest import IngestedDocuments
from samehand.corpus.pairs import SUBSETS, Deltas
from samehand.corpus.readers import Columns
from samehand.corpus.split import CALIBRATION, DROPPED, TEST, TRAIN, check_disjoint_authors, split
from samehand.corpus.store import PARTS, Store, is_of_store, write_pairs
from samehand.corpus.store_summary import describe
from samehand.corpus.store_writer import count_words, write_tokens
from samehand.corpus.tokeniser_pool import TokeniserPool
from samehand.corpus.topics import cluster_topics, content_words, topics_are_informative
from samehand.corpus.trial_sampling import sample_trials, write_pan_trials
from samehand.errors import InputError
from samehand.io.atomic import all_or_nothing, check_place
from samehand.io.progress import Progress, unwatched
from samehand.text.word_vectors import read_vectors

Labels = dict[str, NDArray[Any]]

TRIALS = PARTS.index("trials")
_SAMPLED = {"calibration": CALIBRATION, "test": TEST}
_DOCUMENTS_A_TOPIC = 20  # at least, on average, where topics come from the text


@dataclass(frozen=True)
class Preparation:
    """Settings of `prepare`."""

    corpora: Sequence[Path]
    dev: Sequence[Path] = ()
    """For corpora that come split already: the calibration part …"""
    test: Sequence[Path] = ()
    """… and the test part."""
    trials: Sequence[Path] = ()
    """Folders of trials in PAN format to score during training, each named by its folder."""
    columns: Columns = field(default_factory=Columns)
    format: str | None = None
    authors_apart: bool = False
    """Whether one name in two sources is two authors; where parts are given, it may not be."""
    shares: tuple[float, float, float] = (0.75, 0.125, 0.125)
    disjoint_topics: bool = True
    topics: str = "auto"
    """`labels`: as given; `text`: clusters of content words; `auto`: such clusters where the labels
    say nothing."""
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
    progress: Progress = unwatched,
    replace: bool = False,
) -> Store:
    """Make a store. Nothing stands at `folder` until it is complete.

    Faults of single records go to `on_bad` if it is given. `replace` allows for a store there.
    """
    inputs = [*plan.corpora, *plan.dev, *plan.test, *plan.trials]
    inputs += [plan.vectors] if plan.vectors else []
    check_place(folder, "store.json", replace, is_of_store, inputs)
    if plan.authors_apart and (plan.dev or plan.test):
        raise InputError(
            "--authors-apart would hide the authors that the parts given share; leave out --dev "
            "and --test to have the corpus split, or rename those who are not the same"
        )
    with (
        all_or_nothing(folder) as made,
        TokeniserPool(plan.workers) as encoder,
        IngestedDocuments(made, encoder, on_bad, plan.authors_apart) as documents,
    ):
        _read(plan, documents, progress)
        encoder.close()  # its workers hold memory
        progress("finding topics")
        clustered = _find_topics(plan, documents)
        progress("splitting")
        labels = _label(plan, documents)
        kept = labels["part"] != DROPPED
        progress("counting words")
        about = _write_arrays(plan, documents, labels, kept, made)
        progress("sampling trials")
        _write_trials(plan, documents, labels, kept, made)
        words = count_words(documents.tokens(), documents.token_ends(), documents.types)
        about |= describe(documents, labels, words, plan.deltas, plan.seed)
        about["topics_from_text"] = clustered
        (made / "store.json").write_text(json.dumps(about, indent=1), "utf-8")
    return Store.open(folder)


def _read(plan: Preparation, documents: IngestedDocuments, progress: Progress) -> None:
    for paths, part in ((plan.corpora, TRAIN), (plan.dev, CALIBRATION), (plan.test, TEST)):
        documents.read(paths, part, plan.columns, plan.format, progress)
    for trials in plan.trials:
        if trials.resolve().name in _SAMPLED:
            raise InputError(f"{trials}: this name is for trials sampled here; rename the folder")
        documents.read_trials(trials, TRIALS, progress)


def _find_topics(plan: Preparation, documents: IngestedDocuments) -> list[str]:
    """Replace labels by clusters of content words where wanted; the sources where this was done."""
    source, part = np.array(documents.source), np.array(documents.part)
    tokens, ends = documents.tokens(), documents.token_ends()
    clustered = []
    content = None
    for number, name in enumerate(documents.source_names):
        inside = np.flatnonzero((source == number) & (part != TRIALS)).tolist()
        if not inside or plan.topics == "labels":
            continue
        authors, topics = ([of[i] for i in inside] for of in (documents.authors, documents.topics))
        if plan.topics == "text" or not topics_are_informative(authors, topics):
            content = content or content_words(documents.types)
            n_topics = min(plan.n_topics, max(len(PARTS), len(inside) // _DOCUMENTS_A_TOPIC))
            each = (tokens[ends[i] : ends[i + 1]] for i in inside)
            found = cluster_topics(each, content, n_topics, plan.seed)
            for document, topic in zip(inside, found, strict=True):
                documents.topics[document] = topic
            clustered.append(name)
    return clustered


def _label(plan: Preparation, documents: IngestedDocuments) -> Labels:
    """Numbers for the author, topic and source of each document, and the part it goes to."""
    author = _numbers(documents.authors)
    topic = _numbers(zip(documents.source, documents.topics, strict=True))
    part = np.array(documents.part)
    part[(np.diff(documents.token_ends()) == 0) & (part != TRIALS)] = DROPPED
    where = f"{plan.corpora[0]}{' and others' if len(plan.corpora) > 1 else ''}"
    training = np.flatnonzero(part == TRAIN)
    if len(np.unique(author[training])) == 1:
        raise InputError(f"{where}: all texts are by one author; pairs need two at least")
    for paths, number in ((plan.dev, CALIBRATION), (plan.test, TEST)):
        if paths and not (part == number).any():
            raise InputError(
                f"{paths[0]}: no text of it can be used; all are in the corpus already, or empty"
            )
    if plan.dev or plan.test:
        _check_parts(np.array(documents.authors, object), part)
    else:
        shares = (plan.shares, plan.seed, plan.disjoint_topics)
        part[training] = split(author[training], topic[training], *shares).part
    if len(np.unique(author[part == TRAIN])) < 2:
        raise InputError(f"{where}: too little is left to train on, two authors at least; add text")
    source = np.array(documents.source)
    return {"author": author, "topic": topic, "source": source, "part": part.astype(np.int8)}


def _numbers(names: Iterable[Hashable]) -> NDArray[np.int32]:
    """Each name's number, in order of first sight."""
    seen: dict[Hashable, int] = {}
    return np.fromiter((seen.setdefault(name, len(seen)) for name in names), np.int32)


def _check_parts(authors: NDArray[np.object_], part: NDArray[np.int8]) -> None:
    shared = check_disjoint_authors(*(authors[part == p] for p in (TRAIN, CALIBRATION, TEST)))
    if shared:
        raise InputError(
            f"authors in more than one of the parts given: {len(shared)}, such as {shared[0]!r}; "
            "leave each in one, or leave out --dev and --test to have the corpus split"
        )


def _write_arrays(
    plan: Preparation,
    documents: IngestedDocuments,
    labels: Labels,
    kept: NDArray[np.bool_],
    made: Path,
) -> dict[str, Any]:
    """Everything but trials; returns what there is to say about words."""
    vocabulary, about = write_tokens(
        made,
        documents.tokens(),
        documents.token_ends(),
        documents.types,
        labels["source"],
        labels["part"] == TRAIN,
        kept,
        plan.n_words,
        plan.n_characters,
    )
    if plan.vectors:
        vectors = read_vectors(plan.vectors, vocabulary.words, plan.seed)
        np.save(made / "vectors.npy", vectors.values)
        about["vectors_found"] = vectors.found
    for name, numbers in labels.items():
        np.save(made / f"{name}.npy", numbers[kept])
    names = {
        "authors": _by_number(documents.authors, labels["author"]),
        "topics": _by_number(documents.topics, labels["topic"]),
        "sources": documents.source_names,
    }
    (made / "names.json").write_text(json.dumps(names), "utf-8")
    return about


def _by_number(names: list[str], numbers: NDArray[np.int32]) -> list[str]:
    return [names[i] for i in np.unique(numbers, return_index=True)[1].tolist()]


def _write_trials(
    plan: Preparation,
    documents: IngestedDocuments,
    labels: Labels,
    kept: NDArray[np.bool_],
    made: Path,
) -> None:
    """Trials of the calibration and of the test part, the latter also as text, and those given."""
    place = np.cumsum(kept) - 1
    trials = dict(documents.trials)
    for name, part in _SAMPLED.items():
        inside = np.flatnonzero(labels["part"] == part)
        author, topic, source = (labels[label][inside] for label in ("author", "topic", "source"))
        pairs = sample_trials(author, topic, plan.deltas, plan.seed, plan.subsets, source)
        trials[name] = pairs.renumbered(inside)
    for name, pairs in trials.items():
        write_pairs(made, name, pairs.renumbered(place))
    texts = (documents.text, documents.authors, documents.topics)
    write_pan_trials(made / "test-trials", trials["test"], *texts)
