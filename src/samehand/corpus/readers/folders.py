"""A folder tree: `author/topic/text.txt`, `author/text.txt`, or some of each."""

import os
from collections.abc import Iterator
from pathlib import Path

from samehand.corpus.document import Document
from samehand.corpus.readers.table_columns import checked_document
from samehand.io.records import OnBad, keep_usable
from samehand.io.text_lines import bare_suffix, read_text


def read_folders(root: Path, on_bad: OnBad | None) -> Iterator[Document]:
    """Documents of a folder tree in the order of their names.

    The first folder is the author, those below it the topic. Only `.txt` and `.txt.gz` count.
    """
    rows = ((str(path), path) for path in text_files(root))
    return keep_usable(rows, lambda path: _document(root, path), on_bad)


def text_files(root: Path) -> Iterator[Path]:
    """Text files at least one folder down; names that begin with a dot are left alone."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        if Path(folder) == root:
            continue
        for name in sorted(names):
            if not name.startswith(".") and bare_suffix(Path(name)) == ".txt":
                yield Path(folder, name)


def _document(root: Path, path: Path) -> Document:
    author, *topic = path.relative_to(root).parts[:-1]
    return checked_document(author, "/".join(topic), read_text(path))
