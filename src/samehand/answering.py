"""PAN's contract for a submission: pairs in, answers out, however many there are."""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samehand.corpus.readers import Trial, read_trials
from samehand.verifier import REJECTED, Floats, Verifier

_TRIALS_AT_ONCE = 256


class Answered(NamedTuple):
    """What was done."""

    trials: int
    documents: int
    """Distinct texts, each embedded once."""
    without_words: int
    """Trials with a text that holds no word: answered 0.5."""
    rejected: int
    """Trials that had better not be answered: 0.5, too."""


def answer(
    verifier: Verifier,
    trials: Path,
    answers: Path,
    progress: Callable[[int], None] = lambda done: None,
    *,
    always: bool = False,
) -> Answered:
    """Answer all trials of a PAN folder into a file, which appears when it is complete.

    What the model had better not answer is given as exactly 0.5, PAN's non-response; `always` gives
    its probability instead.
    """
    answers.parent.mkdir(parents=True, exist_ok=True)
    unfinished = answers.with_name(f".{answers.name}.unfinished")
    levs: dict[bytes, Floats] = {}
    done = empty = rejected = 0
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            for trial, value, better_not in _in_chunks(verifier, read_trials(trials), levs):
                empty += value is None
                left = value is not None and better_not and not always
                rejected += left
                given = 0.5 if value is None or left else value
                file.write(json.dumps({"id": trial.id, "value": given}) + "\n")
                done += 1
                progress(done)
        unfinished.replace(answers)
    finally:
        unfinished.unlink(missing_ok=True)
    return Answered(done, len(levs), empty, rejected)


def answered(
    verifier: Verifier, trials: Iterable[Trial], levs: dict[bytes, Floats] | None = None
) -> Iterator[tuple[Trial, float | None]]:
    """Each trial with its probability, always; None where a text holds no word.

    Each distinct text is embedded once; `levs`, if given, remembers them.
    """
    for trial, value, _ in _in_chunks(verifier, trials, {} if levs is None else levs):
        yield trial, value


def _in_chunks(
    verifier: Verifier, trials: Iterable[Trial], levs: dict[bytes, Floats]
) -> Iterator[tuple[Trial, float | None, bool]]:
    source = iter(trials)
    while chunk := list(islice(source, _TRIALS_AT_ONCE)):
        yield from _answers(verifier, chunk, levs)


def _answers(
    verifier: Verifier, trials: list[Trial], levs: dict[bytes, Floats]
) -> Iterator[tuple[Trial, float | None, bool]]:
    """Answers of some trials, and whether they had better not be given.

    None where a text holds no word. `levs` remembers every text met.
    """
    texts = {_digest(text): text for trial in trials for text in (*trial.known, trial.questioned)}
    new = [digest for digest in texts if digest not in levs]
    levs.update(zip(new, verifier.embed([texts[digest] for digest in new]), strict=True))
    questioned = np.stack([levs[_digest(trial.questioned)] for trial in trials])
    known = [np.stack([levs[_digest(text)] for text in trial.known]) for trial in trials]
    values = verifier.probability(questioned, known).tolist()
    rejected = (verifier.rejections(questioned, known) >= REJECTED).tolist()
    for trial, value, better_not in zip(trials, values, rejected, strict=True):
        yield trial, None if math.isnan(value) else value, better_not


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
