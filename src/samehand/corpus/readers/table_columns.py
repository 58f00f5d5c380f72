"""The columns of a table that make a document, and what their values must look like."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.document import Document
from samehand.corpus.readers.bad_records import BadRecord
from samehand.errors import InputError


class Columns(NamedTuple):
    """Which column holds what. The topic column may be missing unless it was renamed."""

    author: str = "author"
    topic: str = "topic"
    text: str = "text"

    def required(self) -> dict[str, str]:
        """The columns a table must have, by role."""
        roles = {"author": self.author, "text": self.text}
        if self.author == self.text:  # nobody asks for authors
            del roles["author"]
        if self.topic != Columns().topic:
            roles["topic"] = self.topic
        return roles

    def check(self, path: Path, present: Collection[str]) -> None:
        """Raise unless all required columns are among those `present` in the file, and once."""
        names = list(present)
        for name in self:
            if names.count(name) > 1:
                raise InputError(f"{path}: there are several columns {name!r}; rename all but one")
        for role, name in self.required().items():
            if name not in present:
                found = ", ".join(list(present)[:12]) or "none"
                raise InputError(
                    f"{path}: there is no column {name!r} (found: {found}); "
                    f"name the right one with --{role}-column"
                )


def checked_document(author: object, topic: object, text: object) -> Document:
    """A document from raw values, or `BadRecord` when one of them cannot be used."""
    prose = checked_text(text, "text")
    if not prose or prose.isspace():
        raise BadRecord("the text is empty; fill it in or remove the record")
    label = "" if topic is None else checked_name(topic, "topic", may_be_empty=True)
    return Document(checked_name(author, "author"), label, prose)


def checked_name(value: object, role: str, may_be_empty: bool = False) -> str:
    """A label such as an author or an id; whole numbers are welcome, as corpora often use them."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        raise BadRecord(f"the {role} is missing; fill it in or remove the record")
    name = checked_text(value, role).strip()
    if not name and not may_be_empty:
        raise BadRecord(f"the {role} is empty; fill it in or remove the record")
    return name


def checked_text(value: object, role: str) -> str:
    """A string that can be written as UTF-8 again.

    Readers decode with `surrogateescape` where one bad byte must not stop the whole file, and JSON
    can spell half a surrogate pair: both show here.
    """
    if value is None:
        raise BadRecord(f"the {role} is missing; fill it in or remove the record")
    if not isinstance(value, str):
        kind = type(value).__name__
        raise BadRecord(f"the {role} is not a string but of type {kind}; write it as a string")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadRecord(f"the {role} is not valid UTF-8; save it as UTF-8") from None
    return value
