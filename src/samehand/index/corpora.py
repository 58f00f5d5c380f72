"""The documents of corpora on their way into an index, each with an id."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from samehand.corpus.document import Document
from samehand.corpus.readers import Columns, n_documents, read_corpus, sources
from samehand.errors import InputError
from samehand.index.table import Entry
from samehand.reading.paragraphs import normal_layout


def entries(
    corpora: Sequence[Path],
    columns: Columns,
    format: str | None = None,
    on_bad: Callable[[str], None] | None = None,
) -> Iterator[Entry]:
    """Documents of one corpus after another. What `read_corpus` refuses, this refuses.

    Ids are those of the corpus where `columns` names them; else the source's name and the number
    in order of reading.
    """
    met: dict[str, Path] = {}
    for corpus in corpora:
        for name, source in sources(corpus, format):
            other = met.setdefault(name, source)
            if columns.id is None and other is not source:
                raise InputError(
                    f"{source}: another corpus is called {name!r}, too ({other}), so that their "
                    "documents would have the same ids; rename one."
                )
            documents = read_corpus(source, columns, format, on_bad)
            for number, document in enumerate(documents, start=1):
                yield entry_of(document, name, number)


def entry_of(document: Document, source: str, number: int) -> Entry:
    """A document of a corpus, its text in the layout in which files are read (`samehand search`).

    `number`: by which it is known where it has no id.
    """
    return Entry(
        document.id or f"{source}/{number}",
        normal_layout(document.text),
        document.author or None,
        document.topic or None,
        source,
    )


def n_entries(corpora: Sequence[Path], columns: Columns, format: str | None = None) -> int | None:
    """How many documents there are, at most; None where some can be read only once."""
    found = [n_documents(corpus, columns, format) for corpus in corpora]
    return None if None in found else sum(n for n in found if n is not None)
