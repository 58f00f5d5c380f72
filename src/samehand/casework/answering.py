"""PAN's contract for a submission: pairs in, answers out, however many there are."""

import json
from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import NamedTuple

from samehand.assessment import Assessment
from samehand.cautions.texts import of_too_short
from samehand.corpus.readers import Trial, n_trials, read_trials
from samehand.io.atomic import refuse_inputs, whole_file
from samehand.io.locking import alone_in
from samehand.io.progress import Progress, unwatched
from samehand.verdict import probability_of
from samehand.verifier import Verifier

_STEP = "answering trials"


class Answered(NamedTuple):
    """How many trials were answered, and how."""

    trials: int
    undecided: int
    """Trials in which nothing is decided, for whatever reason."""
    too_short: int
    """Those among them with a text that is too short to be compared."""


def answer(
    verifier: Verifier,
    trials: Path,
    answers: Path,
    progress: Progress = unwatched,
    *,
    always: bool = False,
) -> Answered:
    """Answer all trials of a PAN folder into a file, which appears when it is complete.

    An undecided trial gets exactly 0.5, PAN's non-response. With `always` it gets the probability
    of its likelihood ratio; that of a trial with too short a text is 0.5 in any case.
    """
    refuse_inputs(answers, [trials])
    answers.parent.mkdir(parents=True, exist_ok=True)
    done = undecided = too_short = 0
    with alone_in(answers.parent), whole_file(answers) as file:
        progress("counting trials")
        total = n_trials(trials)
        progress(_STEP, 0, total)
        for trial, found in assessed(verifier, read_trials(trials)):
            is_undecided = found.decision == "undecided"
            undecided += is_undecided
            too_short += any(True for _ in of_too_short(found.texts))
            value = 0.5 if is_undecided and not always else probability_of(found.log10_lr)
            file.write(json.dumps({"id": trial.id, "value": value}).encode() + b"\n")
            done += 1
            progress(_STEP, done, total)
    return Answered(done, undecided, too_short)


def assessed(verifier: Verifier, trials: Iterable[Trial]) -> Iterator[tuple[Trial, Assessment]]:
    """Each trial with what is found out about it. Memory does not grow with their number."""
    kept, read = tee(trials)
    found = verifier.score((trial.questioned, trial.known) for trial in read)
    return zip(kept, found, strict=True)
