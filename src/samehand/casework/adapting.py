"""`samehand acquaint`: a model that knows a kind of text by texts of it, whoever wrote them."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from samehand.casework.calibrating import check_output
from samehand.corpus.duplicates import content_digest
from samehand.corpus.readers import (
    Columns,
    holds_tables,
    holds_trials,
    read_corpus,
    read_trials,
)
from samehand.errors import InputError
from samehand.io.atomic import all_or_nothing
from samehand.network.acquaintance import FEWEST, refuse_known
from samehand.network.weights import copy_model, load_members, save_population
from samehand.reading import read_text
from samehand.text.words import words
from samehand.verifier import Verifier, model_folder

MOST = 1_000
"""Texts of a population: more say nothing new."""
SHORTEST = 100
"""Words of a text that counts: a shorter one resembles nothing."""

_DOCUMENTS = (".txt", ".md", ".html", ".htm", ".docx", ".pdf")
_ABOUT_OTHERS = 2
"""Documents beside tables that may be a readme or a licence, and are passed over."""
_AT_ONCE = 64


def acquaint(
    model: Path | None,
    texts: Sequence[Path],
    output: Path,
    *,
    column: str = "text",
    force: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Write a copy of a model that is acquainted with texts, and tell what was used of them.

    Who wrote them need not be known. Anything that cannot be used raises `InputError`, and then
    nothing is written.
    """
    folder = model_folder(model)
    check_output(folder, output, force, texts)
    members, description = load_members(folder)
    refuse_known(description)
    chosen, counts = choose(found for path in texts for found in read_texts(path, column))
    if len(chosen) < FEWEST:
        raise InputError(
            f"{len(chosen):,} different texts of {SHORTEST} words or more; at least {FEWEST} are "
            "needed to be acquainted with a kind of text, so gather more."
        )
    verifier = Verifier(members, description)
    levs = []
    for start in range(0, len(chosen), _AT_ONCE):
        levs.append(verifier.embed(chosen[start : start + _AT_ONCE]))
        progress(min(start + _AT_ONCE, len(chosen)))
    about = dict(description.get("about") or {})
    name = str(about.get("name") or folder.resolve().name)
    found = counts | {
        "median_words": int(np.median([len(words(text)) for text in chosen])),
        "date": datetime.now(UTC).date().isoformat(),
        "model": {"name": name, "sha256": description.get("sha256", "")},
    }
    with all_or_nothing(output) as made:
        found["sha256"] = save_population(made, np.concatenate(levs))
        about["name"] = f"{name}, acquainted with {len(chosen):,} texts"
        copy_model(folder, made, about | {"population": found})
    return found | {"output": str(output)}


def read_texts(path: Path, column: str = "text") -> Iterator[str]:
    """The texts of a corpus or of trials, of a folder of documents, or of one document.

    Of tables only the column with the text is needed.
    """
    if holds_trials(path):
        for trial in read_trials(path):
            yield from (*trial.known, trial.questioned)
    elif holds_tables(path):
        _refuse_mixture(path)
        for document in read_corpus(path, Columns(author=column, text=column)):
            yield document.text
    elif path.is_dir():
        files = sorted(file for file in path.iterdir() if not file.name.startswith("."))
        if not any(file.is_file() for file in files):
            raise InputError(f"{path}: there is no text in this folder; check the path.")
        for file in files:
            if file.is_file():
                yield read_text(file).text
    else:
        yield read_text(path).text


def _refuse_mixture(path: Path) -> None:
    """A folder of tables, or of folders, is read as such; texts beside them would be lost."""
    loose = [
        file for file in path.glob("*") if file.is_file() and file.suffix.lower() in _DOCUMENTS
    ]
    if len(loose) > _ABOUT_OTHERS:
        raise InputError(
            f"{path}: holds {len(loose):,} documents beside tables or folders of them; name "
            "either by itself."
        )


def choose(texts: Iterable[str]) -> tuple[list[str], dict[str, int]]:
    """Up to so many different texts that are long enough, at random but the same each time.

    Memory does not grow with those that are not chosen, but for a digest of each.
    """
    rng = random.Random(0)
    met: set[bytes] = set()
    chosen: list[str] = []
    short = repeats = 0
    for text in texts:
        if len(words(text)) < SHORTEST:
            short += 1
            continue
        digest = content_digest(text)
        if digest in met:
            repeats += 1
            continue
        met.add(digest)
        if len(chosen) < MOST:
            chosen.append(text)
        elif (place := rng.randrange(len(met))) < MOST:
            chosen[place] = text
    return chosen, {
        "texts": len(chosen),
        "found": len(met),
        "too_short": short,
        "repeats": repeats,
    }
