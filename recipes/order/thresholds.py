"""How much evidence against their word order natural texts hold, by their length.

    python recipes/order/thresholds.py CORPUS... [--skip 3600] [--texts 1500]

The first `--skip` texts of each corpus, in the order of `texts.py`, were learnt from and are left
out. Prints limits far + near / √tokens that so few texts exceed; they stand in
src/samehand/cautions/text_quality.py.
"""

import argparse
from pathlib import Path
from random import Random

import numpy as np
import pyarrow.parquet as pq

from samehand.text.word_order import word_order

CUTS = (80, 100, 150, 250, 400, 700, 1_300)
"""Words."""
EXCEED = (0.01, 0.006, 0.004, 0.002, 0.001)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--skip", type=int, default=3_600)
    parser.add_argument("--texts", type=int, default=1_500)
    options = parser.parse_args()
    found: dict[int, list[tuple[float, int]]] = {cut: [] for cut in CUTS}
    for corpus in options.corpora:
        texts = pq.read_table(corpus, columns=["text"])["text"].to_pylist()
        Random(0).shuffle(texts)
        for text in texts[options.skip : options.skip + options.texts]:
            words = text.split()
            for cut in CUTS:
                if len(words) >= cut:
                    found[cut].append(word_order().score(" ".join(words[:cut])))
    scores = {cut: np.array([score for score, _ in of]) for cut, of in found.items()}
    for cut, of in found.items():
        print(f"{cut} words: {len(of)} texts, {np.mean([n for _, n in of]):.0f} tokens,",
              f"median {np.median(scores[cut]):.3f}")  # fmt: skip
    roots = np.array([np.mean([n for _, n in of]) ** -0.5 for of in found.values()])
    for share in EXCEED:
        limits = np.array([np.quantile(scores[cut], 1 - share) for cut in CUTS])
        near, far = np.polyfit(roots, limits, 1)
        print(f"{share:.1%}: {far:.3f} + {near:.2f} / √tokens; {limits.round(3)}")


if __name__ == "__main__":
    main()
