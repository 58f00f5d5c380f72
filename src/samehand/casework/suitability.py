"""Is a model fit for use on texts like these? The rules, in the order in which they are tried."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from samehand.cautions.caution import plain_lr
from samehand.verdict import NEITHER, strength

Kind = Literal["too few", "says nothing", "badly calibrated", "too cautious", "too weak", "fit"]
Interval = tuple[float, float]

LEAST_OF_A_KIND = 50
"""Trials by one author, and by two, below which nothing can be said."""
MATERIAL = 0.02
"""Cllr − Cllr min that is worth another adaptation; many trials show less of it for certain."""

SENTENCES: dict[Kind, str] = {
    "too few": "Too few trials to say",
    "says nothing": "Not fit: it is not shown to say anything about texts like these",
    "badly calibrated": "Informative but badly calibrated (run samehand adapt, with other pairs "
    "than these)",
    "too cautious": "Fit, though more cautious than need be (samehand adapt, with other pairs than "
    "these, may strengthen its likelihood ratios)",
    "too weak": "Not fit: what it says about texts like these is too weak to support either side",
    "fit": "Fit for use on texts like these, as far as the trials support likelihood ratios",
}
"""Each verdict in a sentence."""

RULES: dict[Kind, str] = {
    "too few": f"There are fewer than {LEAST_OF_A_KIND} trials of either kind.",
    "says nothing": "The 95 % interval of AUC reaches 0.5, or that of Cllr min reaches 1.",
    "badly calibrated": "The 95 % interval of Cllr reaches 1, or that of Cllr − Cllr min lies "
    f"wholly above {MATERIAL}.",
    "too cautious": "It would be badly calibrated, but raising all likelihood ratios to one power "
    "above 1 makes it fit.",
    "too weak": "The trials support no likelihood ratio of 2 or more, and none of 1/2 or less.",
    "fit": "The 95 % intervals of AUC, Cllr and Cllr min keep clear of 0.5 and of 1, and Cllr does "
    f"not exceed Cllr min by more than {MATERIAL} for certain; and the trials support some "
    "likelihood ratio of 2 or more, or of 1/2 or less.",
}


@dataclass(frozen=True)
class Suitability:
    """The verdict on a model."""

    kind: Kind
    sentence: str
    """With the likelihood ratios that the trials support."""
    rule: str

    @classmethod
    def of(cls, kind: Kind, supported: Interval) -> "Suitability":
        """`supported`: the log10 LRs between which the trials support likelihood ratios."""
        return cls(kind, _sentence(kind, supported), RULES[kind])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def kind_of(
    counts: tuple[int, int],
    intervals: Mapping[str, Interval],
    supported: Interval,
) -> Kind:
    """The first of `RULES` that holds.

    `counts` are trials by one author, and by two; `supported` the log10 LRs between which they
    support likelihood ratios.
    """
    if min(counts) < LEAST_OF_A_KIND:
        return "too few"
    if intervals["auc"][0] <= 0.5 or intervals["cllr_min"][1] >= 1.0:
        return "says nothing"
    if intervals["cllr"][1] >= 1.0 or intervals["cllr_cal"][0] >= MATERIAL:
        return "badly calibrated"
    if max(-supported[0], supported[1]) < NEITHER:
        return "too weak"
    return "fit"


def _sentence(kind: Kind, supported: Interval) -> str:
    """The verdict and its bounds in one: nobody is to quote the one without the other."""
    low, high = map(plain_lr, supported)
    between = f"likelihood ratios between {low} and {high}"
    if kind == "fit":
        most = strength(max(-supported[0], supported[1]))
        return (
            f"Fit for {most} support at most on texts like these: the trials support {between}, "
            "and none beyond."
        )
    if low == high:
        between = "no likelihood ratio other than 1"
    return f"{SENTENCES[kind]}; these trials support {between}."
