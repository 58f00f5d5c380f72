"""How far along a long job is, for whoever waits for it."""

from typing import Protocol


class Progress(Protocol):
    """Whom a long job tells how far it has come."""

    def __call__(self, doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        """Take down what is being done, such as "embedding documents", and how many are done.

        A step that goes on from where it was interrupted says so first, with what was done before,
        so that the time left is estimated by what is new.
        """


def unwatched(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
    """Take nothing down: nobody waits."""
