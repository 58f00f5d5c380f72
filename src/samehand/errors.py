"""The one kind of failure that is the user's to mend."""

from importlib import import_module
from types import ModuleType


class InputError(Exception):
    """Something the user gave cannot be used.

    The message is one sentence that names the file (and line) and the remedy. The command line
    prints it to stderr and exits with code 2; library callers catch it like any exception.
    """


def needs(extra: str, module: str) -> ModuleType:
    """A module of a package that an extra brings; where it is not installed, `InputError`."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise InputError(f"This needs {missing(extra, module.split('.')[0])}.") from None


def missing(extra: str, package: str) -> str:
    """The end of a sentence that names a package that is not installed, and how to install it."""
    return (
        f"{package}, which is not installed; in a checkout of samehand, run "
        f"pip install '.[{extra}]'"
    )
