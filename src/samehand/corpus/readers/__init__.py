"""Readers of corpora and trials, one module a format. What is on disk decides which one is used."""

from samehand.corpus.readers.corpora import FORMATS, holds_tables, read_corpus, sources
from samehand.corpus.readers.counting import n_documents, n_trials
from samehand.corpus.readers.table_columns import Columns
from samehand.corpus.readers.trials import Trial, holds_trials, read_trials

__all__ = [
    "FORMATS",
    "Columns",
    "Trial",
    "holds_tables",
    "holds_trials",
    "n_documents",
    "n_trials",
    "read_corpus",
    "read_trials",
    "sources",
]
