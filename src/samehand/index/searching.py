"""A questioned text among the authors of an index.

Candidates are the authors nearest by the distance of scoring, by an approximate index. Then their
likelihood ratios (LRs) are those that the model gives for the text and an author's known texts.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.assessment import case_digest
from samehand.cautions.texts import LEAST_WORDS, too_short
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.index.among import EXPECT_FALSE, PRIOR_OF_NONE, Among, FalseRate, among
from samehand.index.authors import known_texts, sides_of
from samehand.index.place import Table, quoted, taken
from samehand.index.table import vectors_of
from samehand.scoring.distance import (
    Compared,
    KnownSides,
    Trials,
    compare,
    compare_sides,
    straightened,
)
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.system import TrialScores
from samehand.text.words import words
from samehand.verifier import Verifier

if TYPE_CHECKING:
    import pyarrow as pa

TOP = 20
"""Authors that are shown, unless stated."""
_NEAREST = 1_500
"""Authors whose LR is estimated: nearness is not evidence, as that depends on their texts, too."""
_SCORED = 2
"""Times the authors shown whose LR is then computed."""
_PARTS = 100
"""Parts of the approximate index that are looked through."""
_LOG_10 = math.log(10)


@dataclass(frozen=True)
class Hit:
    """An author who may have written the text."""

    author: str
    documents: int
    """How many the index has."""
    known: tuple[str, ...]
    """The ids of those that were compared, as known texts of one author."""
    log10_lr: float
    """As `Verifier.score` gives it."""
    probability: float
    """That this author wrote the text, beside all others and none of them."""
    named: bool
    """Whether the evidence is enough to name this author among so many."""
    new_genre: bool
    different_kinds: bool


@dataclass(frozen=True)
class Found:
    """Result of a search."""

    hits: tuple[Hit, ...]
    """Those with the highest LRs, highest first."""
    among: Among
    """The answer about all authors of the index."""
    copies: tuple[str, ...]
    """Ids of documents that are the questioned text itself, which is no evidence of style."""

    def as_dict(self) -> dict[str, Any]:
        """A text's result in `samehand search --json`."""
        hits = [
            {
                "author": hit.author,
                "log10_lr": round(hit.log10_lr, 6),
                "probability": hit.probability,
                "named": hit.named,
                "documents": hit.documents,
                "known": list(hit.known),
                "new_genre": hit.new_genre,
                "different_kinds": hit.different_kinds,
            }
            for hit in self.hits
        ]
        return {**self.among.as_dict(), "hits": hits, "copies": list(self.copies)}


class Questioned(NamedTuple):
    """A text whose author is sought."""

    vectors: TextVectors
    digest: bytes

    @property
    def straight(self) -> NDArray[np.float64]:
        straight: NDArray[np.float64] = straightened(self.vectors)[0]
        return straight

    def compared(self, sides: KnownSides) -> Compared:
        """Compared with the known side of each of some authors."""
        n = len(sides.n)
        log_tokens = np.log(self.vectors.tokens.astype(np.float64))
        return compare_sides(np.tile(self.straight, (n, 1)), np.repeat(log_tokens, n), sides)


class Candidate(NamedTuple):
    """An author who is near."""

    author: str
    documents: int
    ids: tuple[str, ...]
    """Of the known texts."""
    digests: tuple[bytes, ...]
    """Theirs."""

    @classmethod
    def of(cls, row: dict[str, Any]) -> "Candidate":
        """From a row of the table of authors."""
        ids, digests = known_texts(row["ids"], row["digests"])
        return cls(row["author"], row["documents"], ids, digests)

    def copies(self, digest: bytes) -> list[str]:
        """The ids of those of the known texts that have this digest."""
        known = zip(self.ids, self.digests, strict=True)
        return [name for name, own in known if own == digest]

    def without(self, digest: bytes) -> "Candidate":
        """The author without them."""
        copies = self.copies(digest)
        return self._replace(
            ids=tuple(name for name in self.ids if name not in copies),
            digests=tuple(own for own in self.digests if own != digest),
        )


class Search:
    """The authors of an index, to be searched. Threads may share it."""

    def __init__(self, verifier: Verifier, documents: Table, authors: Table) -> None:
        self.authors = authors
        self._verifier, self._documents = verifier, documents
        assert isinstance(verifier.system.evidence, GenreEvidence)  # no index is made by others
        self._evidence = verifier.system.evidence

    def find(
        self,
        texts: Sequence[str],
        top: int = TOP,
        *,
        prior_of_none: float = PRIOR_OF_NONE,
        expect_false: float = EXPECT_FALSE,
    ) -> list[Found]:
        """Search for the author of each of some texts, whatever the others are."""
        _check_long_enough(texts)
        if top < 1:
            raise InputError(f"{top} authors cannot be shown; give a number from 1.")
        vectors = self._verifier.vectors(texts)
        found = []
        for place, text in enumerate(texts):
            question = Questioned(vectors.at([place]), case_digest(text))
            found.append(self._find(question, top, prior_of_none, expect_false))
        return found

    def _find(
        self, question: Questioned, top: int, prior_of_none: float, expect_false: float
    ) -> Found:
        candidates, sides = self._likeliest(question, max(_SCORED * top, 2 * TOP))
        compared = question.compared(sides)
        copies: list[str] = []
        for place, candidate in enumerate(candidates):
            if question.digest in candidate.digests:
                copies += candidate.copies(question.digest)
                candidates[place] = own = candidate.without(question.digest)
                if own.ids:
                    rest = self._compared(question, own.ids)
                    for field, new in zip(compared, rest, strict=True):
                        field[place] = new[0]
        kept = [place for place, candidate in enumerate(candidates) if candidate.ids]
        if not kept:
            raise InputError(
                f"The index has nothing but copies of the questioned text ({', '.join(copies)}), "
                "so there is nobody to compare it with; add other documents (samehand index)."
            )
        known = [candidates[place] for place in kept]
        compared = compared.at(np.array(kept))
        scores = self._score(question, compared, known)
        order = np.lexsort((-compared.similarity, -scores.free, -scores.log_lr))
        scores = TrialScores._make(field[order] for field in scores)
        n = self.authors.count_rows() - (len(candidates) - len(kept))
        answer = among(
            scores.log_lr, self._rate, n, prior_of_none=prior_of_none, expect_false=expect_false
        )
        return Found(
            tuple(_hits([known[place] for place in order[:top]], scores, answer)),
            answer,
            tuple(copies),
        )

    def nearest(self, question: Questioned) -> "pa.Table":
        """The rows of the nearest authors, as far as their LRs depend on them."""
        return (
            self.authors.search(question.straight.astype(np.float32), vector_column_name="vector")
            .distance_type("l2")
            .nprobes(_PARTS)
            .limit(_NEAREST)
            .with_row_id(True)
            .select(["known", "log_tokens", "spread", "vector", "_distance"])
            .to_arrow()
        )

    def _likeliest(self, question: Questioned, n: int) -> tuple[list["Candidate"], KnownSides]:
        """Those of the nearest whose LR is highest, as far as it is estimated."""
        near = self.nearest(question)
        ratio = self._evidence.estimate(question.compared(sides_of(near)))
        first = near.take(np.argsort(-ratio, kind="stable")[:n])
        beside = taken(
            self.authors, first["_rowid"].to_numpy().astype(np.int64), list(Candidate._fields)
        )
        return [Candidate.of(row) for row in beside.to_pylist()], sides_of(first)

    def _score(
        self, question: Questioned, compared: Compared, candidates: Sequence[Candidate]
    ) -> TrialScores:
        """As `Verifier.score` does: what a case brought of a trial's texts does not count in it."""
        assessor = self._verifier.assessor
        if assessor.case is None:
            return assessor.system.score_compared(compared)
        alike: defaultdict[frozenset[bytes], list[int]] = defaultdict(list)
        for place, candidate in enumerate(candidates):
            digests, vectors = self._known(candidate.ids)
            both = joined([question.vectors, vectors])
            of_case = assessor.of_case([question.digest, *digests], both)
            alike[frozenset().union(*of_case)].append(place)
        order, parts = [], []
        for without, places in alike.items():
            system = assessor.system_without(without)
            parts.append(system.score_compared(compared.at(np.array(places))))
            order += places
        back = np.argsort(order)
        return TrialScores._make(np.concatenate(field)[back] for field in zip(*parts, strict=True))

    def _known(self, ids: Sequence[str]) -> tuple[list[bytes], TextVectors]:
        """The digests and vectors of some documents, in the order of the table."""
        read = self._documents.search().where(f"id IN ({quoted(ids)})")
        rows = read.select(["tokens", "digest", "vector"]).limit(len(ids)).to_arrow()
        return rows["digest"].to_pylist(), vectors_of(rows, self._verifier.embedder.sizes)

    def _compared(self, question: Questioned, ids: Sequence[str]) -> Compared:
        """Compared with some documents, as known texts of one author."""
        both = joined([question.vectors, self._known(ids)[1]])
        return compare(both, Trials.of([0], [list(range(1, both.texts))]))

    @cached_property
    def _rate(self) -> FalseRate:
        return FalseRate.of(self._verifier.description)


def _hits(candidates: Sequence[Candidate], scores: TrialScores, answer: Among) -> Iterator[Hit]:
    for place, candidate in enumerate(candidates):
        yield Hit(
            candidate.author,
            candidate.documents,
            candidate.ids,
            float(scores.log_lr[place]) / _LOG_10,
            float(answer.posterior.candidates[place]),
            bool(answer.named[place]),
            bool(scores.new_genre[place]),
            bool(scores.different_kinds[place]),
        )


def _check_long_enough(texts: Sequence[str]) -> None:
    for number, text in enumerate(texts, start=1):
        if (n := len(words(text))) < LEAST_WORDS:
            name = "The questioned text" if len(texts) == 1 else f"Questioned text {number}"
            raise InputError(too_short(name, n))
