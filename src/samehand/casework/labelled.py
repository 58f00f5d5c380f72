"""Trials that somebody gathered for one kind of text: read, checked, and answered by a model."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from samehand.casework.answering import answered
from samehand.corpus.duplicates import content_digest
from samehand.corpus.readers import Trial, read_trials
from samehand.corpus.readers.pan13 import find_truth, is_pan13, read_labels
from samehand.corpus.readers.pan20 import find_pan20, read_same
from samehand.errors import InputError
from samehand.io.jsonl import locate, objects
from samehand.io.opening import is_pipe
from samehand.io.text_lines import bare_suffix
from samehand.verifier import Floats, Verifier

LEAST_OF_A_KIND = 50
"""Trials by one author, and by two, below which nothing can be said."""


class GatheredTrial(NamedTuple):
    """What is kept of a trial: not its texts."""

    id: str
    same: bool
    texts: tuple[str, ...]
    """Digests of the known texts and, last, of the questioned one; spacing does not matter."""
    words: int
    """Of the shortest text."""
    authors: tuple[str, ...]
    """Where the truth names them."""


@dataclass(frozen=True)
class Gathered:
    """Checked trials, in an order that does not depend on that of the files."""

    pairs: Path
    truth: Path
    trials: tuple[GatheredTrial, ...]
    repeats: int
    """Trials left out because another holds the same texts."""

    @property
    def same(self) -> NDArray[np.bool_]:
        return np.array([trial.same for trial in self.trials], dtype=bool)

    @property
    def words(self) -> NDArray[np.int64]:
        return np.array([trial.words for trial in self.trials], dtype=np.int64)

    @property
    def counts(self) -> tuple[int, int]:
        """Trials by one author, and by two."""
        n_same = sum(trial.same for trial in self.trials)
        return n_same, len(self.trials) - n_same

    def only(self, wanted: NDArray[np.bool_]) -> "Gathered":
        """Some of the trials."""
        kept = (trial for trial, is_kept in zip(self.trials, wanted, strict=True) if is_kept)
        return replace(self, trials=tuple(kept))

    def hashes(self) -> dict[str, str]:
        """SHA-256 of the two files; of a folder of problems, that of all its files."""
        return {"pairs_sha256": _sha256(self.pairs), "truth_sha256": _sha256(self.truth)}


def gather(pairs: Path, truth: Path, skip_repeats: bool = False) -> Gathered:
    """Read trials with their truth; whatever is wrong with them raises `InputError`.

    Each id is in both files, no text is its own counterpart, and no pair of texts is there twice;
    with `skip_repeats` the further ones are left out.
    """
    pairs, truth, labels = _located(pairs, truth)
    authors = _authors(truth)
    trials = [_summary(trial, authors) for trial in _read(pairs, truth)]
    missing = labels - {trial.id for trial in trials}
    if missing:
        raise InputError(
            f"{truth}: the id {min(missing)!r} is not in {pairs.name}{_and_more(missing)}; give "
            "the pairs and the truth of the same trials."
        )
    trials.sort(key=lambda trial: (sorted(trial.texts), trial.id))
    distinct = _without_repeats(pairs, trials, skip_repeats)
    gathered = Gathered(pairs, truth, tuple(distinct), len(trials) - len(distinct))
    if 0 in gathered.counts:
        raise InputError(
            f"{truth}: all trials are by {'one author' if gathered.counts[0] else 'two authors'}; "
            "trials of both kinds are needed."
        )
    return gathered


def probabilities(
    verifier: Verifier,
    gathered: Gathered,
    progress: Callable[[int], None] = lambda done: None,
    levs: dict[bytes, Floats] | None = None,
) -> NDArray[np.float64]:
    """The model's probability for each trial; not a number where a text holds no word.

    `levs`, if given, remembers those of all texts.
    """
    found: dict[str, float] = {}
    for trial, value in answered(verifier, _read(gathered.pairs, gathered.truth), levs):
        found[trial.id] = np.nan if value is None else value
        progress(len(found))
    return np.array([found[trial.id] for trial in gathered.trials])


def _located(pairs: Path, truth: Path) -> tuple[Path, Path, set[str]]:
    """Both files themselves, or the folder of problems, and the ids that the truth knows."""
    for path in (pairs, truth):
        if is_pipe(path):
            raise InputError(f"{path}: a pipe, which can be read only once; give a file.")
    if pairs.is_dir() and is_pan13(pairs):
        found = find_truth(truth) if truth.is_dir() else truth
        if found is None:
            raise InputError(f"{truth}: this folder holds no truth.txt; give the file itself.")
        return pairs, found, set(read_labels(found, _refuse))
    truth = locate(truth, "truth")
    couples = find_pan20(pairs) if pairs.is_dir() else []
    pairs = couples[0].pairs if len(couples) == 1 else pairs
    return pairs, truth, set(read_same(truth, _refuse))


def _read(pairs: Path, truth: Path) -> Iterator[Trial]:
    return read_trials(pairs, truth, _refuse)


def _refuse(fault: str) -> NoReturn:
    raise InputError(f"{fault}.")


def _summary(trial: Trial, authors: dict[str, tuple[str, ...]]) -> GatheredTrial:
    texts = (*trial.known, trial.questioned)
    return GatheredTrial(
        trial.id,
        bool(trial.same),
        tuple(content_digest(text).hex() for text in texts),
        min(len(text.split()) for text in texts),
        authors.get(trial.id, ()),
    )


def _authors(truth: Path) -> dict[str, tuple[str, ...]]:
    """The authors of each trial whose truth names them, as PAN's does where it can."""
    if bare_suffix(truth) == ".txt":
        return {}
    named = ((str(record.get("id")).strip(), record.get("authors")) for _, record in objects(truth))
    return {name: tuple(map(str, found)) for name, found in named if isinstance(found, list)}


def _without_repeats(
    pairs: Path, trials: list[GatheredTrial], leave_out: bool
) -> list[GatheredTrial]:
    """The trials, each pair of texts once."""
    met: dict[object, GatheredTrial] = {}
    repeats = []
    for trial in trials:
        *known, questioned = trial.texts
        key: object = frozenset(trial.texts) if len(known) == 1 else (frozenset(known), questioned)
        if not trial.words:
            key = trial.id  # it cannot be answered, and is counted later
        elif questioned in known:
            raise InputError(f"{pairs}: trial {trial.id!r} compares a text with itself; remove it.")
        other = met.setdefault(key, trial)
        if other.same != trial.same:
            raise InputError(
                f"{pairs}: trials {other.id!r} and {trial.id!r} hold the same texts, once as by "
                "one author, once as by two; correct the truth."
            )
        if other is not trial:
            repeats.append((other, trial))
    if repeats and not leave_out:
        one, other = repeats[0]
        more = f", and {len(repeats) - 1:,} more repeat others" if len(repeats) > 1 else ""
        raise InputError(
            f"{pairs}: trials {one.id!r} and {other.id!r} hold the same texts{more}; remove the "
            "repeats, or pass --skip-repeats to leave them out."
        )
    return list(met.values())


def _and_more(names: set[str]) -> str:
    return f" (nor are {len(names) - 1:,} others)" if len(names) > 1 else ""


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(path.glob("*/*.txt*")):
        if path.is_dir():
            digest.update(f"{file.relative_to(path)}\n".encode("utf-8", "surrogateescape"))
        digest.update(file.read_bytes())
    return digest.hexdigest()
