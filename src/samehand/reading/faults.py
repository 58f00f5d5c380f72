"""What is wrong with a file, in words that follow its name."""


class Unreadable(Exception):
    """The file cannot be used; the message says why and gives the remedy, without a full stop."""


def needs_extra(what: str) -> Unreadable:
    """The package that reads this kind of file is not installed."""
    return Unreadable(f"{what} files need more packages: pip install 'samehand[docs]'")
