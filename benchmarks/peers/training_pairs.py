"""Pairs of training text, by the rule of the trials, that the peers are calibrated on.

Same-author pairs cross topics, different-author pairs share one; of every source equally many.
Where no author of a source writes on two topics, or no topic has two authors, that half of the rule
cannot hold and its topics are ignored.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from peers.peer import Pair
from samehand.corpus.document import Document
from samehand.corpus.readers import read_corpus, sources
from samehand.corpus.topics import topics_are_informative

OF_EACH_KIND = 60
"""Pairs by one author, and pairs by two, drawn from each source."""


class LabelledPairs(NamedTuple):
    pairs: list[Pair]
    same: list[bool]


def draw_training_pairs(folder: Path, of_each_kind: int = OF_EACH_KIND) -> LabelledPairs:
    """Pairs from every source of a folder; the same ones every time."""
    drawn = LabelledPairs([], [])
    for name, path in sources(folder):
        documents = list(read_corpus(path))
        rng = Random(name)
        for same, draw in ((True, _by_one_author), (False, _by_two_authors)):
            found = draw(documents, of_each_kind, rng)
            drawn.pairs.extend((a.text, b.text) for a, b in found)
            drawn.same.extend([same] * len(found))
    return drawn


def _by_one_author(
    documents: Sequence[Document], most: int, rng: Random
) -> list[tuple[Document, Document]]:
    """One pair an author at most."""
    across_topics = topics_are_informative(
        (document.author for document in documents), (document.topic for document in documents)
    )
    found = []
    for own in _by_author(documents, rng):
        first = rng.choice(own)
        others = [
            other
            for other in own
            if other is not first and not (across_topics and other.topic == first.topic)
        ]
        if others and len(found) < most:
            found.append((first, rng.choice(others)))
    return found


def _by_two_authors(
    documents: Sequence[Document], most: int, rng: Random
) -> list[tuple[Document, Document]]:
    """No author is in two pairs."""
    on_topic = defaultdict(list)
    for document in documents:
        on_topic[document.topic].append(document)
    within_topic = any(len({d.author for d in on}) > 1 for on in on_topic.values())
    used: set[str] = set()
    found: list[tuple[Document, Document]] = []
    for own in _by_author(documents, rng):
        first = rng.choice(own)
        if len(found) == most or first.author in used:
            continue
        candidates = on_topic[first.topic] if within_topic else documents
        others = [d for d in candidates if d.author != first.author and d.author not in used]
        if others:
            found.append((first, rng.choice(others)))
            used |= {document.author for document in found[-1]}
    return found


def _by_author(documents: Sequence[Document], rng: Random) -> list[list[Document]]:
    """The documents of each author, authors in random order."""
    of_author = defaultdict(list)
    for document in documents:
        of_author[document.author].append(document)
    authors = list(of_author.values())
    rng.shuffle(authors)
    return authors
