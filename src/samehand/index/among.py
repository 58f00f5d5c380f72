"""A questioned text and N candidates, at most one of whom wrote it.

The nearest of many is near by chance. So the answer is never the top hit alone: it is a probability
of each candidate and of none of them, and the likelihood ratio (LR) that only so few of N wrong
candidates would reach. Who does not reach it is not named.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samehand.cautions.caution import plain_lr
from samehand.errors import InputError
from samehand.model.description import Description
from samehand.scoring.bounds import UNVALIDATED
from samehand.verdict import UNDECIDED

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

PRIOR_OF_NONE = 0.5
"""That none of the candidates wrote the text, before texts were compared, unless stated."""
EXPECT_FALSE = 1.0
"""Wrong candidates that may reach the threshold in the whole search, unless stated."""
_SLACK = 1e-9


class Posterior(NamedTuple):
    """Probabilities that sum to 1."""

    candidates: Floats
    """(scored,)"""
    others: float
    """Of all candidates who were not scored, together."""
    none: float
    """Of nobody among the candidates."""


def posterior(
    log_lr: ArrayLike,
    n: int | None = None,
    *,
    prior_of_none: float = PRIOR_OF_NONE,
    prior: ArrayLike | None = None,
) -> Posterior:
    """The probability that each of `n` candidates wrote the text, and that none of them did.

    `log_lr`: natural-log LRs of the candidates who were scored, the likeliest of `n` (all, unless
    `n` is given); the others count with an LR of 1 each, which is the mean of wrong candidates and
    more than that of those who were left behind. `prior`: the probabilities of the scored ones
    before; even for all unless given, and what they leave is that of the others.
    """
    scored = np.asarray(log_lr, np.float64)
    n = _checked(scored, n)
    if not 0.0 <= prior_of_none <= 1.0:
        raise InputError(
            f"The prior probability that none of them wrote it is {prior_of_none}; give a number "
            "from 0 to 1."
        )
    even = (1.0 - prior_of_none) / n
    before = np.full(len(scored), even) if prior is None else np.asarray(prior, np.float64)
    left = (n - len(scored)) * even if prior is None else 1.0 - prior_of_none - before.sum()
    rest = _checked_rest(before, left, n - len(scored))
    with np.errstate(divide="ignore"):
        log_weight = np.log(np.array([*before, rest, prior_of_none]))
    log_weight[: len(scored)] += scored
    weight = np.exp(log_weight - log_weight.max())
    *candidates, others, none = (weight / weight.sum()).tolist()
    return Posterior(np.array(candidates), others, none)


class FalseRate(NamedTuple):
    """How often wrong candidates reach an LR, at most, by what a model says of its validation.

    Two bounds, and the lower counts. Ranks: of the LRs of validation trials by two authors, one in
    a hundred exceeded the last but one of 101 ranks; beyond that they say no more. And an LR that
    holds is reached by wrong candidates at most once in as many trials: by one in 13 for an LR of
    13. The model's bounds are where its validation ends to support that, and no LR exceeds them.
    """

    ranks: tuple[float, ...]
    """log10 LRs of trials by two authors, evenly spaced ranks of them; none without validation."""
    highest: float
    """The highest log10 LR that the model gives."""

    @classmethod
    def of(cls, description: Description) -> Self:
        """The false rate of a model."""
        bounds = description.log10_lr_bounds
        highest = UNVALIDATED.log10[1] if bounds is None else bounds[1]
        return cls(description.about.validation.log10_lrs.different, highest)

    def at(self, log10_lr: float) -> float:
        """The share of wrong candidates that reach this log10 LR, at most."""
        if log10_lr > self.highest + _SLACK:
            return 0.0
        by_lr = float(10.0 ** -max(log10_lr, 0.0))
        steps = max(len(self.ranks) - 1, 1)
        reached = int(np.searchsorted(self.ranks[:-1], log10_lr + _SLACK, "right")) - 1
        return min(by_lr, 1.0 - max(reached, 0) / steps)

    @property
    def lowest(self) -> float:
        """The share at the highest LR there is: at most so many wrong candidates reach it."""
        return self.at(self.highest)

    def most_candidates(self, expect_false: float = EXPECT_FALSE) -> int:
        """Among how many candidates somebody can be named."""
        return math.floor(_checked_false(expect_false) / self.lowest + _SLACK)

    def threshold(self, n: int, expect_false: float = EXPECT_FALSE) -> float | None:
        """The least log10 LR that `expect_false` of `n` wrong candidates reach, or fewer.

        It is never less than what decides something. None where no LR of this model will do.
        """
        share = min(_checked_false(expect_false) / max(n, 1), 1.0)
        steps = max(len(self.ranks) - 1, 1)
        by_rank = math.ceil((1.0 - share) * steps - _SLACK)
        enough = [-math.log10(share)]
        if by_rank < len(self.ranks) - 1:
            enough.append(self.ranks[by_rank])
        least = max(min(enough), UNDECIDED)
        return least if least <= self.highest + _SLACK else None


@dataclass(frozen=True)
class Among:
    """The answer about N candidates."""

    posterior: Posterior
    n: int
    """Candidates there are, scored or not."""
    prior_of_none: float
    expect_false: float
    """Wrong candidates that may reach the threshold in the whole search."""
    threshold: float | None
    """The log10 LR from which a candidate may be named; None where no LR of the model will do."""
    highest: float
    """The highest log10 LR that the model gives."""
    most_candidates: int
    """Among how many candidates the model's evidence can name somebody."""
    named: Bools
    """(scored,) who reaches the threshold"""

    @property
    def sentence(self) -> str:
        """The finding, or why nobody can be named."""
        wrong = f"{self.expect_false:g} wrong candidate{'' if self.expect_false == 1 else 's'}"
        if self.threshold is None:
            return (
                f"Nobody can be named: among {self.n:,} candidates more than {wrong} may reach the "
                f"highest LR of this model, {plain_lr(self.highest)}; its evidence is enough for "
                f"{self.most_candidates:,} at most."
            )
        least = f"an LR of {plain_lr(self.threshold)}, which at most {wrong} of {self.n:,} would"
        if not self.named.any():
            return f"Nobody can be named: no candidate reaches {least}."
        who = int(self.named.sum())
        return (
            f"{who:,} of {self.n:,} candidates {'reaches' if who == 1 else 'reach'} {least}; the "
            f"probabilities are at a prior of {self.prior_of_none:g} that none of them wrote it."
        )

    def as_dict(self) -> dict[str, Any]:
        """All but the candidates, for JSON."""
        return {
            "candidates": self.n,
            "prior_of_none": self.prior_of_none,
            "probability_of_none": self.posterior.none,
            "probability_of_others": self.posterior.others,
            "expect_false": self.expect_false,
            "log10_lr_threshold": self.threshold,
            "most_candidates": self.most_candidates,
            "finding": self.sentence,
        }


def among(
    log_lr: ArrayLike,
    rate: FalseRate,
    n: int | None = None,
    *,
    prior_of_none: float = PRIOR_OF_NONE,
    prior: ArrayLike | None = None,
    expect_false: float = EXPECT_FALSE,
) -> Among:
    """The answer by candidates' natural-log LRs, from `posterior` and `FalseRate`."""
    scored = np.asarray(log_lr, np.float64)
    found = posterior(scored, n, prior_of_none=prior_of_none, prior=prior)
    n = len(scored) if n is None else n
    threshold = rate.threshold(n, expect_false)
    reaches = math.inf if threshold is None else threshold
    return Among(
        found,
        n,
        prior_of_none,
        expect_false,
        threshold,
        rate.highest,
        rate.most_candidates(expect_false),
        scored / math.log(10) >= reaches - _SLACK,
    )


def _checked(scored: Floats, n: int | None) -> int:
    n = len(scored) if n is None else n
    if n < 1 or n < len(scored):
        raise InputError(
            f"There are {n:,} candidates in all and {len(scored):,} with a likelihood ratio; give "
            "one candidate at least, and the number of all of them."
        )
    return n


def _checked_rest(before: Floats, left: float, others: int) -> float:
    """The prior probability of candidates who were not scored."""
    if (before < 0).any() or left < -_SLACK or (not others and left > _SLACK):
        raise InputError(
            "The prior probabilities of all candidates and of none of them do not sum to 1; give "
            "numbers from 0 to 1 that do."
        )
    return max(left, 0.0)


def _checked_false(expect_false: float) -> float:
    if not 0.0 < expect_false < math.inf:
        raise InputError(
            f"The number of wrong candidates that may be named is {expect_false}; give a number "
            "above 0, 1 for one in the whole search."
        )
    return expect_false
