"""PAN 2013 to 2015: a folder a problem with `known*.txt` and `unknown.txt`, and one `truth.txt`."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import checked_document
from samehand.errors import InputError
from samehand.io.opening import is_pipe
from samehand.io.pan_lines import read_same
from samehand.io.records import BadRecord, OnBad, keep_usable
from samehand.io.text_lines import bare_stem, bare_suffix, read_text

_KNOWN = re.compile(r"known\W*\d*", re.IGNORECASE)
_UNKNOWN = re.compile(r"unknown\W*\d*", re.IGNORECASE)


class Problem(NamedTuple):
    """One problem folder: its name, and the files in it."""

    id: str
    known: tuple[Path, ...]
    unknown: tuple[Path, ...]


def is_pan13(folder: Path) -> bool:
    """Whether a folder directly inside holds known and unknown texts."""
    return any(problem.known for problem in problems(folder))


def problems(folder: Path) -> Iterator[Problem]:
    """The problems in the order of their names."""
    for subfolder in sorted(child for child in folder.iterdir() if child.is_dir()):
        texts = sorted(file for file in subfolder.iterdir() if bare_suffix(file) == ".txt")
        unknown = tuple(file for file in texts if _UNKNOWN.fullmatch(bare_stem(file)))
        known = tuple(file for file in texts if _KNOWN.fullmatch(bare_stem(file)))
        if unknown:
            yield Problem(subfolder.name, known, unknown)


def find_truth(folder: Path) -> Path | None:
    """`truth.txt`, or else the first text file with truth in its name."""
    files = sorted(
        file for file in folder.iterdir() if bare_suffix(file) == ".txt" and not is_pipe(file)
    )
    truths = [file for file in files if "truth" in bare_stem(file).lower()]
    exact = [file for file in truths if bare_stem(file).lower() == "truth"]
    return next(iter(exact or truths), None)


def check_problem(problem: Problem, labels: dict[str, bool] | None) -> None:
    """Raise `BadRecord` unless the problem can be posed and, where labels are given, has one."""
    if not problem.known:
        raise BadRecord("the problem has no known*.txt; add one or remove the folder")
    if len(problem.unknown) > 1:
        raise BadRecord("the problem has several unknown*.txt; keep one")
    if labels is not None and problem.id not in labels:
        raise BadRecord(f"the problem {problem.id!r} is not in the truth file; add it there")


def read_pan13(folder: Path, on_bad: OnBad | None) -> Iterator[Document]:
    """The texts of all problems, without topics, which these corpora do not name.

    Known texts are by an author named after the problem; so is the unknown one if the truth says Y.
    Otherwise it is by an author of its own.
    """
    truth = find_truth(folder)
    if truth is None:
        raise InputError(f"{folder}: there is no truth.txt; add it, as training needs the authors")
    labels = read_same(truth, on_bad)

    def attribute(problem: Problem) -> list[tuple[str, Path]]:
        check_problem(problem, labels)
        writer = problem.id if labels[problem.id] else f"{problem.id}-unknown"
        known = [(problem.id, path) for path in problem.known]
        return [*known, (writer, problem.unknown[0])]

    posed = ((str(folder / problem.id), problem) for problem in problems(folder))
    texts = chain.from_iterable(keep_usable(posed, attribute, on_bad))
    rows = ((str(path), (author, path)) for author, path in texts)
    yield from keep_usable(
        rows, lambda row: checked_document(row[0], "", read_text(row[1])), on_bad
    )
