"""PAN 2020 to 2023: a JSONL file of text pairs and one of truth, either plain or gzip."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import checked_document
from samehand.errors import InputError
from samehand.io.jsonl import json_lines, parse_object
from samehand.io.opening import is_pipe
from samehand.io.pan_lines import by_id, parse_pair, same_of, two
from samehand.io.records import BadRecord, OnBad, checked_name, keep_usable
from samehand.io.text_lines import bare_stem, bare_suffix

_JOINTS = ("-", "_")


class PanFiles(NamedTuple):
    """The pairs of a PAN corpus, and their truth where it is there."""

    pairs: Path
    truth: Path | None


def find_pan20(path: Path) -> list[PanFiles]:
    """The pairs files in a folder (or the one given) with their truth files, by the names PAN uses.

    `pairs` goes with `truth`, `small-pairs` with `small-truth`, and `corpus` with `corpus-truth`;
    one of each in a folder go together whatever comes before.
    """
    folder = path if path.is_dir() else path.parent
    listed = sorted(folder.glob("[!.]*"), reverse=True)  # so that plain wins over .gz
    readable = (file for file in listed if bare_suffix(file) == ".jsonl" and not is_pipe(file))
    files = {bare_stem(file): file for file in readable}
    truths = {stem: file for stem, file in files.items() if _ends_in(stem, "truth")}
    couples = []
    for stem, file in sorted(files.items()):
        named = _ends_in(stem, "pairs")
        partners = [f"{stem}{joint}truth" for joint in _JOINTS]
        if named:
            partners.insert(0, stem.removesuffix("pairs") + "truth")
        truth = next((truths[name] for name in partners if name in truths), None)
        if stem not in truths and (named or truth):
            couples.append(PanFiles(file, truth))
    if len(couples) == len(truths) == 1:
        couples = [PanFiles(couples[0].pairs, next(iter(truths.values())))]
    return [couple for couple in couples if path in (folder, couple.pairs)]


def _ends_in(stem: str, word: str) -> bool:
    return stem == word or stem.endswith(tuple(joint + word for joint in _JOINTS))


def read_pan20(path: Path, on_bad: OnBad | None) -> Iterator[Document]:
    """The two documents of every pair; texts that occur in several pairs come several times."""
    for pairs, truth in find_pan20(path):
        if truth is None:
            raise InputError(
                f"{pairs}: there is no truth file beside it; put its truth.jsonl there, "
                "as training needs the authors"
            )
        yield from _documents(pairs, truth, on_bad)


def _documents(pairs: Path, truth: Path, on_bad: OnBad | None) -> Iterator[Document]:
    authors = by_id(json_lines(truth), lambda line: _authors(truth, line), on_bad)

    def parse(line: bytes) -> tuple[Document, Document]:
        pair = parse_pair(line)
        if pair.id not in authors:
            raise BadRecord(f"the id {pair.id!r} is not in {truth.name}; add it there")
        first_author, second_author = authors[pair.id]
        first_topic, second_topic = pair.topics or ("", "")
        return (
            checked_document(first_author, first_topic, pair.texts[0]),
            checked_document(second_author, second_topic, pair.texts[1]),
        )

    return chain.from_iterable(keep_usable(json_lines(pairs), parse, on_bad))


def _authors(truth: Path, line: bytes) -> tuple[str, tuple[str, str]]:
    record = parse_object(line)
    name, same = same_of(record)
    if "authors" not in record:
        raise InputError(
            f"{truth}: the truth names no `authors`, so its texts cannot be trained on; "
            "add them, or use this folder for scoring only"
        )
    one, other = (checked_name(author, "author") for author in two(record, "authors"))
    if same != (one == other):
        raise BadRecord("`same` contradicts `authors`; correct one of them")
    return name, (one, other)
