"""How many documents or trials there are, so that one can say how long they will take."""

from pathlib import Path

from samehand.corpus.readers.corpora import detect, sources
from samehand.corpus.readers.delimited import read_delimited
from samehand.corpus.readers.folders import text_files
from samehand.corpus.readers.pan13 import is_pan13, problems
from samehand.corpus.readers.pan20 import find_pan20
from samehand.corpus.readers.parquet import n_rows
from samehand.corpus.readers.table_columns import Columns
from samehand.io.jsonl import json_lines
from samehand.io.opening import is_pipe


def n_documents(path: Path, columns: Columns, format: str | None = None) -> int | None:
    """Documents of a corpus, with those that cannot be used; None of a pipe, read only once."""
    if is_pipe(path):
        return None
    return sum(_of_source(source, columns, format) for _, source in sources(path, format))


def n_trials(path: Path) -> int | None:
    """Trials of a PAN folder or pairs file; None of what is not one, or is read only once."""
    if path.is_dir() and is_pan13(path):
        return sum(1 for _ in problems(path))
    found = find_pan20(path) if path.exists() else []
    file = found[0].pairs if len(found) == 1 else path
    return sum(1 for _ in json_lines(file)) if file.is_file() else None


def _of_source(path: Path, columns: Columns, format: str | None) -> int:
    kind = format or detect(path)
    if kind == "parquet":
        return n_rows(path)
    if kind == "jsonl":
        return sum(1 for _ in json_lines(path))
    if kind == "folders":
        return sum(1 for _ in text_files(path))
    if kind == "pan20":
        return sum(2 for files in find_pan20(path) for _ in json_lines(files.pairs))
    if kind == "pan13":
        return sum(len(problem.known) + 1 for problem in problems(path))
    return sum(1 for _ in read_delimited(path, columns, lambda fault: None))
