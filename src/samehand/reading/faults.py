"""Faults of a file, in words that follow its name."""


class Unreadable(Exception):
    """The file cannot be used; the message says why and gives the remedy, without a full stop."""


class NotText(Unreadable):
    """The file is of a kind that holds no text, or none that we can read."""
