"""Adapting evidence to a case's kind of text, by the rule of Bayes.

The genre of the case is a known one or a new one, by how its texts look, and its effects have the
distribution that evidence gives them. Pairs of texts by different people, and labelled pairs, say
more about these effects: each weights them by its likelihood.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors, joined
from samehand.scoring.case_data import CaseData
from samehand.scoring.distance import Trials, compare, straightened
from samehand.scoring.effects import Points
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.numerics import log_sum_exp

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Bools = NDArray[np.bool_]

_NEW_POINTS = 1024
_NEGLIGIBLE = np.log(1e-12)
"""Log weight, beside the largest, below which a point is left out."""
_NEIGHBOURS = 25
"""Texts by others that each of them is compared with."""
_AT_ONCE = 256
_BEYOND = 1.8
"""Deviations beyond the similarity at which data of one author end, from which on texts are copies
of each other. Of 71,000 pairs of texts of ten genres none was so similar; of copies with every
twentieth word replaced nine in ten were, and of those without their first tenth four in five."""


def adapt(evidence: GenreEvidence, case: CaseData) -> GenreEvidence:
    """Evidence of the case's own genre."""
    middle = straightened(case.vectors.at(case.used)).mean(0, keepdims=True)
    shares = evidence.genres.log_shares_of_one(middle)[0]
    points = Points.of(evidence.effects, new=_NEW_POINTS)
    two = len(shares) - 1  # its effects are those of no genre
    of_one = points.genre != two
    effects, genre = points.effects[of_one], points.genre[of_one].clip(max=two)
    weight = shares[genre] + points.log_weight[of_one] + _log_likelihood(evidence, case, effects)
    kept = weight > weight.max() + _NEGLIGIBLE
    weight = weight[kept] - log_sum_exp(weight[kept], 0)
    return evidence.adapted(Points(effects[kept], genre[kept], weight))


def unrelated_pairs(texts: Longs) -> Trials:
    """Pairs of texts (n,), each by somebody else: each with so many that follow it, around."""
    n = len(texts)
    steps = np.arange(1, min((n - 1) // 2, _NEIGHBOURS) + 1) if n > 2 else np.arange(1, n)
    first = np.repeat(np.arange(n if n > 2 else 1), len(steps))
    second = (first + np.tile(steps, len(first) // max(len(steps), 1))) % n
    return Trials(texts[first], texts[second][:, None])


def copies(evidence: GenreEvidence, case: CaseData, vectors: TextVectors) -> Bools:
    """Whether each of some texts (some, texts of the case) is one of the case's, or nearly so."""
    n, m = vectors.texts, case.vectors.texts
    of_case = np.tile(np.arange(n, n + m), n)
    pairs = Trials(np.repeat(np.arange(n), m), of_case[:, None])
    compared = compare(joined([vectors, case.vectors]), pairs)
    x, c = compared.covariates, evidence.coefficients
    deviation = (compared.similarity - x @ c.location[1]) * np.exp(-(x @ c.log_scale))
    found: Bools = (deviation > c.highest + _BEYOND).reshape(n, m)
    return found


def recognised(
    evidence: GenreEvidence, case: CaseData, digests: Sequence[bytes], vectors: TextVectors
) -> list[frozenset[bytes]]:
    """Of each of some texts the digests of the case's texts that are it, or nearly so."""
    of_case = case.each_digest()
    return [
        frozenset(each for each, near in zip(of_case, row, strict=True) if near or each == own)
        for own, row in zip(digests, copies(evidence, case, vectors).tolist(), strict=True)
    ]


def _log_likelihood(evidence: GenreEvidence, case: CaseData, effects: Floats) -> Floats:
    """Log likelihood (points,) of all that the case says about distances.

    A text by others is in many pairs, which repeat it, and so counts as half a pair.
    """
    total = np.zeros(len(effects))
    for start in range(0, len(case.same), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        compared, same = compare(case.vectors, case.pairs.at(part)), case.same[part, None]
        of_two, of_one = evidence.log_densities(compared, compared.similarity[:, None], effects)
        total += np.where(same, of_one[:, 0], of_two[:, 0]).sum(0)
    others = unrelated_pairs(case.others)
    worth = len(case.others) / (2 * max(len(others.questioned), 1))
    for start in range(0, len(others.questioned), _AT_ONCE):
        compared = compare(case.vectors, others.at(slice(start, start + _AT_ONCE)))
        alike = compared.similarity - evidence.coefficients.unrelated_shift(compared.covariates)
        of_two, _ = evidence.log_densities(compared, alike[:, None], effects)
        total += worth * of_two[:, 0].sum(0)
    return total
