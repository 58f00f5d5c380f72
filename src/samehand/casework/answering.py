"""PAN's contract for a submission: pairs in, answers out, however many there are."""

import json
import math
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from samehand.cautions.sentences import Text, disqualified
from samehand.corpus.readers import Trial, read_trials
from samehand.errors import InputError
from samehand.io.atomic import refuse_inputs
from samehand.verifier import Floats, Verifier

_TRIALS_AT_ONCE = 256


class Answered(NamedTuple):
    """What was done."""

    trials: int
    documents: int
    """Distinct texts, each embedded once."""
    without_words: int
    """Trials with a text that holds no word: answered 0.5."""
    rejected: int
    """Trials that had better not be answered, by the model or for their texts: 0.5, too."""


def answer(
    verifier: Verifier,
    trials: Path,
    answers: Path,
    progress: Callable[[int], None] = lambda done: None,
    *,
    always: bool = False,
) -> Answered:
    """Answer all trials of a PAN folder into a file, which appears when it is complete.

    What had better not be answered, because the model says so or the texts are no evidence, gets
    exactly 0.5, PAN's non-response; with `always` it gets a probability.
    """
    if answers.is_dir():
        raise InputError(f"{answers}: a folder is in this place; choose another")
    refuse_inputs(answers, [trials])
    answers.parent.mkdir(parents=True, exist_ok=True)
    unfinished = answers.with_name(f".{answers.name}.unfinished")
    levs: dict[bytes, Floats] = {}
    done = empty = rejected = 0
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            for trial, value, better_not in _in_chunks(
                verifier, read_trials(trials), levs, selective=not always
            ):
                empty += value is None
                rejected += better_not
                given = 0.5 if value is None or better_not else value
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
    remembered = {} if levs is None else levs
    for trial, value, _ in _in_chunks(verifier, trials, remembered, selective=False):
        yield trial, value


def _in_chunks(
    verifier: Verifier, trials: Iterable[Trial], levs: dict[bytes, Floats], *, selective: bool
) -> Iterator[tuple[Trial, float | None, bool]]:
    source = iter(trials)
    while chunk := list(islice(source, _TRIALS_AT_ONCE)):
        yield from _answers(verifier, chunk, levs, selective=selective)


def _answers(
    verifier: Verifier, trials: list[Trial], levs: dict[bytes, Floats], *, selective: bool
) -> Iterator[tuple[Trial, float | None, bool]]:
    """Answers of some trials, and whether they had better not be given, if that is asked.

    None where a text holds no word. `levs` remembers every text met.
    """
    texts = {_digest(text): text for trial in trials for text in (*trial.known, trial.questioned)}
    new = [digest for digest in texts if digest not in levs]
    levs.update(zip(new, verifier.embed([texts[digest] for digest in new]), strict=True))
    questioned = np.stack([levs[_digest(trial.questioned)] for trial in trials])
    known = [np.stack([levs[_digest(text)] for text in trial.known]) for trial in trials]
    considered = verifier.consider(questioned, known)
    values = considered.probability.tolist()
    if not selective:
        for trial, value in zip(trials, values, strict=True):
            yield trial, None if math.isnan(value) else value, False
        return
    rejected = considered.rejected.tolist()
    of_texts = {digest: Text.of("A text", text) for digest, text in texts.items()}
    for trial, value, by_model in zip(trials, values, rejected, strict=True):
        if math.isnan(value):
            yield trial, None, False
            continue
        first, *others = (of_texts[_digest(text)] for text in (trial.questioned, *trial.known))
        yield trial, value, by_model or disqualified(first, others) is not None


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
