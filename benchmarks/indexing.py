"""Indexing: what it takes beside embedding alone; and a million documents to try it on.

    python benchmarks/indexing.py crops CORPUS -o FOLDER [--documents N] [--seed N]
    python benchmarks/indexing.py throughput CORPUS [--documents N] [--rounds N]

`crops` cuts each document of a folder of Parquet files into pieces of 60 to 140 words (evenly
distributed, one after another, the rest of a document is left out), takes N of all these at random
into `million.parquet`, and those that are left, 2,000 at most, into `queries.parquet`. Authors are
those of the documents.

`throughput` embeds the first N documents of a corpus by `Verifier.embed_all` and adds them to an
index, in turn. It exits with 1 where the index is slower than 0.9 of embedding, by the median of
the rounds' ratios of processor time, which other work on the machine changes little; elapsed time
is printed beside it.
"""

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LEAST = 0.9
_WORD = re.compile(r"\S+\s*")
_SHORTEST, _LONGEST = 60, 140
_QUERIES = 2_000
_FIELDS = ("author", "topic", "text")
_AT_ONCE = 100_000


def pieces(text: str, rng: np.random.Generator) -> Iterator[str]:
    """A text cut into pieces of some words."""
    words, at = _WORD.findall(text), 0
    while True:
        n = int(rng.integers(_SHORTEST, _LONGEST + 1))
        if at + n > len(words):
            return
        yield "".join(words[at : at + n]).strip()
        at += n


def make_crops(corpus: Path, folder: Path, documents: int, seed: int) -> None:
    """Write the two files of pieces."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, str]] = []
    for file in sorted(corpus.glob("*.parquet")):
        table = pq.read_table(file, columns=list(_FIELDS))
        for author, topic, text in zip(*(table[name].to_pylist() for name in _FIELDS), strict=True):
            about = f"{file.stem}/{author}", f"{file.stem}/{topic}"
            rows += [(*about, piece) for piece in pieces(text, rng)]
    order = rng.permutation(len(rows))
    folder.mkdir(parents=True, exist_ok=True)
    rest = order[documents : documents + _QUERIES]
    for name, chosen in (("million", np.sort(order[:documents])), ("queries", rest)):
        _write(folder / f"{name}.parquet", (rows[place] for place in chosen))
        print(f"{len(chosen):,} pieces: {folder / name}.parquet")


def _write(path: Path, rows: Iterable[tuple[str, str, str]]) -> None:
    schema = pa.schema([(name, pa.string()) for name in _FIELDS])
    source = iter(rows)
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        while some := list(islice(source, _AT_ONCE)):
            columns = dict(zip(_FIELDS, map(list, zip(*some, strict=True)), strict=True))
            file.write_table(pa.table(columns, schema=schema))


def throughput(corpus: Path, documents: int, rounds: int) -> float:
    """Documents a second into an index, beside those that are embedded, by the median ratio."""
    from samehand.corpus.readers import Columns
    from samehand.index import Index
    from samehand.index.corpora import entries
    from samehand.verifier import Verifier

    verifier = Verifier.load()
    some = list(islice(entries([corpus], Columns()), documents))
    texts = [entry.text for entry in some]
    verifier.embed(texts[:2_048])  # compiled, and the common words met
    ratios = []
    for number in range(rounds):
        embedded = Stopwatch()
        for _ in verifier.embed_all(_chunks(texts)):
            pass
        embedded.stop()
        with tempfile.TemporaryDirectory() as folder:
            index = Index.at(Path(folder) / "index", verifier)
            added = Stopwatch()
            index.add(some)
            added.stop()
        ratios.append(embedded.processor / added.processor)
        print(
            f"round {number + 1}: embedded {len(some) / embedded.elapsed:,.0f} a second, indexed "
            f"{len(some) / added.elapsed:,.0f}: {embedded.elapsed / added.elapsed:.3f}; by "
            f"processor time {ratios[-1]:.3f}",
            flush=True,
        )
    return statistics.median(ratios)


class Stopwatch:
    """Elapsed time, and processor time of all threads, since it was made."""

    def __init__(self) -> None:
        self.elapsed, self.processor = -time.perf_counter(), -time.process_time()

    def stop(self) -> None:
        self.elapsed += time.perf_counter()
        self.processor += time.process_time()


def _chunks(texts: list[str]) -> Iterator[list[str]]:
    """As many together as the index takes."""
    from samehand.text.batching import batches

    return batches(texts, 1 << 20)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    crops = commands.add_parser("crops")
    crops.add_argument("corpus", type=Path)
    crops.add_argument("-o", "--output", type=Path, required=True)
    crops.add_argument("--documents", type=int, default=1_000_000)
    crops.add_argument("--seed", type=int, default=1)
    speed = commands.add_parser("throughput")
    speed.add_argument("corpus", type=Path)
    speed.add_argument("--documents", type=int, default=20_000)
    speed.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    if given.command == "crops":
        make_crops(given.corpus, given.output, given.documents, given.seed)
        return 0
    ratio = throughput(given.corpus, given.documents, given.rounds)
    print(f"median ratio {ratio:.3f}; it must be {LEAST} at least")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
