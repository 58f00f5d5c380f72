"""Trials of texts long enough for curves by length: what each author wrote, joined and halved.

    python recipes/paper/long_trials.py CORPUS.parquet STORE -o DIR [--words 2000]

Authors and topics are those of the test part of STORE, which `samehand prepare CORPUS.parquet`
made. An author's texts are joined by topic, and cut in two halves of at least so many words. The
first half stands against the author's own second half, and against that of the next author.
"""

import argparse
import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from samehand.corpus.store import Store


def halves(corpus: Path, store: Store, words: int) -> list[tuple[str, str]]:
    """The two halves of each author who wrote enough, by rising length."""
    documents = store.documents("test")
    names = json.loads((store.folder / "names.json").read_text("utf-8"))
    author, topic = (store.array(name)[documents] for name in ("author", "topic"))
    tested = set(
        zip((names["authors"][i] for i in author), (names["topics"][i] for i in topic), strict=True)
    )
    texts = defaultdict(list)
    for row in sorted(pq.read_table(corpus).to_pylist(), key=lambda row: str(row["topic"])):
        if (row["author"], row["topic"]) in tested:
            texts[row["author"]].append(row["text"])
    found = []
    for each in texts.values():
        whole = "\n\n".join(each)
        if len(whole.split()) >= 2 * words:
            middle = whole.rfind("\n", 0, len(whole) // 2)
            found.append((whole[:middle], whole[middle:]))
    long = [pair for pair in found if min(len(half.split()) for half in pair) >= words]
    return [long[i] for i in np.argsort([len(a) + len(b) for a, b in long], kind="stable")]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("store", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--words", type=int, default=2_000)
    options = parser.parse_args()
    pairs = halves(options.corpus, Store.open(options.store), options.words)
    print(f"{len(pairs)} authors with two halves of {options.words:,} words or more")
    options.output.mkdir(parents=True, exist_ok=True)
    with (
        gzip.open(options.output / "pairs.jsonl.gz", "wt", encoding="utf-8") as trials,
        (options.output / "truth.jsonl").open("w", encoding="utf-8") as truth,
    ):
        for i, (first, second) in enumerate(pairs):
            for same, other in ((True, second), (False, pairs[i - 1][1])):
                name = f"long-{i}-{'same' if same else 'different'}"
                trials.write(json.dumps({"id": name, "pair": [first, other]}) + "\n")
                truth.write(json.dumps({"id": name, "same": same}) + "\n")


if __name__ == "__main__":
    main()
