"""Did the same hand write these texts?"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from samehand.assessment import LabelledPair as LabelledPair
    from samehand.errors import InputError as InputError
    from samehand.verdict import Verdict as Verdict
    from samehand.verifier import Verifier as Verifier

__version__ = "0.1.0"

_HOMES = {
    "InputError": "errors",
    "LabelledPair": "assessment",
    "Verdict": "verdict",
    "Verifier": "verifier",
}


def __getattr__(name: str) -> Any:
    """Import what the package offers when it is asked for: a command needs little of it."""
    if name in _HOMES:
        return getattr(import_module(f"samehand.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
