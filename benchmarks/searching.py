"""Searching an index: time by step, what the approximate index misses, size, and memory.

    python benchmarks/searching.py INDEX QUERIES [--corpus CORPUS] [--queries N]

QUERIES is a Parquet file with a column `text`. Each text is searched warm, alone. What is found is
held against an exhaustive search: the authors nearest by distance, and those with the highest
likelihood ratios (LRs) of all. With `--corpus`, the one that the index was made of, the LRs shown
are held against `Verifier.score` of the texts. Exits with 1 where the median search takes more
than 50 ms, fewer than 0.99 of the 100 nearest authors are among the candidates, or the index is
larger than 1.5 GiB; other work on the machine counts against us.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from samehand.assessment import case_digest
from samehand.index import Index
from samehand.index.authors import sides_of
from samehand.index.place import taken
from samehand.index.searching import Questioned
from samehand.index.table import numbers_in
from samehand.reading.paragraphs import normal_layout
from samehand.scoring.distance import KnownSides
from samehand.verifier import Verifier

MOST_MS, LEAST_RECALL, MOST_GIB = 50.0, 0.99, 1.5
_NEAREST, _TOP = 100, 20
_SIDE = ["author", "known", "log_tokens", "spread", "vector"]
_SCORED, _MOST_SCORED = 400, 200_000
"""Authors whose LR is computed of those with the highest estimates, of so many at most."""
_CHECKED = 10
_FIRST = 10
"""Searches that are not timed."""

Floats = NDArray[np.float64]


def milliseconds(do: Callable[[], Any]) -> tuple[float, Any]:
    """How long something takes, and what it returns."""
    start = time.perf_counter()
    found = do()
    return 1000 * (time.perf_counter() - start), found


class Everyone(NamedTuple):
    """All authors of an index, in memory, for an exhaustive search."""

    names: list[str]
    vectors: NDArray[np.float32]
    squared: NDArray[np.float32]
    sides: KnownSides | None
    """None of too many authors."""

    @classmethod
    def of(cls, index: Index) -> "Everyone":
        rows = index.searcher.authors.to_lance().to_table(columns=_SIDE)
        vectors = numbers_in(rows["vector"]).reshape(len(rows), -1)
        sides = sides_of(rows) if len(rows) <= _MOST_SCORED else None
        return cls(rows["author"].to_pylist(), vectors, np.square(vectors).sum(1), sides)

    def nearest(self, question: Questioned, n: int) -> set[str]:
        """The names of the nearest by distance."""
        straight = question.straight.astype(np.float32)
        distance = self.squared - 2 * self.vectors @ straight
        return {self.names[place] for place in np.argpartition(distance, n)[:n]}

    def likeliest(self, verifier: Verifier, question: Questioned, n: int) -> list[str]:
        """Those with the highest LRs of all, before LRs are held to the bounds."""
        evidence: Any = verifier.system.evidence
        ratio = np.concatenate(
            [
                evidence.estimate(question.compared(self._at(slice(start, start + 4096))))
                for start in range(0, len(self.names), 4096)
            ]
        )
        first = np.argsort(-ratio)[:_SCORED]
        free = verifier.system.score_compared(question.compared(self._at(first))).free
        return [self.names[place] for place in first[np.argsort(-free, kind="stable")[:n]]]

    def _at(self, places: Any) -> KnownSides:
        assert self.sides is not None
        return KnownSides(*(field[places] for field in self.sides))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("index", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--queries", dest="n", type=int, default=100)
    given = parser.parse_args()

    verifier = Verifier.load()
    index = Index.open(given.index, verifier)
    rows = pq.read_table(given.queries, columns=["text"]).slice(0, given.n + _FIRST)
    texts = list(map(normal_layout, rows["text"].to_pylist()))
    size = sum(file.stat().st_size for file in given.index.rglob("*") if file.is_file()) / 2**30
    print(f"{len(index):,} documents by {index.authors:,} authors, {size:.2f} GiB")

    took, embedding, neighbours, found = [], [], [], []
    search, processor = index.searcher, 0.0
    for number, text in enumerate(texts):
        embedding.append(milliseconds(lambda text=text: verifier.vectors([text]))[0])
        question = Questioned(verifier.vectors([text]), case_digest(text))
        neighbours.append(milliseconds(lambda question=question: search.nearest(question)))
        before = time.process_time()
        took.append(milliseconds(lambda text=text: index.search([text], _TOP)[0]))
        processor += (time.process_time() - before) * (number >= _FIRST)
        found.append(took[-1][1])
    warm = [ms for ms, _ in took[_FIRST:]]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"a search: median {np.median(warm):.1f} ms, 9 in 10 under {np.percentile(warm, 90):.1f}; "
        f"of it embedding {np.median(embedding[_FIRST:]):.1f}, "
        f"nearest authors {np.median([ms for ms, _ in neighbours[_FIRST:]]):.1f}; "
        f"all threads together {1000 * processor / len(warm):.1f}; memory {memory:.2f} GiB at most"
    )

    everyone = Everyone.of(index)
    nearest, likeliest = [], []
    for text, (_, rows), own in zip(
        texts[_FIRST:], neighbours[_FIRST:], found[_FIRST:], strict=True
    ):
        question = Questioned(verifier.vectors([text]), case_digest(text))
        row_ids = rows["_rowid"].to_numpy().astype(np.int64)
        candidates = set(taken(search.authors, row_ids, ["author"])["author"].to_pylist())
        nearest.append(len(everyone.nearest(question, _NEAREST) & candidates) / _NEAREST)
        if everyone.sides is not None:
            best = everyone.likeliest(verifier, question, _TOP)
            likeliest.append(len(set(best) & {hit.author for hit in own.hits}) / _TOP)
    recall = float(np.mean(nearest))
    print(f"of the {_NEAREST} nearest authors {recall:.4f} are candidates (worst {min(nearest)})")
    if likeliest:
        print(f"of the {_TOP} authors with the highest LRs {np.mean(likeliest):.4f} are shown")
    if given.corpus:
        print(f"log10 LRs apart from the texts': {apart(verifier, given.corpus, texts, found):.1e}")
    return 0 if np.median(warm) <= MOST_MS and recall >= LEAST_RECALL and size <= MOST_GIB else 1


def apart(verifier: Verifier, corpus: Path, texts: list[str], found: list[Any]) -> float:
    """The largest difference of log10 LRs shown from those that the texts have."""
    contents = pq.read_table(corpus, columns=["text"])["text"]
    most = 0.0
    for text, own in list(zip(texts, found, strict=True))[:_CHECKED]:
        known = [
            [
                normal_layout(contents[int(name.rpartition("/")[2]) - 1].as_py())
                for name in hit.known
            ]
            for hit in own.hits
        ]
        scored = verifier.score((text, of_one) for of_one in known)
        differences = [s.log10_lr - hit.log10_lr for s, hit in zip(scored, own.hits, strict=True)]
        most = max(most, *map(abs, differences))
    return most


if __name__ == "__main__":
    sys.exit(main())
