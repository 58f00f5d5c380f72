"""Non-responses (O2D2) and the ensemble, as the paper's follow-up has them: measures before, after.

    python recipes/paper/rejection.py STORE RUN... [--fit calibration] [--trials test]

Each RUN is a network that `samehand train` made of STORE by the preset paper. For each a detector
learns from one set of the store's trials which of them its adaptation decides wrongly, or hardly at
all; on another set, by other authors, what it rejects is answered 0.5. The ensemble answers by the
mean of the posteriors, and rejects what most of its detectors reject. Prints a Markdown table, of
percent; for single networks it has means and deviations over RUNs. Needs samehand[train].
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.corpus.store import Store
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.fitting.stored_vectors import embed_stored
from samehand.model.folder import StoredNetwork, read_model
from samehand.network.rejection import fit_rejection
from samehand.network.weights import network_of
from samehand.training.texts import Stored, whole_texts

MEASURES = ("auc", "c@1", "f_05_u", "f1", "brier", "overall", "ece")


class Answers(NamedTuple):
    """A network's answers to trials, and which of them its detector rejects."""

    probability: NDArray[np.float64]
    rejected: NDArray[np.bool_]


def pairs_of_levs(
    store: Store, network: StoredNetwork, name: str
) -> tuple[Tensor, Tensor, NDArray[np.bool_]]:
    """LEVs of both sides of a set of trials, and which are by one author."""
    if name not in store.trial_names:
        known = ", ".join(store.trial_names)
        raise InputError(f"{store.folder} has no set of trials {name!r}; choose from {known}.")
    trials = store.trials(name)
    used, places = np.unique(np.stack([trials.first, trials.second]), return_inverse=True)
    windowing = network.config.windowing
    texts = whole_texts(Stored.of(store), windowing.span(network.config.most_units))
    levs = torch.from_numpy(embed_stored(store, [network], texts, used).style)
    first, second = places.reshape(2, -1)
    return levs[first], levs[second], trials.same_author


def answers(store: Store, network: StoredNetwork, fit: str, name: str, seed: int) -> Answers:
    """A detector from one set of trials, at work on another."""
    scoring = network_of(network).scoring
    y1, y2, same = pairs_of_levs(store, network, fit)
    if not len(same):
        raise InputError(f"{store.folder}: its set of trials {fit!r} is empty; name another.")
    detector = fit_rejection(scoring, y1, y2, torch.from_numpy(same), seed)
    y1, y2, _ = pairs_of_levs(store, network, name)
    with torch.no_grad():
        _, adapted = scoring(y1, y2.unsqueeze(1))
        rejected = detector(y1, y2, adapted.log_confusion) > 0
    return Answers(adapted.probability.double().numpy(), rejected.numpy())


def table(same: NDArray[np.bool_], found: Sequence[Answers]) -> str:
    """Single networks and all of them together, without and with rejection."""
    votes = np.mean([each.rejected for each in found], axis=0) > 0.5
    mean = np.mean([each.probability for each in found], axis=0)
    systems = {"one network": found, f"ensemble of {len(found)}": [Answers(mean, votes)]}
    lines = [f"| | O2D2 | rejected | {' | '.join(MEASURES)} |", "|---" * (3 + len(MEASURES)) + "|"]
    for name, each in systems.items():
        for how in ("without", "with"):
            reject = [a.rejected & (how == "with") for a in each]
            p = [np.where(r, 0.5, a.probability) for a, r in zip(each, reject, strict=True)]
            measured = [score(same, one) for one in p]
            columns = [[r.mean() for r in reject]]
            columns += [[figures[measure] for figures in measured] for measure in MEASURES]
            cells = (f"{100 * np.mean(c):.1f} ± {100 * np.std(c):.1f}" for c in columns)
            lines.append(f"| {name} | {how} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--fit", default="calibration", help="trials that the detectors learn from")
    parser.add_argument("--trials", default="test", help="trials that are answered")
    options = parser.parse_args()
    try:
        store = Store.open(options.store)
        models = [read_model(run / "model") for run in options.runs]
        if any(model.description.evidence != "paper" for model in models):
            raise InputError("Give runs of the preset paper: the others have no adaptation.")
        found = [
            answers(store, model.networks[0], options.fit, options.trials, seed)
            for seed, model in enumerate(models)
        ]
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(table(store.trials(options.trials).same_author, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
