"""Time of `samehand verify` from a cold start, and documents a second once the model is loaded.

The start is measured against `python -c "import numpy, numba"` in the same run, on two texts of
1,000 words. Exits with 1 where it takes more than 4 times as long, or where fewer than 40 documents
of 1,000 words a second go through `Verifier.embed`, or through `Verifier.verify`, two in each call.

    python benchmarks/verify_speed.py [--model DIR]
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from samehand.verifier import Verifier

ESSAYS = Path(__file__).parents[1] / "examples" / "essays"
WORDS, DOCUMENTS, ROUNDS = 1_000, 80, 5
MOST_TIMES, LEAST_A_SECOND = 4.0, 40.0


def texts() -> list[str]:
    """Documents of 1,000 words, each from another place in the essays, so that none are alike."""
    words = " ".join(path.read_text("utf-8") for path in sorted(ESSAYS.glob("*.txt"))).split()
    starts = range(0, len(words), len(words) // DOCUMENTS)
    return [" ".join(islice(cycle(words), start, start + WORDS)) for start in starts][:DOCUMENTS]


def seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def cold(model: list[str]) -> tuple[float, float]:
    """Median seconds of `import numpy, numba` and of `samehand verify`, taken in turn."""
    command = [str(Path(sys.executable).with_name("samehand")), "verify", "--json", *model]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("questioned.txt", "known.txt")]
        some = texts()
        for file, text in zip(files, (some[0], some[DOCUMENTS // 2]), strict=True):
            file.write_text(text, "utf-8")
        jobs = [sys.executable, "-c", "import numpy, numba"], [*command, *map(str, files)]
        rounds = [
            [
                seconds(lambda job=job: subprocess.run(job, check=True, capture_output=True))
                for job in jobs
            ]
            for _ in range(ROUNDS)
        ]
    yardstick, ours = zip(*rounds[1:], strict=True)  # the first one finds the disk cold
    return statistics.median(yardstick), statistics.median(ours)


def warm(verifier: Verifier) -> tuple[float, float]:
    """Documents a second through `embed`, all at once, and through `verify`, a pair at a time."""
    some = texts()
    pairs = list(zip(some[::2], some[1::2], strict=True))

    def verify_all() -> None:
        for questioned, known in pairs:
            verifier.verify(questioned, known)

    verify_all()
    embedding = min(seconds(lambda: verifier.embed(some)) for _ in range(3))
    verifying = min(seconds(verify_all) for _ in range(3))
    return len(some) / embedding, len(some) / verifying


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--model", type=Path, help="a trained model instead of the packaged one")
    model: Path | None = parser.parse_args().model
    yardstick, verify_start = cold(["--model", str(model)] if model else [])
    embedded, verified = warm(Verifier.load(model))
    ratio = verify_start / yardstick
    print(f'python -c "import numpy, numba"  {yardstick:.2f} s')
    print(f"samehand verify, cold            {verify_start:.2f} s")
    print(f"ratio                            {ratio:.2f} ({MOST_TIMES:.0f} at most)")
    print(f"Verifier.embed, documents/s      {embedded:.0f} ({LEAST_A_SECOND:.0f} at least)")
    print(f"Verifier.verify, documents/s     {verified:.0f} ({LEAST_A_SECOND:.0f} at least)")
    return 0 if ratio <= MOST_TIMES and min(embedded, verified) >= LEAST_A_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
