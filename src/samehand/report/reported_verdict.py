"""What a report on a verdict is made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from samehand.cautions.texts import titles
from samehand.explaining.units import Explanation
from samehand.reading import Reading
from samehand.report.case_file import StatedCase
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
    """What the examiner states about the case."""

    @property
    def names(self) -> list[str]:
        """Of the texts, in the order of the readings."""
        return titles(len(self.readings) - 1)
