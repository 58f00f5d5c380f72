"""The texts that a case brings by others: from files, folders, corpora and trials."""

from collections.abc import Iterator
from pathlib import Path

from samehand.corpus.readers import Columns, holds_tables, holds_trials, read_corpus, read_trials
from samehand.errors import InputError
from samehand.reading import read_text

_DOCUMENTS = (".txt", ".md", ".html", ".htm", ".docx", ".pdf")
_ABOUT_OTHERS = 2
"""Documents beside tables that may be a readme or a licence, and are passed over."""


def read_texts(path: Path, column: str = "text") -> Iterator[str]:
    """The texts of a corpus or of trials, of a folder of documents, or of one document.

    Of tables only the column with the text is needed.
    """
    if holds_trials(path):
        for trial in read_trials(path):
            yield from (*trial.known, trial.questioned)
    elif holds_tables(path):
        _refuse_mixture(path)
        for document in read_corpus(path, Columns(author=None, text=column)):
            yield document.text
    elif path.is_dir():
        files = sorted(file for file in path.iterdir() if not file.name.startswith("."))
        if not any(file.is_file() for file in files):
            raise InputError(f"{path}: there is no text in this folder; check the path.")
        for file in files:
            if file.is_file():
                yield read_text(file).text
    else:
        yield read_text(path).text


def _refuse_mixture(path: Path) -> None:
    """A folder of tables, or of folders, is read as such; texts beside them would be lost."""
    loose = [
        file for file in path.glob("*") if file.is_file() and file.suffix.lower() in _DOCUMENTS
    ]
    if len(loose) > _ABOUT_OTHERS:
        raise InputError(
            f"{path}: holds {len(loose):,} documents beside tables or folders of them; name "
            "either by itself."
        )
