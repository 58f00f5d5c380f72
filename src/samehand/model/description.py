"""The contents of model.json: a model's networks, how it judges, and what is told about it."""

import hashlib
import json
from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, JsonValue, ValidationError, model_validator

from samehand.errors import InputError
from samehand.model.config import NetworkConfig, Settings

FORMAT = 5
EVIDENCE, CASE = "evidence.safetensors", "case.safetensors"
"""Files of a model as a whole; a model need not have all of them."""
WEIGHTS, VOCABULARY = "weights.safetensors", "vocabulary.json"
"""Files of each network, in a folder of its name."""

Evidence = Literal["paper", "genres"]
"""How likelihood ratios are found: by the networks' own Bayes factor and adaptation, as in the
paper, or by a Bayes factor in which the genre is a random effect, from evidence.safetensors."""
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Bound = Annotated[float, Field(ge=-100, le=100)]
Figures = dict[str, float]


class Counts(Settings):
    """How much text there is in a part of a collection."""

    documents: int | None = Field(None, ge=0)
    authors: int | None = Field(None, ge=0)
    topics: int | None = Field(None, ge=0)
    words: int | None = Field(None, ge=0)
    tokens: int | None = Field(None, ge=0)


class Data(Settings):
    """The collection that a model learnt from, as its store describes it."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, JsonValue]

    sources: tuple[str, ...] = Field((), description="those of all parts")
    parts: dict[str, Counts] = Field({}, description="training, calibration, test, trials")
    training: dict[str, Counts] = Field({}, description="each source that was trained on")


class LogRatios(Settings):
    """log10 LRs of trials by one author and by two; or evenly spaced ranks of them."""

    same: tuple[float, ...] = ()
    different: tuple[float, ...] = ()


class Condition(Settings):
    """How a model did on trials of some length and number of known texts."""

    words: tuple[int, int] = Field(description="of the shorter side: from, and up to but not with")
    known: int = Field(ge=1, description="known texts, or nearly so many")
    figures: Figures
    log10_lrs: tuple[float, float] = Field(description="between which nine in ten LRs lay")

    def holds(self, words: int, known: int) -> bool:
        """Whether a trial with so many words on its shorter side and known texts is like these."""
        low, high = self.words
        return low <= words < high and self.known <= known < 2 * self.known


class Validation(Settings):
    """Where a model was tried, and how it did."""

    on: str = Field("", description="a sentence: which trials")
    figures: Figures = Field({}, description="named as `samehand evaluate --json` names them")
    sets: dict[str, Figures] = Field({}, description="figures of sets of trials, by their names")
    conditions: tuple[Condition, ...] = Field((), description="by length and known texts")
    log10_lrs: LogRatios = LogRatios()
    reliability: tuple[tuple[float, float], ...] = Field(
        (), description="probabilities given, and the share of trials by one author"
    )


class About(Settings):
    """Facts about a model; no answer depends on them."""

    use: str | None = Field(None, description="what it may be used for")
    data: Data = Data()
    training: dict[str, JsonValue] = Field({}, description="settings and figures of the training")
    validation: Validation = Validation()
    case: dict[str, JsonValue] = Field({}, description="the texts it was adapted to, if any")


class Statement(Settings):
    """The statement required of a model's maker."""

    name: str = Field(min_length=1, max_length=200)
    evidence: Evidence
    log10_lr_bounds: tuple[Bound, Bound] | None = Field(
        None, description="between which its validation supports log10 LRs; none: not validated"
    )
    about: About = About()

    @model_validator(mode="after")
    def _bounds_hold_zero(self) -> Self:
        low, high = self.log10_lr_bounds or (0.0, 0.0)
        if not low <= 0.0 <= high:
            raise ValueError(
                "log10_lr_bounds must hold a number of at most 0 and one of at least 0"
            )
        return self


class NetworkEntry(Settings):
    """A network of a model: its folder, and what it is made of."""

    # Nothing that leads to another folder, and nothing that a file system could not hold.
    name: str = Field(max_length=100, pattern=r"^\w[\w .+-]*$")
    config: NetworkConfig


class Description(Statement):
    """A whole model.json."""

    format: Literal[5] = 5
    made_by: str = Field(max_length=200)
    networks: tuple[NetworkEntry, ...] = Field(min_length=1, max_length=100)
    files: dict[str, Digest] = Field(description="the SHA-256 of every file but model.json")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = [entry.name for entry in self.networks]
        of_model = {EVIDENCE, CASE}
        if len({name.casefold() for name in names} - of_model) < len(names):
            raise ValueError("two networks have one name, or one has the name of a file")
        if len({entry.config.windowing for entry in self.networks}) > 1:
            raise ValueError("its networks cut texts into different units")
        needed = {f"{name}/{file}" for name in names for file in (WEIGHTS, VOCABULARY)}
        missing, odd = needed - self.files.keys(), self.files.keys() - needed - of_model
        if missing:
            raise ValueError(f"files has no digest of {min(missing)}")
        if odd:
            raise ValueError(f"files names {min(odd)!r}, which no model has")
        return self

    def digest(self) -> str:
        """The SHA-256 of all that an answer can depend on: what the model is known by."""
        said = self.model_dump(mode="json", exclude={"name", "made_by", "about"})
        canonical = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()


def parsed(content: bytes, where: str) -> Description:
    """The description in a model.json; what is wrong raises `InputError`, naming `where`."""
    try:
        return Description.model_validate_json(content)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False)
    # Of another format, much else may be different, too.
    fault = next((each for each in faults if each["loc"] == ("format",)), faults[0])
    if fault["loc"] == ("format",):
        raise InputError(
            f"{where}: a model of format {str(fault['input'])[:20]!r}, where this samehand reads "
            f"format {FORMAT}; make the model again, or use the samehand that made it."
        )
    place = ".".join(map(str, fault["loc"]))
    reason = fault["msg"].removeprefix("Value error, ")
    raise InputError(
        f"{where}: not the description of a samehand model, or a damaged one "
        f"({place + ': ' if place else ''}{reason[:200]}); copy the whole folder again."
    )
