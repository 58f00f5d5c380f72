"""A process of its own for each file of a stranger's that is more than plain text.

What goes wrong there, in a parser or in the libraries below it, ends that process alone; so does
what takes too long or too much memory. It starts for each file, so it imports little.
"""

import json
import math
import subprocess
import sys
from contextlib import suppress
from typing import Any, Literal

from samehand.reading.faults import NotText, Unreadable

Kind = Literal["PDF", "Word file", "web page", "Markdown file"]

MOST_SECONDS = 60.0
"""Books take less; a small file can be made to take hours."""
MOST_MEMORY = 2 << 30
_OUT_OF_TIME = (9, 24)
"""SIGKILL and SIGXCPU, by which a system ends what has used up its time."""


def read_in_child(kind: Kind, content: bytes) -> Any:
    """Read content of a kind of file in a child process. Raises `Unreadable`."""
    limits = str(math.ceil(MOST_SECONDS)), str(MOST_MEMORY)
    command = [sys.executable, "-P", "-m", __name__, kind, *limits]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise _too_much(kind) from None
    if -done.returncode in _OUT_OF_TIME:
        raise _too_much(kind)
    if done.returncode:
        raise Unreadable(f"the {kind} is cut short or damaged; copy it again")
    told = json.loads(done.stdout)
    if "fault" in told:
        raise (Unreadable if told["is_text"] else NotText)(told["fault"])
    return told["found"]


def _too_much(kind: Kind) -> Unreadable:
    return Unreadable(f"the {kind} takes too long to read; save the part that matters as .txt")


def _main(kind: Kind, seconds: int, memory: int) -> None:
    _limit(seconds, memory)
    try:
        told = {"found": _read(kind, sys.stdin.buffer.read())}
    except MemoryError:
        told = _fault(_too_much(kind))
    except Unreadable as fault:
        told = _fault(fault)
    json.dump(told, sys.stdout)


def _fault(fault: Unreadable) -> dict[str, Any]:
    return {"fault": str(fault), "is_text": not isinstance(fault, NotText)}


def _limit(seconds: int, memory: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        _, already = resource.getrlimit(what)
        if already == resource.RLIM_INFINITY or most < already:
            with suppress(ValueError):  # macOS does not limit memory
                resource.setrlimit(what, (most, most))


def _read(kind: Kind, content: bytes) -> Any:
    if kind == "PDF":
        from samehand.reading.pdf.extracting import pages_of

        return pages_of(content)
    if kind == "Word file":
        from samehand.reading.word import docx_text

        return docx_text(content)
    if kind == "Markdown file":
        from samehand.reading.markdown import markdown_text

        return markdown_text(content.decode())
    from samehand.reading.html import html_text

    return html_text(content.decode())


if __name__ == "__main__":
    _main(sys.argv[1], *map(int, sys.argv[2:]))  # type: ignore[arg-type]
