"""What the API takes and gives. Offsets count characters (Unicode code points) from 0."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from samehand.explaining.units import Explanation, TextExplanation
from samehand.verdict import Verdict, are_no_evidence

MOST_KNOWN = 50
MOST_TEXTS = 1_000

Text = Annotated[str, Field(description="Plain text.")]


class Question(BaseModel):
    """A questioned text, and texts that are known to be by one author."""

    questioned: Text
    known: Annotated[list[Text], Field(min_length=1, max_length=MOST_KNOWN)]
    explain: Annotated[bool, Field(description="Also say what weighed in.")] = False


class WhatWeighedIn(BaseModel):
    """Of one text."""

    units: list[tuple[int, int, float, float]] = Field(
        description="Start, end, attention, and effect: how much the unit adds to the log10 LR."
    )
    tokens: list[tuple[int, int, float]] = Field(description="Start, end, attention.")

    @classmethod
    def of(cls, explained: TextExplanation) -> "WhatWeighedIn":
        return cls(
            units=[(s, e, round(a, 6), round(x, 6)) for s, e, a, x in explained.units],
            tokens=[(s, e, round(a, 7)) for s, e, a in explained.tokens],
        )


class Explained(BaseModel):
    """Of all texts."""

    log10_lr: float = Field(description="Before it is held between the bounds.")
    questioned: WhatWeighedIn
    known: list[WhatWeighedIn]

    @classmethod
    def of(cls, explanation: Explanation) -> "Explained":
        return cls(
            log10_lr=explanation.log10_lr,
            questioned=WhatWeighedIn.of(explanation.questioned),
            known=[WhatWeighedIn.of(text) for text in explanation.known],
        )


class Answer(BaseModel):
    """What `samehand verify --json` prints, the sentence and, if asked for, what weighed in."""

    sentence: str
    decision: Literal["same", "different", "undecided"]
    no_evidence: bool = Field(description="A reason disqualifies the texts: do not quote the LR.")
    probability: float = Field(description="Of one author, at prior odds of 1:1.")
    confidence: float
    log10_lr: float
    log10_lr_bounds: tuple[float, float]
    disagreement: float = Field(description="Deviation of the log10 LRs of the model's networks.")
    verbal_scale: str
    reasons: list[str]
    questioned: dict[str, Any]
    known: list[dict[str, Any]]
    model: dict[str, Any]
    explanation: Explained | None = None

    @classmethod
    def of(cls, verdict: Verdict, explanation: Explanation | None) -> "Answer":
        return cls(
            sentence=verdict.sentence,
            no_evidence=are_no_evidence(verdict.cautions),
            explanation=explanation and Explained.of(explanation),
            **verdict.as_dict(),
        )


class Texts(BaseModel):
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


class AboutModel(BaseModel):
    """Which model answers, and where it was validated."""

    version: str
    model: dict[str, Any]
    log10_lr_bounds: tuple[float, float]
    validation: dict[str, Any] | None = Field(description="None where the model states none.")
    learnt_from: list[str]
    least_words: int
    most_bytes: int
    most_known: int


class Health(BaseModel):
    status: Literal["ok"] = "ok"


class Fault(BaseModel):
    """What is wrong, in one sentence."""

    detail: str
