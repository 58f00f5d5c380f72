"""The route that compares a class: each writer's new text with earlier ones of the same writer."""

import base64
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from samehand.casework.class_folders import WriterRead, texts_of_writer
from samehand.casework.class_of_writers import Writer, compare_each
from samehand.errors import InputError
from samehand.reading import Reading, Unreadable, read_content
from samehand.report.class_report import (
    MANY,
    MEANING,
    ReportedClass,
    class_csv,
    class_html,
    head,
    not_compared,
    opening,
    reasons,
    rows,
)
from samehand.report.numbers import rounded
from samehand.server.faults import FAULTS
from samehand.server.messages import Request
from samehand.server.work import Work
from samehand.verifier import Verifier

MOST_FILES = 1_000
_COMMAND = "samehand verify --each NEW EARLIER --report class.html"


def _decoded(content: object) -> bytes:
    try:
        return base64.b64decode(str(content), validate=True)
    except ValueError:
        raise PydanticCustomError("base64", "Not base64") from None


class GivenFile(Request):
    """A file of a writer."""

    path: Annotated[str, Field(min_length=1, max_length=1_000)]
    """By its first folder, or else by its name, whose it is: `anna/2.docx`, `anna.docx`."""
    content: Annotated[bytes, BeforeValidator(_decoded)] = Field(description="In base64.")

    @property
    def writer(self) -> str:
        """Whose text it is."""
        path = PurePosixPath(self.path)
        return path.parts[0] if len(path.parts) > 1 else PurePosixPath(path.name).stem


Files = Annotated[list[GivenFile], Field(min_length=1, max_length=MOST_FILES)]


class ClassQuestion(Request):
    """The new texts of a class, and earlier ones by the same people."""

    new: Files
    earlier: Files


class ClassAnswer(BaseModel):
    """A row for each writer, and what chance alone would give."""

    opening: str = Field(description="How many came out how, beside chance.")
    head: list[str]
    rows: list[list[str]]
    meaning: str
    by_chance: list[tuple[str, list[str]]] = Field(description="Suppositions, and what they give.")
    many: str
    reasons: dict[str, list[str]] = Field(description="By writer: why to read it with care.")
    not_compared: dict[str, list[str]] = Field(description="By writer: why not.")
    html: str = Field(description="All of it as one file.")
    csv: str = Field(description="A table for spreadsheets.")


def classes(verifier: Verifier, work: Work) -> APIRouter:
    """The route around one model."""
    router = APIRouter()

    @router.post("/api/class", responses=FAULTS)
    async def of_class(question: ClassQuestion) -> ClassAnswer:
        """Did the writers of earlier texts write the new ones that bear their names?"""
        return await work.do(lambda: compared(verifier, question))

    return router


def compared(verifier: Verifier, question: ClassQuestion) -> ClassAnswer:
    """Each new text against the earlier ones of its writer, as `samehand verify --each` does."""
    new, earlier = _by_writer(question.new), _by_writer(question.earlier)
    if not new.keys() & earlier.keys():
        one, other = (next(iter(files.values()))[0].writer for files in (new, earlier))
        raise InputError(
            f"New and earlier texts have no name in common ({one} is among the new ones, {other} "
            "among the earlier ones); name files or folders in both by their writers."
        )
    read = [
        _read(file, _label(file, len(files)), earlier.get(writer, []))
        for writer, files in new.items()
        for file in files
    ]
    found = compare_each(verifier, [each.writer for each in read])
    shown = [
        replace(each, verdict=each.verdict and rounded(each.verdict)) for each in found.findings
    ]
    found = replace(found, findings=tuple(shown))
    without_new = [files[0].writer for writer, files in earlier.items() if writer not in new]
    reported = ReportedClass(
        found, [each.readings for each in read], without_new,
        with_probability=False, threshold=None, command=_COMMAND,
    )  # fmt: skip
    return ClassAnswer(
        opening=opening(found),
        head=list(head(reported)),
        rows=[list(row) for row in rows(reported)],
        meaning=MEANING,
        by_chance=[(said, list(each)) for said, each in found.expectations],
        many=MANY,
        reasons={name: list(each) for name, each in reasons(found).items()},
        not_compared={k: list(v) for k, v in not_compared(found, without_new).items()},
        html=class_html(reported),
        csv=class_csv(reported),
    )


def _by_writer(files: Sequence[GivenFile]) -> dict[str, list[GivenFile]]:
    """By a form of the name that does not tell capitals apart."""
    found = defaultdict(list)
    for file in sorted(files, key=lambda file: file.path):
        found[unicodedata.normalize("NFKC", file.writer).casefold()].append(file)
    return dict(found)


def _label(file: GivenFile, n_new: int) -> str:
    return file.writer if n_new == 1 else file.path


def _read(new: GivenFile, name: str, earlier: Sequence[GivenFile]) -> WriterRead:
    """Read a writer's texts; an `InputError` becomes its `fault`."""
    try:
        return texts_of_writer(name, _reading(new), list(map(_reading, earlier)))
    except InputError as fault:
        return WriterRead(Writer(name, "", (), fault=str(fault)), ())


def _reading(file: GivenFile) -> Reading:
    try:
        return read_content(file.content, file.path, file.path)
    except Unreadable as fault:
        raise InputError(f"{file.path}: {fault}.") from None
