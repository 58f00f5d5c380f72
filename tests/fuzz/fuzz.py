"""Mutate files, keep what reaches new lines, and report whatever does not end in a sentence.

    python -m tests.fuzz.fuzz [--seconds 60] [--seed 0] [TARGET ...]

A minute for each target unless told otherwise. What does harm is kept in tests/fuzz/faults/TARGET,
where the tests read it from then on.
"""

import argparse
import hashlib
import random
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.targets import EXPECTED, TARGETS, Target

FAULTS = Path(__file__).with_name("faults")
LONGEST = 20.0
"""Seconds that reading one of these small files may take."""
MOST_BYTES = 1 << 17
ODD = [
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae", b"9" * 40, b"-1", b"1e999", b"NaN", b"null",
    b"[]", b"{}", b'"', b"<", b">", b"&#", b"]]>", b"<!--", b"<![CDATA[", b"\n", b"\r", b"\t", b",",
    b"[" * 200, b"<p>" * 200,
]  # fmt: skip


def mutated(content: bytes, others: Sequence[bytes], draw: random.Random) -> bytes:
    """A file with some bytes changed, taken out, repeated, or put in from elsewhere."""
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        start = draw.randrange(len(changed) + 1)
        end = min(len(changed), start + draw.choice((0, 1, 4, 16, 256)))
        match draw.randrange(5):
            case 0 if start < len(changed):
                changed[start] ^= 1 << draw.randrange(8)
            case 1:
                del changed[start:end]
            case 2:
                changed[start:start] = changed[start:end] * draw.choice((1, 2, 50))
            case 3:
                changed[start:end] = draw.choice(ODD)
            case _:
                other = draw.choice(others)
                at = draw.randrange(len(other) + 1)
                changed[start:end] = other[at : at + draw.choice((1, 8, 64))]
    return bytes(changed[:MOST_BYTES])


class Lines:
    """The lines of samehand that were reached."""

    def __init__(self) -> None:
        self.reached: set[tuple[Any, int]] = set()

    def __enter__(self) -> "Lines":
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, _: object) -> Any:
        return self._traced if "/samehand/" in frame.f_code.co_filename else None

    def _traced(self, frame: FrameType, event: str, _: object) -> Any:
        self.reached.add((frame.f_code, frame.f_lineno))
        return self._traced


def harm(target: Target, content: bytes) -> str | None:
    """The harm that reading a file does, if any."""
    start = time.monotonic()
    try:
        target.read(content)
    except EXPECTED as error:
        if "\n" in str(error):
            return f"a message of several lines: {error}"
    except Exception:
        return traceback.format_exc()
    took = time.monotonic() - start
    return f"it took {took:.0f} seconds" if took > LONGEST else None


def fuzz(name: str, target: Target, seconds: float, draw: random.Random) -> tuple[int, int]:
    """How many files were tried, and how many did harm."""
    kept, tried, faults = list(target.seeds), 0, 0
    lines, end = Lines(), time.monotonic() + seconds
    while time.monotonic() < end:
        content = mutated(draw.choice(kept), kept, draw)
        before = len(lines.reached)
        with lines:
            found = harm(target, content)
        tried += 1
        if len(lines.reached) > before:
            kept.append(content)
        if found:
            faults += 1
            place = FAULTS / name / hashlib.sha256(content).hexdigest()[:16]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
            print(f"{place}: {found}", file=sys.stderr)
    return tried, faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    harmful = 0
    for name in given.names or TARGETS:
        tried, faults = fuzz(name, TARGETS[name](), given.seconds, random.Random(given.seed))
        print(f"{name}: {tried:,} files, {faults} did harm", flush=True)
        harmful += faults
    sys.exit(harmful > 0)


if __name__ == "__main__":
    main()
