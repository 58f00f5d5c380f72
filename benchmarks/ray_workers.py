"""How much faster do two workers of Ray index than one?

    python benchmarks/ray_workers.py CORPUS [--slices 8] [--times 2]

CORPUS is a JSON Lines file. Its first documents are indexed by a local Ray cluster with one worker
and with two, in turns, each with one thread, and without Ray by all threads. It counts from when
each worker has done its first slice of 2,048 documents, without the start of Ray and of the model.
"""

import argparse
import os
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from samehand.corpus.readers import Columns
from samehand.errors import InputError
from samehand.index import Index
from samehand.index.corpora import entries
from samehand.index.slices import ROWS
from samehand.verifier import Verifier


def speed(corpus: Path, verifier: Verifier, workers: int) -> float:
    """Documents per second; 0 workers are the plain path."""
    done_at: list[tuple[float, int]] = []

    def watch(doing: str, done: int = 0, total: int | None = None, note: str = "") -> None:
        if done and doing.startswith("embedding"):
            done_at.append((time.monotonic(), done))

    with tempfile.TemporaryDirectory() as folder:
        index = Index.at(Path(folder) / "index", verifier)
        if workers:
            index.add_by_ray([corpus], Columns(), workers=workers, progress=watch)
        else:
            index.add(entries([corpus], Columns()), progress=watch)
    (start, first), (end, last) = done_at[max(workers, 1) - 1], done_at[-1]
    return (last - first) / (end - start)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--slices", type=int, default=8)
    parser.add_argument("--times", type=int, default=2)
    options = parser.parse_args()
    verifier = Verifier.load()
    os.environ["OMP_NUM_THREADS"] = "1"  # of workers
    with tempfile.TemporaryDirectory() as folder:
        some = Path(folder) / "some.jsonl"
        with options.corpus.open() as source:
            some.write_text("".join(islice(source, options.slices * ROWS)))
        try:
            for _ in range(options.times):
                plain, one, two = (speed(some, verifier, workers) for workers in (0, 1, 2))
                print(
                    f"plain {plain:.0f}, one worker {one:.0f}, two workers {two:.0f} documents/s: "
                    f"{two / one:.2f} times one; load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )
        except InputError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
