"""What does `samehand calibrate` do for trials it was not fitted to?

    python benchmarks/calibrating.py TRIALS [--model DIR]

TRIALS is a folder of trial sets in PAN's format with their truth. Each set is dealt to two halves
that share no text; each half is answered as calibrated on the other, and both are scored together,
next to the same model as it comes. Prints a Markdown table. Sets of which a half would have fewer
than 50 trials of a kind are left out, and repeats of a pair count once.
"""

import argparse
from pathlib import Path

import numpy as np

from samehand.casework.fitting import cross_validated
from samehand.casework.folds import fold
from samehand.casework.labelled import LEAST_OF_A_KIND, gather, probabilities
from samehand.evaluation import log_lr, score
from samehand.verifier import Verifier

SHOWN = ("cllr", "ece")


def row(name: str, same: np.ndarray, before: np.ndarray, after: np.ndarray) -> str:
    scores = [score(same, p) for p in (before, after)]
    cells = [f"{found[figure]:.3f}" for figure in SHOWN for found in scores]
    return f"| {name} | {len(same):,} | {scores[0]['auc']:.3f} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trials", type=Path)
    parser.add_argument("--model", type=Path, default=None)
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    print("| set | trials | AUC | Cllr | calibrated | ECE | calibrated |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for folder in sorted(path.parent for path in options.trials.glob("*/truth.jsonl*")):
        gathered = gather(folder, folder, skip_repeats=True)
        p = probabilities(verifier, gathered)
        gathered, p = gathered.only(~np.isnan(p)), p[~np.isnan(p)]
        folds = fold(gathered.trials)
        if folds is None:
            continue
        same, half = gathered.same, folds.number % 2  # every other fold
        if min(np.bincount(2 * half + same, minlength=4)) < LEAST_OF_A_KIND:
            continue
        after = 1 / (1 + np.exp(-cross_validated(same, log_lr(p), half)))
        parts.append((same, p, after))
        print(row(folder.name, same, p, after), flush=True)
    print(row("all together", *map(np.concatenate, zip(*parts, strict=True))))


if __name__ == "__main__":
    main()
