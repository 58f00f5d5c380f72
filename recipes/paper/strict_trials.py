"""Take from each set of trials some that are strictly SA_DF or DA_SF, alike many of both.

    python recipes/paper/strict_trials.py TRIALS -o DIR [--of-each 60]

TRIALS holds a folder a set in PAN's format, with the truth; a topic is what `fandoms` says. They
become one set, DIR/strict: the first of each kind, in the order in which they stand.
"""

import argparse
import gzip
import json
from pathlib import Path
from typing import Any


def strict(folder: Path, of_each: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Trials of a set with their truth, or none where it has too few of either kind."""
    truth = {}
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        truth[entry["id"]] = entry
    of_kind: dict[bool, list[Any]] = {True: [], False: []}
    with gzip.open(folder / "pairs.jsonl.gz", "rt", encoding="utf-8") as file:
        for trial in map(json.loads, file):
            same = truth[trial["id"]]["same"]
            first, second = trial["fandoms"]
            if (first == second) != same:
                of_kind[same].append((trial, truth[trial["id"]]))
    n = min(of_each // 2, *map(len, of_kind.values()))
    return of_kind[True][:n] + of_kind[False][:n]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path, nargs="+")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--of-each", type=int, default=60)
    options = parser.parse_args()
    to = options.output / "strict"
    to.mkdir(parents=True, exist_ok=True)
    with (
        gzip.open(to / "pairs.jsonl.gz", "wt", encoding="utf-8") as pairs,
        (to / "truth.jsonl").open("w", encoding="utf-8") as truths,
    ):
        for folder in sorted(options.trials):
            found = strict(folder, options.of_each)
            print(f"{folder.name}: {len(found)}")
            for trial, truth in found:
                pairs.write(json.dumps(trial, ensure_ascii=False) + "\n")
                truths.write(json.dumps(truth) + "\n")


if __name__ == "__main__":
    main()
