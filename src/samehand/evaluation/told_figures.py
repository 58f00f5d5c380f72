"""The figures of a validation that are told, and what they are called."""

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.scores import score

FIGURES = {
    "n": "trials",
    "auc": "AUC",
    "c@1": "c@1",
    "f1": "F1",
    "brier": "Brier",
    "ece": "ECE",
    "cllr": "Cllr",
    "cllr_min": "Cllr min",
    "eer": "EER",
}
"""Those that are told of a validation, and what they are called."""


def stated_figures(same: NDArray[np.bool_], probability: NDArray[np.float64]) -> dict[str, float]:
    """`FIGURES` of some trials, rounded."""
    found = score(same, probability)
    return {name: round(found[name], 4) for name in FIGURES}


def figure(name: str, value: float | None) -> str:
    """A figure for reading; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if name == "n" else f"{value:.3f}"
