"""Records of a file one by one: what their values must look like, and what becomes of bad ones."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from samehand.errors import InputError

OnBad = Callable[[str], None]
Row = TypeVar("Row")
Parsed = TypeVar("Parsed")


class BadRecord(Exception):
    """One record is unusable. The message says "what is wrong; the remedy" and not where it is."""


def keep_usable(
    rows: Iterable[tuple[str, Row]], parse: Callable[[Row], Parsed], on_bad: OnBad | None = None
) -> Iterator[Parsed]:
    """Parse each `(where, row)`, and hand the faults of single rows to `on_bad`.

    Without `on_bad` the first fault is raised as an `InputError`.
    """
    for where, row in rows:
        try:
            parsed = parse(row)
        except BadRecord as fault:
            if on_bad is None:
                raise InputError(f"{where}: {fault}") from None
            on_bad(f"{where}: {fault}")
        else:
            yield parsed


def checked_name(value: object, role: str, may_be_empty: bool = False) -> str:
    """A label such as an author or an id; whole numbers are welcome, as corpora often use them."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        raise BadRecord(f"the {role} is missing; fill it in or remove the record")
    name = checked_text(value, role).strip()
    if not name and not may_be_empty:
        raise BadRecord(f"the {role} is empty; fill it in or remove the record")
    return name


def checked_text(value: object, role: str) -> str:
    """A string that can be written as UTF-8 again.

    Readers decode with `surrogateescape` where one bad byte must not stop the whole file, and JSON
    can spell half a surrogate pair: both show here.
    """
    if value is None:
        raise BadRecord(f"the {role} is missing; fill it in or remove the record")
    if not isinstance(value, str):
        kind = type(value).__name__
        raise BadRecord(f"the {role} is not a string but of type {kind}; write it as a string")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadRecord(f"the {role} is not valid UTF-8; save it as UTF-8") from None
    return value
