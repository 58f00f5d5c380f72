"""Trials whose truth is known: read, and checked before a model sees them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from samehand.casework.digests import refuse_pipe
from samehand.corpus.duplicates import content_digest
from samehand.corpus.readers import Trial, read_trials
from samehand.corpus.readers.pan13 import find_truth, is_pan13
from samehand.corpus.readers.pan20 import find_pan20
from samehand.errors import InputError
from samehand.io.jsonl import locate
from samehand.io.pan_lines import read_same

_EMPTY = content_digest("")


class LabelledTrial(NamedTuple):
    """A labelled trial, without its texts."""

    id: str
    same: bool
    texts: tuple[bytes, ...]
    """Digests of the known texts and, last, of the questioned one; spacing does not matter."""


@dataclass(frozen=True)
class LabelledTrials:
    """Checked trials, in an order that does not depend on that of the files."""

    pairs: Path
    truth: Path
    trials: tuple[LabelledTrial, ...]
    repeats: int
    """Trials left out because another holds the same texts."""

    @property
    def same(self) -> NDArray[np.bool_]:
        """(trials,) whether each is by one author."""
        return np.array([trial.same for trial in self.trials], dtype=bool)

    @property
    def counts(self) -> tuple[int, int]:
        """Trials by one author, and by two."""
        n_same = sum(trial.same for trial in self.trials)
        return n_same, len(self.trials) - n_same

    def only(self, wanted: NDArray[np.bool_]) -> "LabelledTrials":
        """Some of the trials."""
        kept = (trial for trial, is_kept in zip(self.trials, wanted, strict=True) if is_kept)
        return replace(self, trials=tuple(kept))

    def read(self) -> Iterator[Trial]:
        """The trials with their texts, in the order of the file; one is read after the other."""
        kept = {trial.id for trial in self.trials}
        return (trial for trial in _read(self.pairs, self.truth) if trial.id in kept)


def read_labelled(pairs: Path, truth: Path, skip_repeats: bool = False) -> LabelledTrials:
    """Read trials with their truth; whatever is wrong with them raises `InputError`.

    Each id is in both files, no text is its own counterpart, and no pair of texts is there twice;
    with `skip_repeats` the further ones are left out.
    """
    pairs, truth, labels = _located(pairs, truth)
    trials = [_summary(trial) for trial in _read(pairs, truth)]
    missing = labels - {trial.id for trial in trials}
    if missing:
        raise InputError(
            f"{truth}: the id {min(missing)!r} is not in {pairs.name}{_and_more(missing)}; give "
            "the pairs and the truth of the same trials."
        )
    trials.sort(key=lambda trial: (sorted(trial.texts), trial.id))
    distinct = _without_repeats(pairs, trials, skip_repeats)
    return LabelledTrials(pairs, truth, tuple(distinct), len(trials) - len(distinct))


def _located(pairs: Path, truth: Path) -> tuple[Path, Path, set[str]]:
    """Both files themselves, or the folder of problems, and the ids that the truth knows."""
    for path in (pairs, truth):
        refuse_pipe(path)
    if pairs.is_dir() and is_pan13(pairs):
        found = find_truth(truth) if truth.is_dir() else truth
        if found is None:
            raise InputError(f"{truth}: this folder holds no truth.txt; give the file itself.")
        return pairs, found, set(read_same(found, _refuse))
    truth = locate(truth, "truth")
    couples = find_pan20(pairs) if pairs.is_dir() else []
    pairs = couples[0].pairs if len(couples) == 1 else pairs
    return pairs, truth, set(read_same(truth, _refuse))


def _read(pairs: Path, truth: Path) -> Iterator[Trial]:
    return read_trials(pairs, truth, _refuse)


def _refuse(fault: str) -> NoReturn:
    raise InputError(f"{fault}.")


def _summary(trial: Trial) -> LabelledTrial:
    texts = (*trial.known, trial.questioned)
    return LabelledTrial(trial.id, bool(trial.same), tuple(map(content_digest, texts)))


def _without_repeats(
    pairs: Path, trials: list[LabelledTrial], leave_out: bool
) -> list[LabelledTrial]:
    """The trials, each pair of texts once."""
    met: dict[object, LabelledTrial] = {}
    repeats = []
    for trial in trials:
        *known, questioned = trial.texts
        key: object = frozenset(trial.texts) if len(known) == 1 else (frozenset(known), questioned)
        if _EMPTY in trial.texts:
            key = trial.id  # it is too short to be answered, and is counted as such later
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
