"""A class of writers: each one's new text against earlier texts of the same writer.

Among many comparisons some come out far to one side by chance alone, so that how many of them are
to be expected is part of the findings.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.cautions.caution import Caution, plain_lr
from samehand.errors import InputError
from samehand.io.progress import Progress, unwatched
from samehand.model.description import LogRatios
from samehand.verdict import Verdict, are_no_evidence
from samehand.verifier import Verifier

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

LRS = (2, 5, 10)
"""Likelihood ratios for whose reaching by chance an expectation is given."""


class Writer(NamedTuple):
    """One writer's texts to compare."""

    name: str
    questioned: str
    known: Sequence[str]
    doubts: tuple[str, ...] = ()
    """Doubts about reading the files, each in a sentence."""
    fault: str | None = None
    """Why nothing can be compared, in one sentence."""


@dataclass(frozen=True)
class Finding:
    """The result for one writer."""

    name: str
    verdict: Verdict | None
    fault: str | None = None
    """Why nothing was compared, in one sentence."""

    @property
    def sentence(self) -> str:
        """The finding, or why there is none."""
        return self.verdict.sentence if self.verdict else f"Not compared: {self.fault}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON: what `samehand verify --json` prints of a verdict, but for the model."""
        of_verdict = {} if self.verdict is None else self.verdict.as_dict()
        of_verdict.pop("model", None)
        return {"name": self.name, "sentence": self.sentence, "fault": self.fault, **of_verdict}


@dataclass(frozen=True)
class ByChance:
    """How many comparisons mislead so far by chance alone, if all texts are by one kind of hand."""

    lr: float
    """An LR that speaks for the other side, held or gone beyond: below 1 for two authors."""
    expected: float
    """How many come so far, on average."""
    any: float
    """Probability that at least one does."""
    found: int
    """How many did here, of the comparisons whose texts are evidence."""
    at_most: bool
    """Whether expectations are upper limits, for lack of a validation of the model as it is."""

    @property
    def in_words(self) -> str:
        """The expectation in a sentence."""
        side, limit = "or less" if self.lr < 1 else "or more", "at most " if self.at_most else ""
        return (
            f"An LR of {plain_lr(math.log10(self.lr))} {side}: {self.expected_in_words} to be "
            f"expected (at least one in {limit}{100 * self.any:.0f} % of such classes); "
            f"{self.found} found."
        )

    @property
    def expected_in_words(self) -> str:
        """How many are to be expected, or how many at most."""
        rounded = f"{self.expected:.0f}" if self.expected >= 10 else f"{self.expected:.1f}"
        return f"at most {rounded}" if self.at_most else rounded


@dataclass(frozen=True)
class ClassFindings:
    """The results for all writers of a class."""

    findings: tuple[Finding, ...]
    if_own: tuple[ByChance, ...]
    """Low LRs to be expected if every writer wrote the text."""
    if_others: tuple[ByChance, ...]
    """High LRs to be expected if somebody else wrote every text."""

    @property
    def compared(self) -> tuple[Verdict, ...]:
        """The verdicts."""
        return tuple(each.verdict for each in self.findings if each.verdict is not None)

    @property
    def expectations(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The effect of chance alone among so many comparisons, in words, by supposition."""
        suppositions = (
            ("If every writer wrote the new text that is compared, by chance alone:", self.if_own),
            ("If somebody else wrote every new text, by chance alone:", self.if_others),
        )
        return tuple((said, tuple(each.in_words for each in some)) for said, some in suppositions)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "writers": [finding.as_dict() for finding in self.findings],
            "compared": len(self.compared),
            "by_chance": {
                "if_all_wrote_their_own": [asdict(each) for each in self.if_own],
                "if_others_wrote_all": [asdict(each) for each in self.if_others],
            },
            "model": asdict(self.compared[0].model) if self.compared else None,
        }


def compare_each(
    verifier: Verifier,
    writers: Sequence[Writer],
    *,
    prior: float = 1.0,
    progress: Progress = unwatched,
) -> ClassFindings:
    """Compare each writer's new text with the earlier ones, and tell what chance alone would do.

    Texts that cannot be compared are said to be so, and end nothing.
    """
    findings = []
    for done, writer in enumerate(writers):
        progress("comparing writers", done, len(writers))
        findings.append(_finding(verifier, writer, prior))
    return _with_expectation(verifier, findings)


def _with_expectation(verifier: Verifier, findings: Sequence[Finding]) -> ClassFindings:
    log10_lrs = np.array(
        [
            found.verdict.log10_lr
            for found in findings
            if found.verdict is not None and not are_no_evidence(found.verdict.cautions)
        ]
    )
    tried = verifier.description.about.validation.log10_lrs
    if verifier.model.case is not None or not verifier.facts.validated:
        tried = LogRatios()
    low, high = verifier.assessor.bounds
    return ClassFindings(
        tuple(findings),
        tuple(_low(log10_lrs, tried.same, lr) for lr in LRS if low <= -np.log10(lr)),
        tuple(_high(log10_lrs, tried.different, lr) for lr in LRS if np.log10(lr) <= high),
    )


def _finding(verifier: Verifier, writer: Writer, prior: float) -> Finding:
    if writer.fault or not writer.known:
        return Finding(writer.name, None, writer.fault or "There is no earlier text.")
    try:
        verdict = verifier.verify(writer.questioned, writer.known, prior=prior)
    except InputError as fault:
        return Finding(writer.name, None, str(fault))
    doubts = tuple(map(Caution, writer.doubts))
    return Finding(writer.name, replace(verdict, cautions=(*verdict.cautions, *doubts)))


def _low(log10_lrs: Floats, same: Sequence[float], lr: float) -> ByChance:
    limit = -np.log10(lr)
    return _by_chance(1 / lr, _share_below(limit, same), log10_lrs <= limit)


def _high(log10_lrs: Floats, different: Sequence[float], lr: float) -> ByChance:
    limit = np.log10(lr)
    share = _share_below(-limit, [-tried for tried in different])
    return _by_chance(float(lr), share, log10_lrs >= limit)


def _share_below(limit: float, tried: Sequence[float]) -> float | None:
    """The share of the LRs of a validation, or of evenly spaced ranks of them, up to a limit."""
    return float(np.interp(limit, sorted(tried), np.linspace(0, 1, len(tried)))) if tried else None


def _by_chance(lr: float, share: float | None, reached: Bools) -> ByChance:
    """`share`: of misleading LRs. Where LRs can be taken at their word it is at most the LR's."""
    n, limit = len(reached), min(lr, 1 / lr) if share is None else share
    expected, some = n * limit, 1 - (1 - limit) ** n
    return ByChance(lr, expected, some, int(np.count_nonzero(reached)), at_most=share is None)
