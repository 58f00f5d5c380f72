"""Time of an epoch of pair re-sampling, against numpy's shuffling and sorting of its documents.

The corpus is made up with the counts of the paper's training set. Exits with 1 where an epoch takes
more than 5 times as long as 20 shuffles and sorts, or where different-author pairs are not 65–75 %.

    python benchmarks/resampling.py
"""

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import Deltas, sample_epoch
from samehand.corpus.trial_sampling import subset_names

DOCUMENTS, AUTHORS, TOPICS = 303_142, 200_732, 1_200
ROUNDS = 7


def made_up_corpus(seed: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Every author has a document; a few have many. Half of an author's documents share a topic."""
    rng = np.random.default_rng(seed)
    eagerness = rng.pareto(1.3, AUTHORS)
    more = rng.choice(AUTHORS, DOCUMENTS - AUTHORS, p=eagerness / eagerness.sum())
    authors = np.concatenate([np.arange(AUTHORS), more])
    popularity = 1 / np.arange(10, TOPICS + 10)
    popularity /= popularity.sum()
    home = rng.choice(TOPICS, AUTHORS, p=popularity)
    away = rng.choice(TOPICS, DOCUMENTS, p=popularity)
    topics = np.where(rng.random(DOCUMENTS) < 0.5, home[authors], away)
    return authors.astype(np.int32), topics.astype(np.int32)


def seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def shuffle_and_sort(rng: np.random.Generator) -> None:
    for _ in range(20):
        np.sort(rng.permutation(DOCUMENTS))


def main() -> int:
    authors, topics = made_up_corpus(0)
    rng = np.random.default_rng(0)
    yardsticks, epochs = [], []
    for epoch in range(ROUNDS):  # in turn, so that a busy machine slows both
        yardsticks.append(seconds(lambda: shuffle_and_sort(rng)))
        epochs.append(seconds(lambda e=epoch: sample_epoch(authors, topics, Deltas(), 0, e)))
    pairs = sample_epoch(authors, topics, Deltas(), 0, 0)
    different = 1 - pairs.same_author.mean()
    ratio = statistics.median(epochs) / statistics.median(yardsticks)
    names, counts = np.unique(subset_names(pairs.same_author, pairs.same_topic), return_counts=True)
    per_author = np.bincount(authors)
    print(f"authors with 1, 2, 3+ documents  {np.bincount(np.minimum(per_author, 3))[1:]}")
    print(f"most documents by one author     {per_author.max()}")
    print(f"pairs                            {len(pairs):,}")
    for name, count in zip(names, counts, strict=True):
        print(f"  {name}                          {count / len(pairs):6.1%}")
    print(f"different-author pairs           {different:.1%} (65–75 % wanted)")
    print(f"one epoch                        {statistics.median(epochs):.3f} s")
    print(f"20 shuffles and sorts            {statistics.median(yardsticks):.3f} s")
    print(f"ratio                            {ratio:.2f} (5 at most)")
    return 0 if ratio <= 5 and 0.65 <= different <= 0.75 else 1


if __name__ == "__main__":
    sys.exit(main())
