"""The cost of lost line ends in one text or in both.

    python benchmarks/layout.py TRIALS [--model DIR]

TRIALS holds a folder a set (pairs.jsonl.gz, truth.jsonl). Line ends are habits of the hand, and get
lost where texts are copied. Printed are AUC and Cllr of each set as it is, with the white space of
the questioned text turned to single spaces, and with that of all texts, and their means for each
kind of set.
"""

import argparse
from pathlib import Path

import numpy as np

from samehand.casework.answering import assessed
from samehand.corpus.readers import Trial, read_trials
from samehand.evaluation import read_truth, score
from samehand.verdict import probability_of
from samehand.verifier import Verifier

KINDS = ("as they are", "one flat", "all flat")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    verifier = Verifier.load(options.model)
    found: dict[str, np.ndarray] = {}
    for folder in sorted(path.parent for path in options.trials.glob("*/truth.jsonl")):
        found[folder.name] = measured(verifier, folder)
        print(f"{folder.name:18}" + shown(found[folder.name]), flush=True)
    for kind in ("dev", "shift"):
        sets = [figures for name, figures in found.items() if name.startswith(kind)]
        if sets:
            print(f"{kind + ', mean':18}" + shown(np.mean(sets, 0)))


def measured(verifier: Verifier, folder: Path) -> np.ndarray:
    """AUC and Cllr (kinds, 2)."""
    trials, same = list(read_trials(folder)), read_truth(folder).same
    figures = []
    for kind in KINDS:
        made = (laid_out(trial, kind) for trial in trials)
        lrs = [found.log10_lr for _, found in assessed(verifier, made)]
        scored = score(same, np.array([probability_of(log10_lr) for log10_lr in lrs]))
        figures.append([scored["auc"], scored["cllr"]])
    return np.array(figures)


def laid_out(trial: Trial, kind: str) -> Trial:
    if kind == "as they are":
        return trial
    known = trial.known if kind == "one flat" else tuple(map(flat, trial.known))
    return trial._replace(questioned=flat(trial.questioned), known=known)


def flat(text: str) -> str:
    return " ".join(text.split())


def shown(figures: np.ndarray) -> str:
    return "   ".join(
        f"{kind}: AUC {auc:.3f}, Cllr {cllr:.3f}"
        for kind, (auc, cllr) in zip(KINDS, figures, strict=True)
    )


if __name__ == "__main__":
    main()
