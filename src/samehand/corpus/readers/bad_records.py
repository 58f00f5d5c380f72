"""What becomes of a record that cannot be used: it is raised, or reported and left out."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from samehand.errors import InputError

OnBad = Callable[[str], None]
Row = TypeVar("Row")
Parsed = TypeVar("Parsed")


class BadRecord(Exception):
    """One record is unusable. The message says "what is wrong; the remedy" and not where it is."""


def keep_usable(
    rows: Iterable[tuple[str, Row]], parse: Callable[[Row], Parsed], on_bad: OnBad | None
) -> Iterator[Parsed]:
    """Parse each `(where, row)`, and hand the faults of single rows to `on_bad`.

    Without `on_bad` the first fault is raised as an `InputError`.
    """
    for where, row in rows:
        try:
            parsed = parse(row)
        except BadRecord as fault:
            if on_bad is None:
                raise InputError(f"{where}: {fault}, or pass --skip-bad to leave it out") from None
            on_bad(f"{where}: {fault}")
        else:
            yield parsed
