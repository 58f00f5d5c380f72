"""Trials to be answered or scored, in the formats of PAN 2020 to 2023 and PAN 2013 to 2015."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.readers.pan13 import (
    Problem,
    check_problem,
    find_truth,
    is_pan13,
    problems,
)
from samehand.corpus.readers.pan20 import find_pan20
from samehand.errors import InputError
from samehand.io.jsonl import json_lines
from samehand.io.pan_lines import parse_pair, read_same
from samehand.io.records import BadRecord, OnBad, keep_usable
from samehand.io.text_lines import read_text


class Trial(NamedTuple):
    """A questioned text against known texts of one person.

    `topics` are those of the known and the questioned text; `same` is None without truth. Texts may
    be empty: a trial must be answered all the same.
    """

    id: str
    known: tuple[str, ...]
    questioned: str
    topics: tuple[str, str] | None
    same: bool | None


def holds_trials(path: Path) -> bool:
    """Whether a path holds trials: a folder of PAN's, or its file of pairs."""
    if path.is_file():
        return bool(find_pan20(path))
    return path.is_dir() and bool(find_pan20(path) or is_pan13(path))


def read_trials(
    path: Path, truth: Path | None = None, on_bad: OnBad | None = None
) -> Iterator[Trial]:
    """Trials of a PAN folder or pairs file, in order, with the truth beside it or the one given.

    Where there is a truth, every trial must be in it. Faults are raised as `InputError`; those of
    single trials go to `on_bad` instead if it is given.
    """
    if not path.exists():
        raise InputError(f"{path}: the path does not exist; check it")
    if path.is_dir() and is_pan13(path):
        yield from _pan13_trials(path, truth or find_truth(path), on_bad)
        return
    found = find_pan20(path)
    if path.is_file() and not found:
        yield from _pan20_trials(path, truth, on_bad)
        return
    if not found:
        raise InputError(
            f"{path}: there is neither pairs.jsonl nor a folder with unknown.txt; "
            "give a folder in the format of PAN"
        )
    if len(found) > 1:
        names = ", ".join(files.pairs.name for files in found)
        raise InputError(f"{path}: there are several pairs files ({names}); name one of them")
    yield from _pan20_trials(found[0].pairs, truth or found[0].truth, on_bad)


def _pan20_trials(pairs: Path, truth: Path | None, on_bad: OnBad | None) -> Iterator[Trial]:
    labels = None if truth is None else read_same(truth, on_bad)
    seen: set[str] = set()

    def parse(line: bytes) -> Trial:
        pair = parse_pair(line)
        if pair.id in seen:
            raise BadRecord(f"the id {pair.id!r} is there twice; give each trial its own")
        seen.add(pair.id)
        if labels is not None and truth is not None and pair.id not in labels:
            raise BadRecord(f"the id {pair.id!r} is not in {truth.name}; add it there")
        same = None if labels is None else labels[pair.id]
        return Trial(pair.id, (pair.texts[0],), pair.texts[1], pair.topics, same)

    return keep_usable(json_lines(pairs), parse, on_bad)


def _pan13_trials(folder: Path, truth: Path | None, on_bad: OnBad | None) -> Iterator[Trial]:
    labels = None if truth is None else read_same(truth, on_bad)

    def parse(problem: Problem) -> Trial:
        check_problem(problem, labels)
        known = tuple(_named_text(path) for path in problem.known)
        same = None if labels is None else labels[problem.id]
        return Trial(problem.id, known, _named_text(problem.unknown[0]), None, same)

    posed = ((str(folder / problem.id), problem) for problem in problems(folder))
    return keep_usable(posed, parse, on_bad)


def _named_text(path: Path) -> str:
    try:
        return read_text(path)
    except BadRecord as fault:
        raise BadRecord(f"{path.name}: {fault}") from None
