"""The measures of the PAN authorship verification tasks, by the conventions of their evaluator.

A probability above 0.5 says "same author", one below it "different authors", and exactly 0.5 is a
non-response. How each measure treats non-responses is what sets them apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Outcomes(NamedTuple):
    """How many trials ended in which way."""

    true_same: int
    false_same: int
    true_different: int
    false_different: int
    unanswered_same: int
    unanswered_different: int

    @property
    def unanswered(self) -> int:
        return self.unanswered_same + self.unanswered_different


def outcomes(same: ArrayLike, probability: ArrayLike) -> Outcomes:
    """Count right, wrong and missing decisions on the trials of either kind."""
    truth = np.asarray(same, dtype=bool)
    p = np.asarray(probability, dtype=np.float64)
    says_same, says_different = p > 0.5, p < 0.5
    n, n_same = truth.size, int(np.count_nonzero(truth))
    true_same = int(np.count_nonzero(says_same & truth))
    false_different = int(np.count_nonzero(says_different & truth))
    false_same = int(np.count_nonzero(says_same)) - true_same
    true_different = int(np.count_nonzero(says_different)) - false_different
    return Outcomes(
        true_same,
        false_same,
        true_different,
        false_different,
        n_same - true_same - false_different,
        n - n_same - false_same - true_different,
    )


def c_at_1(same: ArrayLike, probability: ArrayLike) -> float:
    """Accuracy that credits a non-response with the accuracy reached over all trials."""
    return c_at_1_of(outcomes(same, probability))


def c_at_1_of(counted: Outcomes) -> float:
    n = sum(counted)
    right = counted.true_same + counted.true_different
    return (right + counted.unanswered * right / n) / n if n else float("nan")


def f1(same: ArrayLike, probability: ArrayLike) -> float:
    """F1 of the same-author decisions; non-responses are left out."""
    return f1_of(outcomes(same, probability))


def f1_of(counted: Outcomes) -> float:
    hits = 2 * counted.true_same
    return _ratio(hits, hits + counted.false_same + counted.false_different)


def f_05_u(same: ArrayLike, probability: ArrayLike, *, legacy: bool = False) -> float:
    """F0.5u: precision counts more than recall, and a non-response as a missed same-author trial.

    This is the rule as corrected in 2021. `legacy` gives the figure of the 2020 table, for which
    the evaluator took non-responses for "same author".
    """
    return f_05_u_of(outcomes(same, probability), legacy=legacy)


def f_05_u_of(counted: Outcomes, *, legacy: bool = False) -> float:
    hits, false_same, missed = counted.true_same, counted.false_same, counted.false_different
    if legacy:
        hits += counted.unanswered_same
        false_same += counted.unanswered_different
    else:
        missed += counted.unanswered
    return _ratio(1.25 * hits, 1.25 * hits + 0.25 * missed + false_same)


def brier(same: ArrayLike, probability: ArrayLike) -> float:
    """Complement of the Brier score: 1 minus the mean squared error of the probabilities."""
    truth = np.asarray(same, dtype=bool)
    error = np.asarray(probability, dtype=np.float64) - truth
    return float(1.0 - error @ error / error.size) if error.size else float("nan")


def _ratio(part: float, whole: float) -> float:
    """A measure without a single trial to rest on is 0, as the evaluator has it."""
    return part / whole if whole else 0.0
