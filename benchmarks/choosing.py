"""How well do networks tell hands apart, on the half of the authors that choices are made on?

    python benchmarks/choosing.py TRIALS --texts DEV --texts SHIFT RUN...

Prints the AUC of the distance of each RUN, of what `samehand train` makes, and of all of them
together, as means over sets of each kind. TRIALS is a folder of trial sets, DEV and SHIFT have the
texts that they were drawn from, by author (`halves.py`); the other half of the authors is for the
report (`quality.py`).
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from halves import CHOSEN, halves
from numpy.typing import NDArray
from posed import Posed
from quality import kind_of, trial_sets
from quality_figures import FEWEST_OF_PART, KINDS

from samehand.corpus.readers import read_trials
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors
from samehand.errors import InputError
from samehand.evaluation import auc
from samehand.model.folder import StoredNetwork, read_model
from samehand.scoring.distance import Trials, compare

ALL = "all together"


def network_of(run: Path) -> StoredNetwork:
    """The only network of a run."""
    (network,) = read_model(run / "model", without_evidence=True).networks
    return network


def measured(
    folders: list[Path], collections: list[Path], runs: list[Path]
) -> dict[str, dict[str, float]]:
    """By the names of the runs and of kinds of sets, the mean AUC."""
    embedder = Embedder([network_of(run) for run in runs])
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for folder in folders:
        print(f"{folder.name} …", file=sys.stderr, flush=True)
        trials = list(read_trials(folder))
        of_half = halves(trials, folder.name.partition("-")[2], collections)
        trials = [trial for trial, half in zip(trials, of_half, strict=True) if half == CHOSEN]
        posed = Posed.of(trials)
        if min(posed.same.sum(), (~posed.same).sum()) < FEWEST_OF_PART:
            continue
        vectors = embedder.embed(posed.texts)
        for name, score in scores(vectors, posed.trials, runs).items():
            found[name][kind_of(folder.name)].append(auc(posed.same, score))
    return {
        name: {kind: float(np.mean(of_kind[kind])) for kind in KINDS if kind in of_kind}
        for name, of_kind in found.items()
    }


def scores(
    vectors: TextVectors, trials: Trials, runs: list[Path]
) -> dict[str, NDArray[np.float64]]:
    """How alike the sides of trials are, to each network and to all."""
    alone = {
        run.name: compare(of_one, trials).similarity
        for run, of_one in zip(runs, vectors.each_network(), strict=True)
    }
    return alone | {ALL: compare(vectors, trials).similarity} if len(runs) > 1 else alone


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--texts", type=Path, action="append", required=True)
    options = parser.parse_args()
    try:
        found = measured(trial_sets(options.trials), options.texts, options.runs)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    kinds = [kind for kind in KINDS if any(kind in row for row in found.values())]
    print("| AUC, mean over sets |", " | ".join(kinds), "|")
    print("| --- |", " | ".join(["---:"] * len(kinds)), "|")
    for name, row in found.items():
        print(f"| {name} |", " | ".join(f"{row[kind]:.3f}" for kind in kinds), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
