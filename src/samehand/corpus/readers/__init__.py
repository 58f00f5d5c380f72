"""Readers of corpora and trials, one module a format. What is on disk decides which one is used."""

from samehand.corpus.readers.columns import Columns
from samehand.corpus.readers.corpora import FORMATS, is_corpus, read_corpus, sources
from samehand.corpus.readers.trials import Trial, read_trials

__all__ = ["FORMATS", "Columns", "Trial", "is_corpus", "read_corpus", "read_trials", "sources"]
