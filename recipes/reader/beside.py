"""What a reader is worth beside a model, on the same trials.

    python recipes/reader/beside.py READER TRIALS [--model MODEL] [--look 1]

READER is what `learn.py` left, TRIALS a folder with a folder a set. For each kind of sets (dev,
shift) it prints mean AUC and Cllr of the model, of the reader, and of both together. How much each
counts, and where zero is, is fitted to the dev sets but the one at hand: what shift sets have to
show for it would come out the same in a genre that nobody has trials of. `--look` is for the reader
as it was while it learned.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from samehand.answering import answered
from samehand.corpus.readers import read_trials
from samehand.evaluation import score
from samehand.verifier import Verifier

Floats = NDArray[np.float64]

FITTED_TO = "dev-"
WITNESSES = {"model": [0], "reader": [1], "both": [0, 1]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reader", type=Path)
    parser.add_argument("trials", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--look", type=int)
    options = parser.parse_args()
    looked = "" if options.look is None else f"{options.look}-"
    found = np.load(options.reader / "found.npz")
    folders = [path for path in sorted(options.trials.iterdir()) if looked + path.name in found]
    if sum(folder.name.startswith(FITTED_TO) for folder in folders) < 2:
        parser.error(f"{options.trials} has not two {FITTED_TO}* sets that the reader was asked of")
    verifier = Verifier.load(options.model)
    sets = {}
    for folder in folders:
        evidence, tokens, same = found[looked + folder.name]
        probability = [value for _, value in answered(verifier, read_trials(folder))]
        ours = logit([0.5 if value is None else value for value in probability])
        sets[folder.name] = np.stack([ours, evidence / np.sqrt(tokens)]), same.astype(bool)
    print("kind    witness   AUC  Cllr  highest Cllr of a set")
    for kind in dict.fromkeys(name.split("-")[0] for name in sets):
        for witness, columns in WITNESSES.items():
            rows = [figures(sets, name, columns) for name in sets if name.startswith(f"{kind}-")]
            auc, cllr = np.mean(rows, axis=0)
            print(f"{kind:7} {witness:8} {auc:.3f} {cllr:.3f} {max(row[1] for row in rows):.3f}")


def figures(
    sets: dict[str, tuple[Floats, NDArray[np.bool_]]], name: str, columns: list[int]
) -> tuple[float, float]:
    """AUC and Cllr of a set, by weights of some witnesses that other sets give."""
    others = [of for other, of in sets.items() if other.startswith(FITTED_TO) and other != name]
    seen = np.concatenate([scores[columns] for scores, _ in others], axis=1).T
    spread = seen.std(axis=0)
    fitted = LogisticRegression(C=10.0).fit(seen / spread, np.concatenate([of[1] for of in others]))
    scores, same = sets[name]
    log_odds = fitted.decision_function(scores[columns].T / spread)
    told = score(same, expit(log_odds))
    return told["auc"], told["cllr"]


if __name__ == "__main__":
    main()
