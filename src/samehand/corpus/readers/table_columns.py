"""The columns of a table that make a document, and what their values must look like."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from samehand.corpus.document import Document
from samehand.errors import InputError
from samehand.io.records import BadRecord, checked_name, checked_text


class Columns(NamedTuple):
    """Which column holds what. The topic column may be missing unless it was renamed.

    Without a column of authors, as where only texts are wanted, documents have none; nor have they
    ids unless a column of ids is named.
    """

    author: str | None = "author"
    topic: str = "topic"
    text: str = "text"
    id: str | None = None

    def required(self) -> dict[str, str]:
        """The columns a table must have, by role."""
        roles = {} if self.author is None else {"author": self.author}
        roles["text"] = self.text
        if self.topic != Columns().topic:
            roles["topic"] = self.topic
        return roles if self.id is None else roles | {"id": self.id}

    def check(self, path: Path, present: Collection[str]) -> None:
        """Raise unless all required columns are among those `present` in the file, and once."""
        names = list(present)
        for name in filter(None, self):
            if names.count(name) > 1:
                raise InputError(f"{path}: there are several columns {name!r}; rename all but one")
        for role, name in self.required().items():
            if name not in present:
                found = ", ".join(" ".join(each.split())[:40] for each in names[:12]) or "none"
                raise InputError(
                    f"{path}: there is no column {name!r} (found: {found}); "
                    f"name the right one with --{role}-column"
                )

    def document(self, row: Mapping[str, object]) -> Document:
        """The document in a row, or `BadRecord`."""
        topic, text = _checked(row.get(self.topic), row.get(self.text))
        author = "" if self.author is None else checked_name(row.get(self.author), "author")
        name = "" if self.id is None else checked_name(row.get(self.id), "id")
        return Document(author, topic, text, name)


def checked_document(author: object, topic: object, text: object) -> Document:
    """A document from raw values, or `BadRecord` when one of them cannot be used."""
    label, prose = _checked(topic, text)
    return Document(checked_name(author, "author"), label, prose)


def _checked(topic: object, text: object) -> tuple[str, str]:
    prose = checked_text(text, "text")
    if not prose or prose.isspace():
        raise BadRecord("the text is empty; fill it in or remove the record")
    return "" if topic is None else checked_name(topic, "topic", may_be_empty=True), prose
