"""What a reader is worth beside a model, on the same trials.

    python recipes/reader/beside.py READER TRIALS [--model MODEL] [--look 2]

READER is what `learn.py` left, TRIALS a folder with a folder a set. For each kind of sets (dev,
shift) it prints mean AUC and Cllr of the reader alone, of the model alone, and of the model's log
odds with some share of the reader's added. `--look` is for the reader as it was while it learned.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.special import expit, logit

from samehand.answering import answered
from samehand.corpus.readers import read_trials
from samehand.evaluation import score
from samehand.verifier import Verifier

SHARES = (0.1, 0.2, 0.3, 0.5, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader", type=Path)
    parser.add_argument("trials", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--look", type=int)
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    columns = ["reader", "model", *(f"model + {share} reader" for share in SHARES)]
    figures: dict[str, list[np.ndarray]] = {}
    looked = "" if options.look is None else f"{options.look}-"
    found = np.load(options.reader / "found.npz")
    for folder in sorted(path for path in options.trials.iterdir() if looked + path.name in found):
        read, same = found[looked + folder.name]
        trials = answered(verifier, read_trials(folder))
        ours = logit([0.5 if value is None else value for _, value in trials])
        scores = [read, ours, *(ours + share * read for share in SHARES)]
        told = (score(same.astype(bool), expit(log_odds)) for log_odds in scores)
        rows = np.array([[one["auc"], one["cllr"]] for one in told])  # (columns, 2)
        figures.setdefault(folder.name.split("-")[0], []).append(rows)
    if not figures:
        parser.error(f"{options.trials} has none of the sets that the reader was asked about")
    for kind, of_sets in figures.items():
        for column, (auc, cllr) in zip(columns, np.mean(of_sets, axis=0), strict=True):
            print(f"{kind:8} {column:20} AUC {auc:.3f} Cllr {cllr:.3f}")


if __name__ == "__main__":
    main()
