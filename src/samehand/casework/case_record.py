"""An adapted model's record of its case: the texts and pairs it was adapted to."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from samehand.model.config import Settings
from samehand.model.description import Digest

Count = Annotated[int, Field(ge=0)]


class TextsOfCase(Settings):
    """Texts by others: how many are used, and how many are left out for which reason."""

    used: Count = 0
    median_words: Count = 0
    too_short: Count = 0
    repeats: Count = 0
    in_pairs: Count = Field(0, description="texts that a labelled pair holds, too")
    too_many: Count = Field(0, description="beyond the most that are used; chosen at random")

    def in_words(self) -> list[str]:
        """Numbers of texts used and left out."""
        used = f"{self.used:,} text{_s(self.used)} by others"
        if self.used:
            used += f" (median of {self.median_words:,} words)"
        reasons = {
            "too short": self.too_short,
            "repeats": self.repeats,
            "also in the pairs": self.in_pairs,
            "more than are needed": self.too_many,
        }
        return [used, *_left_out("texts", reasons)]


class PairsOfCase(Settings):
    """Labelled pairs: how many are used, and how many are left out for which reason."""

    same: Count = 0
    different: Count = 0
    too_short: Count = 0
    repeats: Count = 0
    too_many: Count = Field(0, description="beyond the most that are used; chosen at random")

    @property
    def used(self) -> int:
        """Pairs of either kind."""
        return self.same + self.different

    def in_words(self) -> list[str]:
        """Numbers of pairs used and left out."""
        used = f"{self.same:,} pair{_s(self.same)} by one author and {self.different:,} by two"
        reasons = {
            "with a text that is too short": self.too_short,
            "repeats": self.repeats,
            "more than are needed": self.too_many,
        }
        return [used, *_left_out("pairs", reasons)]


class FileOfCase(Settings):
    """A file or a folder that was read."""

    name: str
    sha256: Digest


class CaseRecord(Settings):
    """The origin of an adapted model, as its description holds it under `about.case`."""

    name: str = Field(description="of the model that was adapted")
    sha256: Digest = Field(description="of the model that was adapted")
    texts: TextsOfCase = TextsOfCase()
    pairs: PairsOfCase = PairsOfCase()
    files: tuple[FileOfCase, ...] = ()

    @classmethod
    def of(cls, case: Mapping[str, JsonValue]) -> "CaseRecord | None":
        """The record in a description; none where there is none, or it is of another form."""
        try:
            return cls.model_validate(case)
        except ValidationError:
            return None

    def in_words(self) -> str:
        """Texts and pairs used and left out, in one line."""
        return "; ".join([*self.texts.in_words(), *self.pairs.in_words()])


def _left_out(things: str, reasons: Mapping[str, int]) -> list[str]:
    told = [f"{count:,} {reason}" for reason, count in reasons.items() if count]
    return [f"{things} left out: {', '.join(told)}"] if told else []


def _s(count: int) -> str:
    return "" if count == 1 else "s"
