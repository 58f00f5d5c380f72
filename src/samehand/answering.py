"""PAN's contract for a submission: pairs in, answers out, however many there are."""

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samehand.corpus.readers import Trial, read_trials
from samehand.verifier import Floats, Verifier

_TRIALS_AT_ONCE = 256


class Answered(NamedTuple):
    """What was done."""

    trials: int
    documents: int
    """Distinct texts, each embedded once."""
    without_words: int
    """Trials with a text that holds no word: answered 0.5."""


def answer(
    verifier: Verifier,
    trials: Path,
    answers: Path,
    progress: Callable[[int], None] = lambda done: None,
) -> Answered:
    """Answer all trials of a PAN folder into a file, which appears when it is complete."""
    answers.parent.mkdir(parents=True, exist_ok=True)
    unfinished = answers.with_name(f".{answers.name}.unfinished")
    levs: dict[bytes, Floats] = {}
    done = empty = 0
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            for trial, value in answered(verifier, read_trials(trials), levs):
                empty += value is None
                file.write(
                    json.dumps({"id": trial.id, "value": 0.5 if value is None else value}) + "\n"
                )
                done += 1
                progress(done)
        unfinished.replace(answers)
    finally:
        unfinished.unlink(missing_ok=True)
    return Answered(done, len(levs), empty)


def answered(
    verifier: Verifier, trials: Iterable[Trial], levs: dict[bytes, Floats] | None = None
) -> Iterator[tuple[Trial, float | None]]:
    """Each trial with its probability; None where a text holds no word.

    Each distinct text is embedded once; `levs`, if given, remembers them.
    """
    remembered = {} if levs is None else levs
    source = iter(trials)
    while chunk := list(islice(source, _TRIALS_AT_ONCE)):
        yield from _answers(verifier, chunk, remembered)


def _answers(
    verifier: Verifier, trials: list[Trial], levs: dict[bytes, Floats]
) -> Iterator[tuple[Trial, float | None]]:
    """Answers of some trials; None where a text holds no word. `levs` remembers every text met."""
    texts = {_digest(text): text for trial in trials for text in (*trial.known, trial.questioned)}
    new = [digest for digest in texts if digest not in levs]
    levs.update(zip(new, verifier.embed([texts[digest] for digest in new]), strict=True))
    questioned = np.stack([levs[_digest(trial.questioned)] for trial in trials])
    known = [np.stack([levs[_digest(text)] for text in trial.known]) for trial in trials]
    values = verifier.probability(questioned, known)
    for trial, value in zip(trials, values.tolist(), strict=True):
        yield trial, None if np.isnan(value) else value


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
