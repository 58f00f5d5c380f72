"""Measure a model on sets of trials, and write into it what they support.

    python recipes/default/validate.py MODEL TRIALS

TRIALS holds a folder a set (pairs.jsonl.gz, truth.jsonl). Written under `about.validation` of the
model's description: figures of all trials and of each set, the bounds within which likelihood
ratios are supported, and what the plots of a report show. The model's answers stay as they are.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np

from samehand.answering import answer
from samehand.evaluation import read_answers, read_truth, score
from samehand.evaluation.bounds import elub
from samehand.model.weights import ENSEMBLE
from samehand.verifier import Verifier

SHOWN = ("auc", "c@1", "f1", "brier", "ece", "cllr", "cllr_min", "eer", "n")
RANKS = 101
"""Likelihood ratios of each kind kept for plots: evenly spaced ranks of them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("trials", type=Path)
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    sets, all_same, all_p = {}, [], []
    for folder in sorted(path.parent for path in options.trials.glob("*/truth.jsonl")):
        with tempfile.TemporaryDirectory() as made:
            file = Path(made) / "answers.jsonl"
            answer(verifier, folder, file)
            truth = read_truth(folder)
            p = read_answers(file, truth).probability
        same = truth.same
        sets[folder.name] = figures(same, p)
        all_same.append(same)
        all_p.append(p)
        print(folder.name, sets[folder.name], flush=True)
    same, p = np.concatenate(all_same), np.concatenate(all_p)
    log10_lrs = np.log10(p) - np.log10(1 - p)
    ranks = np.linspace(0, 1, RANKS)
    validation = {
        "on": f"{len(same):,} trials in {len(sets)} sets; same-author pairs cross topics, "
        "different-author pairs share one; sets named shift-* are genres that are not in the "
        "training text",
        "log10_lr_bounds": [round(float(bound), 3) for bound in elub(same, log10_lrs)],
        "figures": figures(same, p),
        "sets": sets,
        "log10_lrs": {
            name: np.quantile(log10_lrs[kind], ranks).round(3).tolist()
            for name, kind in (("same", same), ("different", ~same))
        },
        "reliability": reliability(same, p),
    }
    path = options.model / ENSEMBLE
    path = path if path.is_file() else options.model / "model.json"
    description = json.loads(path.read_text("utf-8"))
    description["about"]["validation"] = validation
    path.write_text(json.dumps(description, indent=1, ensure_ascii=False), "utf-8")
    print("all", validation["figures"], "bounds", validation["log10_lr_bounds"])


def figures(same: np.ndarray, p: np.ndarray) -> dict[str, float]:
    found = score(same, p)
    return {name: round(found[name], 4) for name in SHOWN}


def reliability(same: np.ndarray, p: np.ndarray) -> list[list[float]]:
    """Mean probability, and share by one author, of tenths of the trials."""
    parts = np.array_split(np.argsort(p, kind="stable"), 10)
    return [[round(float(p[i].mean()), 4), round(float(same[i].mean()), 4)] for i in parts]


if __name__ == "__main__":
    main()
