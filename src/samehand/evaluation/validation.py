"""What a model's description says of its validation, as far as it says anything.

Under `about`, `validation`, a description may hold

    on               a sentence: which trials
    log10_lr_bounds  [lowest, highest]
    figures          {"auc": …, "cllr": …}, named as `samehand evaluate --json` names them
    sets             {"name of a set of trials": figures, …}
    log10_lrs        {"same": […], "different": […]}, of the trials or of evenly spaced ranks
    reliability      [[probability given, share by one author], …]

All of it may be missing, and other keys do no harm.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.elub import elub
from samehand.evaluation.likelihood_ratio import log_lr
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
"""Those that are shown, and what they are called."""

_RANKS = 101
"""Likelihood ratios of each kind kept for plots: evenly spaced ranks of them."""


def stated_validation(
    on: str, same: NDArray[np.bool_], probability: NDArray[np.float64]
) -> dict[str, Any]:
    """What a description is to say of trials: all of the above but `sets`."""
    log10_lrs = log_lr(probability) / np.log(10)
    ranks = np.linspace(0, 1, _RANKS)
    tenths = np.array_split(np.argsort(probability, kind="stable"), 10)
    return {
        "on": on,
        "log10_lr_bounds": [round(bound, 3) for bound in elub(same, log10_lrs)],
        "figures": stated_figures(same, probability),
        "log10_lrs": {
            name: np.quantile(log10_lrs[kind], ranks).round(3).tolist()
            for name, kind in (("same", same), ("different", ~same))
        },
        "reliability": [
            [round(float(part[tenth].mean()), 4) for part in (probability, same)]
            for tenth in tenths
        ],
    }


def stated_figures(same: NDArray[np.bool_], probability: NDArray[np.float64]) -> dict[str, float]:
    """`FIGURES` of some trials, rounded."""
    found = score(same, probability)
    return {name: round(found[name], 4) for name in FIGURES}


@dataclass(frozen=True)
class Validation:
    """Where a model was tried, and how it did."""

    on: str
    figures: dict[str, float]
    sets: dict[str, dict[str, float]]
    same: tuple[float, ...]
    """log10 LRs of trials by one author …"""
    different: tuple[float, ...]
    """… and by two."""
    reliability: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, description: dict[str, Any]) -> "Validation":
        stated = _dict(_dict(description.get("about")).get("validation"))
        lrs = _dict(stated.get("log10_lrs"))
        points = (_numbers(point) for point in _list(stated.get("reliability")))
        return cls(
            on=str(stated.get("on") or ""),
            figures=_figures(stated.get("figures") or stated),
            sets={
                name: figures
                for name, found in _dict(stated.get("sets")).items()
                if (figures := _figures(found))
            },
            same=_numbers(lrs.get("same")),
            different=_numbers(lrs.get("different")),
            reliability=tuple((point[0], point[1]) for point in points if len(point) > 1),
        )

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"on": self.on, "figures": self.figures, "sets": self.sets}


def figure(name: str, value: float | None) -> str:
    """A figure for reading; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if name == "n" else f"{value:.3f}"


def _figures(stated: Any) -> dict[str, float]:
    known = _dict(stated)
    return {
        name: float(known[name]) for name in FIGURES if isinstance(known.get(name), int | float)
    }


def _numbers(stated: Any) -> tuple[float, ...]:
    return tuple(float(item) for item in _list(stated) if isinstance(item, int | float))


def _dict(stated: Any) -> dict[str, Any]:
    return stated if isinstance(stated, dict) else {}


def _list(stated: Any) -> list[Any]:
    return stated if isinstance(stated, list) else []
