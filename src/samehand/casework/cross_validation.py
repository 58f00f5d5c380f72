"""Figures of a model on gathered trials, as it is and as its last stage would be fitted to them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.casework.fitting import cross_validated, fit
from samehand.casework.folds import Folds, fold
from samehand.casework.labelled import Gathered
from samehand.evaluation.bootstrap import BOOTSTRAPPED, interval, intervals, resampled_scores
from samehand.evaluation.likelihood_ratio import log_lr
from samehand.evaluation.scores import score
from samehand.network.last_stage import LastStage

Floats = NDArray[np.float64]

RESAMPLES = 1_000


@dataclass(frozen=True)
class Measured:
    """Answers to trials, and to the same trials after the last stage was fitted to others of them.

    What is fitted is cross-validated: no fold shares a text with what its last stage was fitted to.
    """

    gathered: Gathered
    as_is: Floats
    """The model's probabilities."""
    folds: Folds

    @classmethod
    def of(cls, gathered: Gathered, probability: Floats) -> "Measured | None":
        """None where the trials hang together by their texts, so that none can be kept apart."""
        folds = fold(gathered.trials)
        return None if folds is None else cls(gathered, probability, folds)

    @cached_property
    def stage(self) -> LastStage:
        """The last stage fitted to all trials, on top of the model as it is."""
        return fit(self.gathered.same, log_lr(self.as_is))

    @cached_property
    def fitted(self) -> Floats:
        """Cross-validated probabilities."""
        llrs = cross_validated(self.gathered.same, log_lr(self.as_is), self.folds.number)
        return 1.0 / (1.0 + np.exp(-llrs))

    @cached_property
    def figures(self) -> dict[str, dict[str, Any]]:
        """All figures `as_is` and `fitted`, each with its `intervals`; Cllr's `difference`."""
        same = self.gathered.same
        systems = {"as_is": self.as_is, "fitted": self.fitted}
        drawn = resampled_scores(same, list(systems.values()), RESAMPLES)
        found: dict[str, dict[str, Any]] = {}
        for place, (name, probability) in enumerate(systems.items()):
            scores = score(same, probability)
            found[name] = scores | {"intervals": intervals(scores, drawn[:, place])}
        column = BOOTSTRAPPED.index("cllr")
        by = found["fitted"]["cllr"] - found["as_is"]["cllr"]
        low, high = interval(by, drawn[:, 1, column] - drawn[:, 0, column])
        found["fitted"]["difference"] = {"cllr": {"by": by, "interval": (low, high)}}
        return found
