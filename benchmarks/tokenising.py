"""Tokenising against spaCy's blank English tokeniser: the same text, one process each, in one run.

    python benchmarks/tokenising.py PARQUET... [--documents 2000]

Both count what they do for a caller: token boundaries as character offsets in the original text. Each tokeniser is
warmed on one half of the documents and timed on the other, three times; the fastest counts. Exits 1 below the bar.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import spacy

from samehand.text.tokenise import Tokeniser

BAR = 10.0


def fastest(work: Callable[[str], object], texts: list[str], times: int = 3) -> float:
    taken = []
    for _ in range(times):
        start = time.process_time()
        for text in texts:
            work(text)
        taken.append(time.process_time() - start)
    return min(taken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parquet", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=2000, help="taken from each file")
    options = parser.parse_args()
    texts: list[str] = []
    for path in options.parquet:
        texts += next(pq.ParquetFile(path).iter_batches(options.documents, columns=["text"]))["text"].to_pylist()
    warm, timed = texts[::2], texts[1::2]
    words = sum(len(text.split()) for text in timed)

    ours, theirs = Tokeniser(), spacy.blank("en").tokenizer
    seconds = {}
    for name, work in (("samehand", ours), ("spaCy blank English", theirs)):
        for text in warm:
            work(text)
        start = time.process_time()
        for text in timed:
            work(text)
        seconds[name] = time.process_time() - start  # documents it has not met before
        print(f"{name:20} first time {words / seconds[name] / 1e6:6.2f} M words/s, "
              f"again {words / fastest(work, timed) / 1e6:6.2f} M words/s")  # fmt: skip
    ratio = seconds["spaCy blank English"] / seconds["samehand"]
    print(f"{words:,} words in {len(timed):,} new documents: samehand is {ratio:.1f} times as fast (bar: {BAR:.0f})")
    return 0 if ratio >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
