"""Trials as places among their texts, each of which is embedded once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.readers import Trial
from samehand.scoring.distance import Trials


class Posed(NamedTuple):
    """Trials, their texts and their truth."""

    texts: list[str]
    trials: Trials
    same: NDArray[np.bool_]

    @classmethod
    def of(cls, trials: Sequence[Trial]) -> "Posed":
        """Trials as they were read; those without a truth count as by two authors."""
        texts = dict.fromkeys(text for trial in trials for text in (trial.questioned, *trial.known))
        place = {text: number for number, text in enumerate(texts)}
        placed = Trials.of(
            [place[trial.questioned] for trial in trials],
            [[place[text] for text in trial.known] for trial in trials],
        )
        return cls(list(texts), placed, np.array([bool(trial.same) for trial in trials], np.bool_))
