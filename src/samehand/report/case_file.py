"""The examiner's statements about a case, which a report prints as they stand."""

import hashlib
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from samehand.errors import InputError
from samehand.model.config import Settings
from samehand.report.case_validation import StatedValidation, read_validation

_MOST_BYTES = 1 << 16
Line = Annotated[str, Field(max_length=300)]
Prose = Annotated[str, Field(max_length=10_000)]


class CaseFile(Settings):
    """A case as its YAML file states it; all of it may be left out."""

    number: Line | None = None
    examiner: Line | None = None
    date: Line | None = None
    question: Prose | None = Field(None, description="what was asked")
    one_author: Prose | None = Field(None, description="H₁, in words of the case")
    two_authors: Prose | None = Field(None, description="H₂, in words of the case")
    population: Prose | None = Field(None, description="who else could have written the text")
    items: dict[Line, Prose] = Field({}, description="what was received, by the names of the files")
    notes: Prose | None = None
    validation: Line | None = Field(
        None, description="a file of samehand validate --json, from the place of the case file on"
    )


class StatedCase(NamedTuple):
    """A case file that was read."""

    case: CaseFile
    sha256: str
    validation: StatedValidation | None = None
    """Of the model that answers, on trials of the case's kind."""


def read_case_file(path: Path) -> StatedCase:
    """The case in a YAML file; what is wrong with it raises `InputError`."""
    import yaml

    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: cannot be read ({reason}); check the path.") from None
    if len(content) > _MOST_BYTES:
        raise InputError(f"{path}: too long for a case file (64 KB at most); shorten it.")
    try:
        stated = yaml.load(content, Loader=yaml.BaseLoader)  # only text, lists and names
        case = CaseFile.model_validate(stated or {})
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"{path}: {_fault(error)}; see docs/verifying.md.") from None
    tried = None if case.validation is None else read_validation(path.parent / case.validation)
    return StatedCase(case, hashlib.sha256(content).hexdigest(), tried)


def _fault(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "not a case file in YAML (NAME: VALUE, a line each)"
    fault = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(map(str, fault["loc"]))[:80]
    known = ", ".join(CaseFile.model_fields)
    if fault["type"] == "extra_forbidden":
        return f"{place!r} is no part of a case file, which has {known}"
    return f"{place or 'the file'} cannot be used ({fault['msg'].lower()})"
