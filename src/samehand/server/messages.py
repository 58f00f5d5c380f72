"""Messages of the API. Offsets count characters (Unicode code points) from 0."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import titles
from samehand.model.description import Condition
from samehand.report.figures import NARROW, lr_scale
from samehand.server.explained import Explained
from samehand.verdict import Verdict, are_no_evidence

MOST_KNOWN = 50
MOST_TEXTS = 1_000

Text = Annotated[str, Field(description="Plain text.")]
Prior = Annotated[
    float, Field(gt=0, allow_inf_nan=False, description="Odds before the texts were compared.")
]


class Request(BaseModel):
    """A request; a field that does not exist, such as a misspelt one, is an error."""

    model_config = ConfigDict(extra="forbid")


class Question(Request):
    """A questioned text, and texts that are known to be by one author."""

    questioned: Text
    known: Annotated[list[Text], Field(min_length=1, max_length=MOST_KNOWN)]
    prior: Prior = 1.0
    explain: Annotated[bool, Field(description="Also say what weighed in.")] = False


class GivenText(Request):
    """A text as it was read from a file, or pasted."""

    text: Text
    file: Annotated[str | None, Field(max_length=300, description="Its name.")] = None
    sha256: Annotated[
        str | None, Field(pattern="^[0-9a-f]{64}$", description="Of the file's bytes.")
    ] = None
    caution: Annotated[str | None, Field(max_length=1_000, description="What was doubtful.")] = None


class ReportQuestion(Request):
    """Texts and prior odds for a report."""

    questioned: GivenText
    known: Annotated[list[GivenText], Field(min_length=1, max_length=MOST_KNOWN)]
    prior: Prior = 1.0


class Shown(BaseModel):
    """An answer for reading."""

    names: list[str] = Field(description="Of the texts, the questioned one first.")
    lr: str
    lr_bounds: tuple[str, str]
    lr_alone: list[str] = Field(description="Of each known text, without the others.")
    interval: str | None = Field(description="Where the LR lies for all that is known.")
    scale: tuple[str, str] = Field(description="SVG: the LR among ENFSI's bands, wide and narrow.")

    @classmethod
    def of(cls, verdict: Verdict) -> "Shown":
        low, high = map(plain_lr, verdict.log10_lr_bounds)
        alone = [text.log10_lr for text in verdict.known]
        return cls(
            names=titles(len(verdict.known)),
            lr=plain_lr(verdict.log10_lr),
            lr_bounds=(low, high),
            lr_alone=[plain_lr(log10_lr) for log10_lr in alone if log10_lr is not None],
            interval=verdict.interval_in_words,
            scale=(lr_scale(verdict), lr_scale(verdict, NARROW)),
        )


class Answer(BaseModel):
    """Output of `samehand verify --json`, the same for reading, and what weighed in if asked."""

    sentence: str
    decision: Literal["same", "different", "undecided"]
    no_evidence: bool = Field(description="A reason disqualifies the texts: do not quote the LR.")
    supports_neither: bool = Field(description="They are no evidence, or as likely either way.")
    probability: float = Field(description="Of one author, at the prior odds.")
    prior: float
    confidence: float
    log10_lr: float
    log10_lr_bounds: tuple[float, float]
    log10_lr_interval: tuple[float, float] | None = Field(
        None, description="Nine in ten values, for all that is known of the genre of the texts."
    )
    log10_lr_by_network: list[float] = Field(description="By each of the model's networks alone.")
    log10_lr_unadapted: float | None = Field(
        None, description="Without what the case brought, if the model is adapted to one."
    )
    genres: dict[str, float] = Field(description="Those that the texts seem to be of.")
    disagreement: float = Field(description="Deviation of the log10 LRs of the model's networks.")
    verbal_scale: str
    reasons: list[str]
    questioned: dict[str, Any]
    known: list[dict[str, Any]]
    model: dict[str, Any]
    shown: Shown
    explanation: Explained | None = None

    @classmethod
    def of(cls, verdict: Verdict, explanation: Explained | None = None) -> "Answer":
        return cls(
            sentence=verdict.sentence,
            no_evidence=are_no_evidence(verdict.cautions),
            supports_neither=verdict.supports_neither,
            shown=Shown.of(verdict),
            explanation=explanation,
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
    """LRs to expect of texts of some length and number."""

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
    """A fault, in one sentence."""

    detail: str
