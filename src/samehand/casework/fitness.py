"""Is a model fit for use on texts like these? The rules, in the order in which they are tried."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from samehand.casework.cross_validation import Measured
from samehand.casework.labelled import LEAST_OF_A_KIND

Kind = Literal["too few", "says nothing", "badly calibrated", "fit"]

MATERIAL = 0.02
"""A gain in Cllr that is worth another calibration; many trials show smaller ones for certain."""

SENTENCES: dict[Kind, str] = {
    "too few": "Too few trials to say.",
    "says nothing": "Not fit: it is not shown to say anything about texts like these.",
    "badly calibrated": "Informative but badly calibrated: run samehand calibrate, on other "
    "trials than these.",
    "fit": "Fit for use on texts like these.",
}

RULES: dict[Kind, str] = {
    "too few": f"There are fewer than {LEAST_OF_A_KIND} trials of either kind, or they share so "
    "many texts that too few stay apart from each other.",
    "says nothing": "The 95 % interval of AUC reaches 0.5; or that of Cllr reaches 1 both as the "
    "model is and with its last stage fitted to these trials and cross-validated.",
    "badly calibrated": "The 95 % interval of Cllr reaches 1 as the model is; or fitting its last "
    f"stage to these trials lowers the cross-validated Cllr by {MATERIAL} or more, with a 95 % "
    "interval that excludes 0.",
    "fit": "The 95 % intervals of AUC and Cllr keep clear of 0.5 and of 1, and fitting the last "
    "stage to these trials would not lower Cllr by much, or not for certain.",
}


@dataclass(frozen=True)
class Fitness:
    """The verdict on a model."""

    kind: Kind
    sentence: str
    rule: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def judge_fitness(counts: tuple[int, int], measured: Measured | None) -> Fitness:
    """The first of `RULES` that holds. `counts` are trials by one author, and by two."""
    if measured is None or min(counts) < LEAST_OF_A_KIND:
        return _verdict("too few")
    as_is, fitted = measured.figures["as_is"], measured.figures["fitted"]
    misses_as_is = as_is["intervals"]["cllr"][1] >= 1.0
    misses_fitted = fitted["intervals"]["cllr"][1] >= 1.0
    if as_is["intervals"]["auc"][0] <= 0.5 or (misses_as_is and misses_fitted):
        return _verdict("says nothing")
    gain = fitted["difference"]["cllr"]
    if misses_as_is or (gain["by"] <= -MATERIAL and gain["interval"][1] < 0.0):
        return _verdict("badly calibrated")
    return _verdict("fit")


def _verdict(kind: Kind) -> Fitness:
    return Fitness(kind, SENTENCES[kind], RULES[kind])
