"""The lines of PAN's files: pairs of texts, and the truth about trials of all years."""

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from samehand.errors import InputError
from samehand.io.jsonl import json_lines, parse_object
from samehand.io.records import BadRecord, OnBad, checked_name, checked_text, keep_usable

_TOPIC_KEYS = ("fandoms", "discourse_types")  # 2020 and 2021; 2022 and 2023
_LABELS = {"Y": True, "N": False}  # 2013 to 2015

Answer = TypeVar("Answer")


class Pair(NamedTuple):
    """One line of a pairs file."""

    id: str
    topics: tuple[str, str] | None
    texts: tuple[str, str]


def parse_pair(line: bytes) -> Pair:
    """One line of a pairs file. Texts may be empty: that is for the caller to judge."""
    record = parse_object(line)
    first, second = two(record, "pair")
    key = next((key for key in _TOPIC_KEYS if record.get(key) is not None), None)
    topics = None
    if key is not None:
        one, other = two(record, key)
        topics = (checked_name(one, key, True), checked_name(other, key, True))
    texts = checked_text(first, "text"), checked_text(second, "text")
    return Pair(record_id(record), topics, texts)


def read_same(truth: Path, on_bad: OnBad | None = None) -> dict[str, bool]:
    """Whether each trial is by one author, by its id, in the order of the file.

    The first line shows whether they are all JSON objects or all like `EN001 Y`.
    """
    rows = json_lines(truth)
    first = next(rows)
    is_json = first[1].lstrip().startswith(b"{")
    return by_id(chain([first], rows), _parse_same if is_json else _parse_label, on_bad)


def _parse_same(line: bytes) -> tuple[str, bool]:
    return same_of(parse_object(line))


def _parse_label(line: bytes) -> tuple[str, bool]:
    fields = line.decode("utf-8", "replace").split()
    if len(fields) != 2 or fields[1].upper() not in _LABELS:
        raise BadRecord(
            "the line is not a problem and Y or N; write it as `EN001 Y`, or all lines as JSON"
        )
    return fields[0], _LABELS[fields[1].upper()]


def same_of(record: dict[str, Any]) -> tuple[str, bool]:
    """The id and the truth of one trial; 1 and 0 stand for true and false, `value` for `same`."""
    same = record.get("same", record.get("value"))
    if same not in (0, 1):
        meant = "" if "same" in record else " (are these the answers?)"
        raise BadRecord(f"`same` is neither true nor false{meant}; write one of them")
    return record_id(record), bool(same)


def by_id(
    rows: Iterable[tuple[str, bytes]],
    parse: Callable[[bytes], tuple[str, Answer]],
    on_bad: OnBad | None,
) -> dict[str, Answer]:
    """The answers of a truth file; one that contradicts itself is an error whatever is skipped."""
    found: dict[str, Answer] = {}
    for where, line in rows:
        for name, answer in keep_usable([(where, line)], parse, on_bad):
            if found.setdefault(name, answer) != answer:
                raise InputError(f"{where}: the id {name!r} had another answer before; remove one")
    return found


def record_id(record: dict[str, Any]) -> str:
    """The id of a trial, without the white space around it."""
    return checked_name(record.get("id"), "id")


def two(record: dict[str, Any], key: str) -> tuple[object, object]:
    """The two values that a record lists under a key."""
    values = record.get(key)
    if not isinstance(values, list) or len(values) != 2:
        raise BadRecord(f"`{key}` is not a list of two; mend the line")
    return values[0], values[1]
