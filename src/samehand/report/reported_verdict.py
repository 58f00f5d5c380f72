"""The contents of a report on a verdict."""

from collections.abc import Sequence
from dataclasses import dataclass

from samehand.cautions.texts import titles
from samehand.explaining.units import Explanation
from samehand.reading import Reading
from samehand.report.case_file import StatedCase
from samehand.report.case_validation import StatedValidation
from samehand.report.model_card import ModelCard
from samehand.verdict import Verdict


@dataclass(frozen=True)
class ReportedVerdict:
    """A verdict with the texts and the model behind it."""

    verdict: Verdict
    explanation: Explanation
    readings: Sequence[Reading]
    """The questioned text, then the known ones."""
    model: ModelCard
    command: str
    """The command line that makes this report again."""
    stated: StatedCase | None = None
    """The examiner's statements on the case."""

    def __post_init__(self) -> None:
        """A validation of another model raises `InputError`."""
        if self.tried:
            self.tried.check(self.verdict.model.sha256)

    @property
    def tried(self) -> StatedValidation | None:
        """The model's validation on trials of the case's kind, if there is one."""
        return self.stated and self.stated.validation

    @property
    def names(self) -> list[str]:
        """Of the texts, in the order of the readings."""
        return titles(len(self.readings) - 1)
