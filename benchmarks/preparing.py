"""Costs of `samehand prepare`: time by step, share of the cores, peak memory of all processes.

    python benchmarks/preparing.py CORPUS... [--dev CORPUS] [--workers N]

Tokenising counts as the processor time of the worker processes; the main process reads, drops
duplicates and writes. Idle is what no process of the machine used, so that other work on it does
not count against us. Exits with 1 where a quarter of the cores lies idle while tokenising, memory
passes 6 GiB, or tokenising is not what takes most processor time.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

MOST_MEMORY = 6.0  # GiB
MOST_IDLE = 0.25
READING = "reading and tokenising"


def prepare(corpora: list[Path], dev: list[Path], workers: int | None, folder: Path) -> None:
    """In a process of its own: prepare, and print the processor time of each step."""
    from samehand.corpus.prepare import Preparation
    from samehand.corpus.prepare import prepare as make

    steps: list[tuple[str, float, float, float]] = []

    def note(what: str, documents: int = 0, total: int | None = None, note: str = "") -> None:
        step = READING if what.startswith("reading") else what
        if not steps or steps[-1][0] != step:
            steps.append((step, time.monotonic(), time.process_time(), idle_seconds()))

    note("reading")
    store = make(Preparation(corpora, dev, workers=workers), folder, progress=note)
    note("end")
    taken = {
        name: [end - start for start, end in zip(before, after, strict=True)]
        for (name, *before), (_, *after) in pairwise(steps)
    }
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(json.dumps([taken, children.ru_utime + children.ru_stime, store.about["parts"]]))


def idle_seconds() -> float:
    """How long the cores have been idle so far, all together."""
    fields = Path("/proc/stat").read_text().split(maxsplit=6)
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


def watch(process: subprocess.Popen[str]) -> float:
    """Wait for a process; the most memory that it and its children held at once, in GiB."""
    most = 0
    while process.poll() is None:
        most = max(most, sum(map(_resident, _family(process.pid))))
        time.sleep(0.1)
    return most / 2**30


def _family(parent: int) -> list[int]:
    children = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            children += [int(child) for child in task.read_text().split()]
        except OSError:
            continue
    return [parent, *(member for child in children for member in _family(child))]


def _resident(process: int) -> int:
    """Memory of its own, and its part of what is shared."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--dev", action="append", default=[], type=Path)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.folder:
        prepare(options.corpus, options.dev, options.workers, options.folder)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        command = [sys.executable, __file__, *sys.argv[1:], "--in", f"{folder}/store"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        memory = watch(process)
        wall = time.monotonic() - start
        output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        return process.returncode
    steps, tokenising, parts = json.loads(output)
    return report(wall, memory, steps, tokenising, parts)


def report(
    wall: float,
    memory: float,
    steps: dict[str, tuple[float, float, float]],
    tokenising: float,
    parts: dict[str, dict[str, int]],
) -> int:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime
    words, documents = (sum(part[key] for part in parts.values()) for key in ("words", "documents"))
    print(f"{documents:,} documents, {words:,} words in {wall:.1f} s: {words / wall:,.0f} words/s")
    for name, (seconds, own, _) in steps.items():
        print(f"  {name:24} {seconds:6.1f} s, {own:6.1f} s of the main process")
    print(f"processor time: {cpu:.1f} s, of which tokenising {tokenising:.1f} s")
    seconds, _, idle = steps[READING]
    share = idle / seconds / len(os.sched_getaffinity(0))
    print(f"idle while reading and tokenising: {share:.0%} of {os.cpu_count()} cores")
    print(f"memory, all processes: {memory:.2f} GiB at most")
    first = tokenising > max(own for _, own, _ in steps.values())
    return 0 if first and memory < MOST_MEMORY and share < MOST_IDLE else 1


if __name__ == "__main__":
    sys.exit(main())
