"""Which accounts are one person? Links in a collection of known truth, beside what is promised.

    python benchmarks/linking.py TEXTS... [--index DIR] [--authors 5000] [--documents 50000]

TEXTS are folders of text with authors and topics (a source a file) by authors the model has not
met. The authors with the most documents are taken, of each at most 20 documents, and the longest
documents are cut in half until there are enough. Every other author, by chance (seed 0), has two
accounts, with other topics as far as there are any; the rest have one. All accounts are indexed (in
DIR, which a second run goes on with), and pairs are found and scored as `samehand link` does.

Prints Markdown tables: precision and recall of pairs by their likelihood ratio (LR) beside what the
model promises of it, and of the groups that `samehand link` lists.
"""

import argparse
import heapq
import math
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from samehand.corpus.readers import read_corpus, sources
from samehand.errors import InputError
from samehand.evaluation import score
from samehand.index import Entry, Index
from samehand.index.accounts import Accounts, Comparison, candidates
from samehand.index.among import FalseRate
from samehand.index.linking import NEAR, Linked
from samehand.index.links import Pairs, pair_prior
from samehand.scoring.distance import KnownSides, compare_sides
from samehand.verifier import Verifier

MOST_OF_ONE = 20
"""Documents of an author."""
LRS = (3, 5, 7, 10, 12)


def collection(folders: Sequence[Path], authors: int, documents: int) -> Iterator[Entry]:
    """Documents by accounts named SOURCE:AUTHOR/1 and /2; the same ones every time."""
    rng = random.Random(0)
    found = defaultdict(list)
    for folder in folders:
        for name, path in sources(folder):
            for document in read_corpus(path):
                found[name, document.author].append(document)
    rows: list[tuple[str, str, list[str]]] = []
    for name, author in sorted(found, key=lambda key: (-len(found[key]), key))[:authors]:
        own = found[name, author]
        rng.shuffle(own)
        own = sorted(own[:MOST_OF_ONE], key=lambda document: document.topic)
        first = len(own) // 2 if rng.random() < 0.5 else 0
        for place, document in enumerate(own):
            account = f"{name}:{author}/{1 if place < first else 2}"
            rows.append((account, document.topic, document.text.split(" ")))
    longest = [(-len(words), place) for place, (_, _, words) in enumerate(rows)]
    heapq.heapify(longest)
    while len(rows) < documents:
        _, place = heapq.heappop(longest)
        account, topic, words = rows[place]
        half = len(words) // 2
        rows[place] = account, topic, words[:half]
        rows.append((account, topic, words[half:]))
        for at in (place, len(rows) - 1):
            heapq.heappush(longest, (-len(rows[at][2]), at))
    rng.shuffle(rows)
    for number, (account, topic, words) in enumerate(rows):
        yield Entry(str(number), " ".join(words), account, topic)


class Truth:
    """Who is whom, by the names of accounts."""

    def __init__(self, names: Sequence[str]) -> None:
        self.author = np.array([name.rsplit("/", 1)[0] for name in names])
        _, counts = np.unique(self.author, return_counts=True)
        self.pairs = int((counts * (counts - 1) // 2).sum())
        self.second = 2 * self.pairs / len(names)
        """The share of accounts whose author has another one."""


def of_pairs(index: Index, verifier: Verifier) -> Iterator[list[str]]:
    """Pairs by LR: how many are right, and what was promised of them."""
    start = time.monotonic()
    accounts = Accounts.of(index.batches, verifier.embedder.sizes)
    truth, n = Truth(accounts.names), len(accounts.names)
    near = candidates(accounts)
    found = time.monotonic()
    comparison = Comparison(verifier.system, accounts)
    about = comparison.estimates(near)
    estimated = time.monotonic()
    near = near.at(about > math.log(LRS[0]) - NEAR)
    log_lr = comparison(near).log_lr
    same = truth.author[near.one] == truth.author[near.other]
    rate, prior = FalseRate.of(verifier.description), pair_prior(truth.second, n)
    everything = math.comb(n, 2)
    print(
        f"{len(index):,} documents, {n:,} accounts, {everything:,} pairs of which {truth.pairs:,} "
        f"are one author's. {len(about):,} pairs found in {found - start:.1f} s, estimated in "
        f"{estimated - found:.1f} s; {len(near.one):,} scored in "
        f"{time.monotonic() - estimated:.1f} s.\n"
    )
    for lr in LRS:
        chosen = log_lr >= math.log(lr)
        false, right = int((chosen & ~same).sum()), int((chosen & same).sum())
        yield [
            f"{lr}",
            f"{right:,}",
            f"{false:,}",
            f"{rate.at(math.log10(lr)) * everything:,.0f}",
            f"{right / max(right + false, 1):.1%}",
            f"{prior.probability(log_lr[chosen]).mean():.3%}",
            f"{right / truth.pairs:.1%}",
        ]


def of_evidence(index: Index, verifier: Verifier) -> Iterator[list[str]]:
    """How good the LRs of pairs are, and those of means of vectors taken for questioned texts.

    All pairs of one author, and for each a pair by two of the same source.
    """
    accounts = Accounts.of(index.batches, verifier.embedder.sizes)
    author, rng = Truth(accounts.names).author, np.random.default_rng(0)
    source = np.array([name.split(":")[0] for name in author])
    first, others = [], []
    for one in np.flatnonzero(author[1:] == author[:-1]):  # names are in order
        different = np.flatnonzero((source == source[one]) & (author != author[one]))
        if len(different):
            first.append(one)
            others.append(rng.choice(different))
    pairs = Pairs(np.array(first * 2), np.append(np.array(first) + 1, others))
    same = np.arange(len(pairs.one)) < len(first)
    sides = accounts.sides
    known = KnownSides(*(field[pairs.other] for field in sides))
    together = sides.log_tokens + np.log(sides.n)
    compared = compare_sides(sides.mean[pairs.one], together[pairs.one], known)
    for how, log_lr in (
        ("as `samehand link`", Comparison(verifier.system, accounts)(pairs).log_lr),
        ("mean of vectors as a questioned text", verifier.system.score_compared(compared).log_lr),
    ):
        figures = score(same, 1 / (1 + np.exp(-log_lr)))
        names = ("auc", "cllr", "cllr_min", "ece")
        yield [how, *(f"{figures[name]:.3f}" for name in names)]


def of_listed(index: Index, verifier: Verifier) -> Iterator[list[str]]:
    """Groups, by how many false pairs the user accepts."""
    names = Accounts.of(index.batches, verifier.embedder.sizes).names
    pairs, second = math.comb(len(names), 2), Truth(names).second
    rate = FalseRate.of(verifier.description)
    for accepted in (1, *(math.ceil(rate.at(math.log10(lr)) * pairs) for lr in (10, 5))):
        yield of_groups(index.link(second_accounts=second, expect_false=accepted))


def of_groups(linked: Linked) -> list[str]:
    """The groups that are listed, in their order."""
    truth = Truth(linked.names)
    links = [link for group in linked.groups for link in group.links]
    right = [bool(truth.author[link.one] == truth.author[link.other]) for link in links]
    return [
        f"{10**linked.threshold:.1f}" if linked.threshold is not None else "none",
        f"{linked.expect_false:,.0f}",
        f"{len(linked.groups):,}",
        f"{max((len(group.accounts) for group in linked.groups), default=0)}",
        f"{sum(right):,} of {len(links):,}",
        f"{sum(right[:100])}",
        f"{sum(link.probability for link in links):,.1f}",
    ]


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["--:"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", type=Path, nargs="+")
    parser.add_argument("--index", type=Path)
    parser.add_argument("--authors", type=int, default=5_000)
    parser.add_argument("--documents", type=int, default=50_000)
    options = parser.parse_args()
    verifier = Verifier.load()
    with tempfile.TemporaryDirectory() as folder:
        try:
            entries = collection(options.texts, options.authors, options.documents)
            start = time.monotonic()
            index = Index.build(options.index or Path(folder) / "index", entries, verifier)
            print(f"Indexed in {time.monotonic() - start:.0f} s.")
            heads = ["LR of", "right", "false", "false promised at most", "precision", "promised"]
            print(table([*heads, "recall"], list(of_pairs(index, verifier))))
            heads = [f"{len(index):,} documents", "AUC", "Cllr", "Cllr_min", "ECE"]
            print("\n" + table(heads, list(of_evidence(index, verifier))))
            rows = list(of_listed(index, verifier))
            heads = [
                "LR of",
                "false accepted",
                "groups",
                "largest",
                "right pairs",
                "of the first 100",
                "promised",
            ]
            print("\n" + table(heads, rows))
        except InputError as error:
            print(error, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
