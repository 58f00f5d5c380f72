"""A validation on trials of the case's kind, as `samehand validate --json` prints it."""

import hashlib
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from samehand.cautions.caution import plain_lr
from samehand.errors import InputError
from samehand.evaluation.told_figures import figure
from samehand.model.description import Digest, LogRatios
from samehand.report.markup import Markup, joined, table, tag
from samehand.report.plots import pav_plot, tippett

_MOST_BYTES = 1 << 26
_SHOWN = {"auc": "AUC", "cllr": "Cllr", "cllr_min": "Cllr min"}
_CAPTION = (
    "Left, Tippett: the share of trials with at least the likelihood ratio on the axis; solid: by "
    "one author, dashed: by two, upright: the likelihood ratio of this report. Right, PAV: the "
    "likelihood ratios as given, and as the trials would have them; on the diagonal they mean what "
    "they say, and dots at the edge are infinite."
)
Number = float | None


class _Model(BaseModel):
    name: str
    sha256: Digest


class _Trials(BaseModel):
    same: Annotated[int, Field(gt=0)]
    different: Annotated[int, Field(gt=0)]


class _Found(BaseModel):
    sentence: Annotated[str, Field(max_length=1_000)]


class CaseValidation(BaseModel):
    """A validation as `validate --json` prints it, for the report on a case."""

    verdict: _Found
    model: _Model
    trials: _Trials
    figures: dict[str, Number]
    intervals: dict[str, tuple[Number, Number]]
    log10_lrs: LogRatios
    supported_log10_lr_bounds: tuple[float, float]
    pairs_sha256: Digest
    truth_sha256: Digest

    def beyond(self, log10_lr: float) -> str | None:
        """A remark on a likelihood ratio, if these trials do not support it."""
        low, high = self.supported_log10_lr_bounds
        if low <= log10_lr <= high:
            return None
        return (
            "The likelihood ratio is stronger than the trials of the case's kind support: between "
            f"{plain_lr(low)} and {plain_lr(high)}."
        )


class StatedValidation(NamedTuple):
    """A validation that was read."""

    validation: CaseValidation
    file: str
    sha256: str

    def check(self, model_sha256: str) -> None:
        """Raise unless it is of this model."""
        if self.validation.model.sha256 != model_sha256:
            raise InputError(
                f"{self.file}: validates another model ({self.validation.model.name}, SHA-256 "
                f"{self.validation.model.sha256[:12]}…); validate the one that answers."
            )


def read_validation(path: Path) -> StatedValidation:
    """The validation in a file; what is wrong with it raises `InputError`."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES)
        found = CaseValidation.model_validate_json(content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be read ({reason}); check the path.") from None
    except ValidationError:
        raise InputError(
            f"{path}: not what samehand validate --json prints; make it again."
        ) from None
    if not (found.log10_lrs.same and found.log10_lrs.different):
        raise InputError(f"{path}: holds no likelihood ratios of trials; make it again.")
    return StatedValidation(found, str(path), hashlib.sha256(content).hexdigest())


def on_case_trials(stated: StatedValidation, log10_lr: float) -> Markup:
    """The part of a report that is about it."""
    found = stated.validation
    beyond = found.beyond(log10_lr)
    rows = [
        (name, figure(key, found.figures.get(key)), _between(found.intervals.get(key)))
        for key, name in _SHOWN.items()
    ]
    same, different = found.log10_lrs.same, found.log10_lrs.different
    return joined(
        tag("h3", "On trials of the case's kind"),
        tag("p", tag("strong", found.verdict.sentence)),
        tag("p", beyond, class_="warning") if beyond else None,
        table(
            (f"{found.trials.same:,} trials by one author, {found.trials.different:,} by two", "",
             "95 % interval"),
            rows, class_="figures",
        ),
        tag("div", tippett(same, different, log10_lr), pav_plot(same, different), class_="plots"),
        tag("p", _CAPTION, class_="note"),
        table(
            (None, None),
            [("Validation, SHA-256", tag("code", stated.sha256)),
             ("Pairs, SHA-256", tag("code", found.pairs_sha256)),
             ("Truth, SHA-256", tag("code", found.truth_sha256))],
            class_="facts",
        ),
    )  # fmt: skip


def _between(interval: tuple[Number, Number] | None) -> str:
    low, high = interval or (None, None)
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"
