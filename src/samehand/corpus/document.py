"""The record that all readers yield and later steps consume."""

from typing import NamedTuple


class Document(NamedTuple):
    """One text by one author. `topic` and `id` are empty where the corpus does not say."""

    author: str
    topic: str
    text: str
    id: str = ""
