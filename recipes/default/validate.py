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

from samehand.casework.answering import answer
from samehand.evaluation import read_answers, read_truth
from samehand.evaluation.validation import stated_figures, stated_validation
from samehand.network.weights import description_file
from samehand.verifier import Verifier


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
            answer(verifier, folder, file, always=True)
            truth = read_truth(folder)
            p = read_answers(file, truth).probability
        same = truth.same
        sets[folder.name] = stated_figures(same, p)
        all_same.append(same)
        all_p.append(p)
        print(folder.name, sets[folder.name], flush=True)
    same, p = np.concatenate(all_same), np.concatenate(all_p)
    on = (
        f"{len(same):,} trials in {len(sets)} sets; same-author pairs cross topics, "
        "different-author pairs share one; sets named shift-* are genres that are not in the "
        "training text"
    )
    validation = stated_validation(on, same, p) | {"sets": sets}
    path = description_file(options.model)
    description = json.loads(path.read_text("utf-8"))
    description["about"]["validation"] = validation
    path.write_text(json.dumps(description, indent=1, ensure_ascii=False), "utf-8")
    print("all", validation["figures"], "bounds", validation["log10_lr_bounds"])


if __name__ == "__main__":
    main()
