"""Read the truth of a set of trials and the answers someone gave to them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.evaluation.scores import ROUNDING
from samehand.io.jsonl import locate, objects

TOLERATED = {
    "in_list": "given in a list of one",
    "decisions": "given as a decision, not a probability: taken for 0 or 1",
    "not_a_number": "NaN or null: taken for 0.5",
    "clipped": "outside [0, 1] by rounding: taken for 0 or 1",
    "duplicates": "repeated: the last one counts",
    "extra": "to trials the truth does not know: left out",
}
"""What answers may look like without being refused, and what is made of it."""


@dataclass(frozen=True)
class Truth:
    """Which trials there are, and which are by one author."""

    path: Path
    position: dict[str, int]
    same: NDArray[np.bool_]


@dataclass(frozen=True)
class Answers:
    """The probabilities of one system, in the order of the truth, and how they had to be read."""

    path: Path
    probability: NDArray[np.float64]
    missing: int
    tolerated: dict[str, int]


def read_truth(path: Path) -> Truth:
    """Read `{"id": …, "same": …}` lines from a file, or from truth.jsonl(.gz) in a folder."""
    path = locate(path, "truth")
    position: dict[str, int] = {}
    same: list[bool] = []
    for line, record in objects(path):
        trial = _id(record, path, line)
        label = record.get("same", record.get("value"))
        if label not in (0, 1):
            meant = " (are these the answers?)" if "same" not in record else ""
            raise InputError(f'{path}, line {line}: "same" must be true or false{meant}.')
        if position.setdefault(trial, len(same)) == len(same):
            same.append(bool(label))
        elif same[position[trial]] != label:
            raise InputError(f"{path}, line {line}: trial {trial!r} has another truth further up.")
    return Truth(path, position, np.array(same, dtype=bool))


def read_answers(path: Path, truth: Truth) -> Answers:
    """Read `{"id": …, "value": …}` lines from a file, or from answers.jsonl(.gz) in a folder.

    A trial without an answer gets 0.5 and is counted as missing. See `TOLERATED` for what else is
    forgiven; anything else raises InputError with the file and the line.
    """
    path = locate(path, "answers")
    answered: list[float | None] = [None] * len(truth.position)
    tolerated = dict.fromkeys(TOLERATED, 0)
    position = truth.position
    for line, record in objects(path):
        trial, value = record.get("id"), record.get("value")
        if type(value) is not float or not 0.0 <= value <= 1.0:
            value = _lenient_value(record, tolerated, path, line)
        index = position.get(trial.strip() if type(trial) is str else _id(record, path, line))
        if index is None:
            tolerated["extra"] += 1
            continue
        if answered[index] is not None:
            tolerated["duplicates"] += 1
        answered[index] = value
    missing = answered.count(None)
    if missing == len(answered):
        raise InputError(f"{path}: none of its ids is in {truth.path}; are these other trials?")
    probability = np.array([0.5 if value is None else value for value in answered])
    return Answers(path, probability, missing, tolerated)


def _id(record: dict[str, Any], path: Path, line: int) -> str:
    trial = record.get("id")
    if isinstance(trial, str):
        return trial.strip()
    if isinstance(trial, int) and not isinstance(trial, bool):
        return str(trial)
    raise InputError(f'{path}, line {line}: "id" is missing or not a string.')


def _lenient_value(
    record: dict[str, Any], tolerated: dict[str, int], path: Path, line: int
) -> float:
    """The probability in a record that does not simply say `"value": 0.7`."""
    value = record["value"] if "value" in record else record.get("same", "missing")
    odd = []
    if isinstance(value, list) and len(value) == 1:
        odd.append("in_list")
        value = value[0]
    if isinstance(value, bool):
        odd.append("decisions")
    if value is None or value != value:  # null, or NaN, which alone differs from itself
        odd.append("not_a_number")
        value = 0.5
    if not isinstance(value, int | float) or not -ROUNDING <= value <= 1.0 + ROUNDING:
        raise InputError(
            f'{path}, line {line}: "value" is {value!r:.40}; '
            "it must be a probability between 0 and 1."
        )
    if not 0.0 <= value <= 1.0:
        odd.append("clipped")
    for name in odd:
        tolerated[name] += 1
    return float(min(max(value, 0.0), 1.0))
