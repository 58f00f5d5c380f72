"""Tokenising against spaCy's blank English tokeniser: the same texts, in one run, a process each.

    python benchmarks/tokenising.py CORPUS... [--documents 2000]

Both start cold and meet every document once, two hundred at a time and in turn, so that a busy
machine slows both; then all of them again. Both give their caller the character offsets of every
token. Time is that of the processor. Exits with 1 where the first pass is below the bar.
"""

import argparse
import sys
import time
from collections.abc import Callable
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from samehand.corpus.readers import read_corpus, sources

BAR = 10.0
TURN = 200
OURS, THEIRS = "samehand", "spaCy blank English"

work: Callable[[list[str]], object]


def begin(name: str) -> None:
    """Make this process's tokeniser."""
    global work
    if name == OURS:
        from samehand.text.tokenise import Tokeniser

        tokenise_each = Tokeniser().each
        work = lambda texts: list(tokenise_each(texts))  # noqa: E731
    else:
        import spacy

        tokenise = spacy.blank("en").tokenizer
        work = lambda texts: list(map(tokenise, texts))  # noqa: E731


def seconds(texts: list[str]) -> float:
    start = time.process_time()
    work(texts)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=2000, help="taken from each source")
    options = parser.parse_args()
    texts = [
        document.text
        for corpus in options.corpus
        for _, source in sources(corpus)
        for document in islice(read_corpus(source), options.documents)
    ]
    spawn = get_context("spawn")
    with spawn.Pool(1, begin, [OURS]) as ours, spawn.Pool(1, begin, [THEIRS]) as theirs:
        for title in ("first pass", "second pass"):
            taken = dict.fromkeys((OURS, THEIRS), 0.0)
            for at in range(0, len(texts), TURN):
                taken[OURS] += ours.apply(seconds, [texts[at : at + TURN]])
                taken[THEIRS] += theirs.apply(seconds, [texts[at : at + TURN]])
            report(title, texts, taken)
            if title == "first pass":
                ratio = taken[THEIRS] / taken[OURS]
    print(f"samehand is {ratio:.1f} times as fast at first sight (bar: {BAR:.0f})")
    return 0 if ratio >= BAR else 1


def report(title: str, texts: list[str], taken: dict[str, float]) -> None:
    words = sum(len(text.split()) for text in texts)
    print(f"{title}, {words:,} words in {len(texts):,} documents:")
    for name, time_taken in taken.items():
        print(f"  {name:20} {words / time_taken / 1e6:6.2f} M words/s")


if __name__ == "__main__":
    sys.exit(main())
