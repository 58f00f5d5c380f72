"""A log's record of a verdict: what was compared, by which model and version, when and by whom.

Texts are in it by their digests and files' names alone.
"""

import getpass
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from samehand import __version__
from samehand.reading import Reading
from samehand.verdict import Verdict

_LIBRARIES = ("numpy", "numba")
"""Those that compute."""


def entry(
    verdict: Verdict, readings: Sequence[Reading], report_sha256: str | None = None
) -> dict[str, Any]:
    """A line of the log; `readings`: the questioned text, then the known ones."""
    found = verdict.as_dict()
    texts = [found["questioned"], *found["known"]]
    named = [
        facts | {"file": _written(reading.source), "file_sha256": reading.sha256}
        for facts, reading in zip(texts, readings, strict=True)
    ]
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "user": _user(),
        "samehand": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
        **found,
        "questioned": named[0],
        "known": named[1:],
        "report_sha256": report_sha256,
    }


def _user() -> str | None:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container may know its user by number alone
        return None


def _written(name: str) -> str:
    """File names may hold bytes that are no characters."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
