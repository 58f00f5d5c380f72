"""Did the same hand write these texts?"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samehand.verdict import Verdict as Verdict
    from samehand.verifier import Verifier as Verifier

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`Verifier` and `Verdict`, imported when they are asked for: the former needs torch."""
    if name == "Verifier":
        from samehand.verifier import Verifier

        return Verifier
    if name == "Verdict":
        from samehand.verdict import Verdict

        return Verdict
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
