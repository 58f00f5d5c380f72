"""The console script as a user runs it."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("samehand")


def samehand(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run it, and check its exit code; a traceback is never right."""
    done = subprocess.run([SCRIPT, *map(str, arguments)], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return done


def complaint(*arguments: object) -> str:
    """The one sentence on stderr with which it refuses."""
    done = samehand(*arguments, code=2)
    assert done.stdout == ""
    assert done.stderr.startswith("samehand: ")
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.removeprefix("samehand: ").rstrip("\n")
