"""Is evaluating a million answers cheap next to merely parsing them?

Prints the time `samehand` takes to read and score the two files (no intervals), the time Python's
`json` takes to parse their lines, and the ratio. Exits with 1 where the ratio is not below 10.

    python benchmarks/evaluation.py [--answers 1000000]
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from samehand.evaluation import read_answers, read_truth, score

BAR = 10.0


def write_trials(folder: Path, n: int) -> tuple[Path, Path]:
    """Truth and answers in PAN's format; the answers are shuffled, and some of them are 0.5."""
    rng = np.random.default_rng(0)
    same = rng.random(n) < 0.5
    probability = 1 / (1 + np.exp(-rng.normal(np.where(same, 1.5, -1.5), 2.0)))
    probability[rng.random(n) < 0.05] = 0.5
    truth, answers = folder / "truth.jsonl", folder / "answers.jsonl"
    with truth.open("w") as lines:
        for i, label in enumerate(same.tolist()):
            lines.write(json.dumps({"id": f"trial-{i:036d}", "same": label}) + "\n")
    with answers.open("w") as lines:
        for i in rng.permutation(n).tolist():
            value = float(probability[i])
            lines.write(json.dumps({"id": f"trial-{i:036d}", "value": value}) + "\n")
    return truth, answers


def parse(*paths: Path) -> None:
    for path in paths:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                json.loads(line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=1_000_000)
    n = parser.parse_args().answers
    with tempfile.TemporaryDirectory() as folder:
        truth, answers = write_trials(Path(folder), n)
        start = time.perf_counter()
        parse(truth, answers)
        parsed = time.perf_counter()
        known = read_truth(truth)
        given = read_answers(answers, known)
        read = time.perf_counter()
        found = score(known.same, given.probability)
        scored = time.perf_counter()
    ratio = (scored - parsed) / (parsed - start)
    print(f"{n:,} answers: json {parsed - start:.2f} s; samehand {scored - parsed:.2f} s")
    print(f"  of which reading {read - parsed:.2f} s, scoring {scored - read:.2f} s")
    print(f"  AUC {found['auc']:.4f}, Cllr_min {found['cllr_min']:.4f}")
    print(f"ratio {ratio:.2f} (bar: below {BAR:g})")
    return 0 if ratio < BAR else 1


if __name__ == "__main__":
    sys.exit(main())
