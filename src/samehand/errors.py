"""The one kind of failure that is the user's to mend."""


class InputError(Exception):
    """Something the user gave cannot be used.

    The message is one sentence that names the file (and line) and the remedy. The command line
    prints it to stderr and exits with code 2; library callers catch it like any exception.
    """
