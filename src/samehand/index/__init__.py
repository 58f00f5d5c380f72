"""Collections: vectors of a million documents in tables, searched and linked (extra `scale`)."""

from samehand.index.collection import Index
from samehand.index.present import Added
from samehand.index.searching import Found, Hit
from samehand.index.table import Entry

__all__ = ["Added", "Entry", "Found", "Hit", "Index"]
