"""What the API takes and gives. Offsets count characters (Unicode code points) from 0."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import titles
from samehand.explaining.units import Explanation, TextExplanation
from samehand.model.description import Condition
from samehand.report.figures import Scale
from samehand.report.highlights import STRENGTHS, factor, kind_of, largest_effect
from samehand.report.numbers import round_log, rounded
from samehand.verdict import Verdict, are_no_evidence

MOST_KNOWN = 50
MOST_TEXTS = 1_000

Text = Annotated[str, Field(description="Plain text.")]


class Request(BaseModel):
    """What is asked; a field that does not exist, such as a misspelt one, is an error."""

    model_config = ConfigDict(extra="forbid")


class Question(Request):
    """A questioned text, and texts that are known to be by one author."""

    questioned: Text
    known: Annotated[list[Text], Field(min_length=1, max_length=MOST_KNOWN)]
    prior: Annotated[
        float, Field(gt=0, allow_inf_nan=False, description="Odds before the texts were compared.")
    ] = 1.0
    explain: Annotated[bool, Field(description="Also say what weighed in.")] = False


class WhatWeighedIn(BaseModel):
    """Of one text."""

    units: list[tuple[int, int, float, float]] = Field(
        description="Start, end, attention, and effect: how much the unit adds to the log10 LR."
    )
    factors: list[str] = Field(description="The effect of each unit on the LR, for reading.")
    kinds: list[str | None] = Field(description="How each unit is marked, if it is.")
    tokens: list[tuple[int, int, float]] = Field(description="Start, end, attention.")

    @classmethod
    def of(cls, explained: TextExplanation) -> "WhatWeighedIn":
        return cls(
            units=[(s, e, round(a, 6), round_log(x)) for s, e, a, x in explained.units],
            factors=[factor(round_log(unit.effect)) for unit in explained.units],
            kinds=[kind_of(round_log(unit.effect)) for unit in explained.units],
            tokens=[(s, e, round(a, 7)) for s, e, a in explained.tokens],
        )


class Explained(BaseModel):
    """Of all texts."""

    log10_lr: float = Field(description="Before it is held between the bounds.")
    largest: str = Field(description="The largest effect of a unit on the LR, for reading.")
    strengths: tuple[str, str] = Field(description="Of the faintest and the strongest marking.")
    questioned: WhatWeighedIn
    known: list[WhatWeighedIn]

    @classmethod
    def of(cls, explanation: Explanation) -> "Explained":
        return cls(
            log10_lr=round_log(explanation.log10_lr),
            largest=factor(largest_effect(explanation)),
            strengths=(f"× {STRENGTHS[0]:g}", f"× {STRENGTHS[-1]:g}"),
            questioned=WhatWeighedIn.of(explanation.questioned),
            known=[WhatWeighedIn.of(text) for text in explanation.known],
        )


class Shown(BaseModel):
    """An answer for reading."""

    names: list[str] = Field(description="Of the texts, the questioned one first.")
    lr: str
    lr_bounds: tuple[str, str]
    lr_alone: list[str] = Field(description="Of each known text, without the others.")
    reach: int = Field(description="log10 LR at which the scale ends, to both sides of 0.")
    bands: list[tuple[float, int, str]] = Field(
        description="ENFSI's: log10 LRs from, to, name; below the first they support neither."
    )
    ticks: list[str] = Field(description="The LR at each whole log10 LR, from left to right.")

    @classmethod
    def of(cls, verdict: Verdict) -> "Shown":
        low, high = map(plain_lr, verdict.log10_lr_bounds)
        alone = [text.log10_lr for text in verdict.known]
        scale = Scale.of(verdict.log10_lr_bounds)
        return cls(
            names=titles(len(verdict.known)),
            lr=plain_lr(verdict.log10_lr),
            lr_bounds=(low, high),
            lr_alone=[plain_lr(log10_lr) for log10_lr in alone if log10_lr is not None],
            reach=scale.reach,
            bands=list(scale.bands),
            ticks=list(scale.ticks),
        )


class Answer(BaseModel):
    """What `samehand verify --json` prints, the same for reading, and what weighed in if asked."""

    sentence: str
    decision: Literal["same", "different", "undecided"]
    no_evidence: bool = Field(description="A reason disqualifies the texts: do not quote the LR.")
    supports_neither: bool = Field(description="They are no evidence, or as likely either way.")
    probability: float = Field(description="Of one author, at the prior odds.")
    prior: float
    confidence: float
    log10_lr: float
    log10_lr_bounds: tuple[float, float]
    disagreement: float = Field(description="Deviation of the log10 LRs of the model's networks.")
    verbal_scale: str
    reasons: list[str]
    questioned: dict[str, Any]
    known: list[dict[str, Any]]
    model: dict[str, Any]
    shown: Shown
    explanation: Explained | None = None

    @classmethod
    def of(cls, verdict: Verdict, explanation: Explanation | None) -> "Answer":
        verdict = rounded(verdict)
        return cls(
            sentence=verdict.sentence,
            no_evidence=are_no_evidence(verdict.cautions),
            supports_neither=verdict.supports_neither,
            shown=Shown.of(verdict),
            explanation=explanation and Explained.of(explanation),
            **verdict.as_dict(),
        )


class Texts(Request):
    """Texts to embed."""

    texts: Annotated[list[Text], Field(min_length=1, max_length=MOST_TEXTS)]


class Levs(BaseModel):
    """The linguistic embedding vector of each text, in their order."""

    levs: list[list[float]]
    model_sha256: str


class ReadFile(BaseModel):
    """The text of a file."""

    text: str
    sha256: str = Field(description="Of the file's bytes.")
    caution: str | None


class Expected(BaseModel):
    """What LRs to expect of texts of some length and number."""

    words: tuple[int, int] = Field(description="Of the shorter side: from, and up to but not with.")
    known: int = Field(description="Known texts, or nearly so many.")
    lrs: tuple[str, str] = Field(description="Between which nine in ten lay, for reading.")

    @classmethod
    def of(cls, condition: Condition) -> "Expected":
        low, high = map(plain_lr, condition.log10_lrs)
        return cls(words=condition.words, known=condition.known, lrs=(low, high))


class AboutModel(BaseModel):
    """Which model answers, and where it was validated."""

    version: str
    model: dict[str, Any]
    log10_lr_bounds: tuple[float, float]
    lr_bounds: tuple[str, str] = Field(description="The same for reading, as LRs.")
    evidence: str = Field(description="How vectors become LRs, in sentences.")
    genres: list[str] = Field(description="Those that its evidence knows.")
    case: str | None = Field(description="What it was adapted to, in a sentence.")
    validation: dict[str, Any] | None = Field(description="None where the model states none.")
    figure_names: dict[str, str] = Field(description="Of the figures to be shown, in order.")
    expected: list[Expected] = Field(description="By length and number of known texts.")
    learnt_from: list[str]
    least_words: int
    most_bytes: int
    most_known: int


class Health(BaseModel):
    status: Literal["ok"] = "ok"


class Fault(BaseModel):
    """What is wrong, in one sentence."""

    detail: str
