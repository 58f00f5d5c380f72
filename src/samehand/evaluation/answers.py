"""Read the truth of a set of trials and the answers someone gave to them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.evaluation.scores import ROUNDING
from samehand.io.jsonl import json_lines, locate, parse_object
from samehand.io.pan_lines import read_same, record_id
from samehand.io.records import BadRecord, keep_usable

TOLERATED = {
    "in_list": "given in a list of one",
    "decisions": "given as a decision, not a probability: taken for 0 or 1",
    "not_a_number": "NaN or null: taken for 0.5",
    "clipped": "outside [0, 1] by rounding: taken for 0 or 1",
    "duplicates": "repeated: the last one counts",
    "extra": "to trials the truth does not know: left out",
}
"""Flaws of answers that are not refused, and what is made of them."""


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
    """Read `{"id": …, "same": …}` lines, or `EN001 Y` as PAN wrote until 2015.

    In a folder, they are those of truth.jsonl(.gz) or else of truth.txt.
    """
    path = locate(path, "truth", "truth.txt")
    same = read_same(path)
    position = {name: place for place, name in enumerate(same)}
    return Truth(path, position, np.fromiter(same.values(), dtype=bool))


def read_answers(path: Path, truth: Truth) -> Answers:
    """Read `{"id": …, "value": …}` lines from a file, or from answers.jsonl(.gz) in a folder.

    A trial without an answer gets 0.5 and is counted as missing. See `TOLERATED` for what else is
    forgiven; anything else raises InputError with the file and the line.
    """
    path = locate(path, "answers")
    answered: list[float | None] = [None] * len(truth.position)
    tolerated = dict.fromkeys(TOLERATED, 0)

    def parse(line: bytes) -> tuple[str, float]:
        record = parse_object(line)
        value = record.get("value")
        if type(value) is not float or not 0.0 <= value <= 1.0:
            value = _lenient_value(record, tolerated)
        return record_id(record), value

    for name, value in keep_usable(json_lines(path), parse):
        index = truth.position.get(name)
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


def _lenient_value(record: dict[str, Any], tolerated: dict[str, int]) -> float:
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
        raise BadRecord(f"`value` is {value!r:.40}; give a probability between 0 and 1")
    if not 0.0 <= value <= 1.0:
        odd.append("clipped")
    for name in odd:
        tolerated[name] += 1
    return float(min(max(value, 0.0), 1.0))
