"""Write the text that the evidence of the packaged model is fitted to, as Parquet.

    python recipes/default/unmet.py TRAIN -o UNMET

TRAIN holds a Parquet file a source, with the columns author, topic and text. The encoders learned
from twelve of the sources, but for a tenth of their authors: of these sources only texts by those
authors are kept. All other sources, which the encoders never met, are kept whole.

Who was kept back follows from the order in which authors were met. Of the blogs some documents have
been taken out since, which changed their order: the tenth of their authors that is drawn here is
another one, most of whom the encoders learned from.
"""

import argparse
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LEARNT = (
    "blogs", "cobol", "court", "cypherpunks", "debates", "fanfic", "fiction", "git", "lean", "mpi",
    "rhelp", "techblogs",
)  # fmt: skip
"""The sources that the encoders learned from, in the order in which they were read."""
KEPT = 0.1
"""Share of their authors that was kept from the encoders."""


def kept_authors(train: Path) -> set[tuple[str, str]]:
    """The sources and authors that were kept back, by the rule of that time.

    Authors had numbers in the order in which they were met, and some of the numbers were drawn.
    """
    met = dict.fromkeys(
        (source, author)
        for source in LEARNT
        for author in pq.read_table(train / f"{source}.parquet", columns=["author"])[
            "author"
        ].to_pylist()
    )
    drawn = np.random.default_rng(0).permutation(len(met)) < round(KEPT * len(met))
    return {author for author, kept in zip(met, drawn, strict=True) if kept}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    kept = kept_authors(options.train)
    for file in sorted(options.train.glob("*.parquet")):
        if file.stem not in LEARNT:
            shutil.copyfile(file, options.output / file.name)
            continue
        table = pq.read_table(file)
        mask = [(file.stem, author) in kept for author in table["author"].to_pylist()]
        pq.write_table(table.filter(pa.array(mask)), options.output / file.name)


if __name__ == "__main__":
    main()
