"""Write a share of each source's authors, all their texts, as Parquet.

    python recipes/paper/some_authors.py GENRES -o SOME [--share 0.25]

GENRES holds a Parquet file a source, with the columns author, topic and text. Who is taken follows
from the digest of source and name, so that authors of a smaller share are among those of a larger.
"""

import argparse
import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def is_taken(source: str, author: str, share: float) -> bool:
    digest = hashlib.sha256(f"{source}\n{author}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("genres", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--share", type=float, default=0.25)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for file in sorted(options.genres.glob("*.parquet")):
        table = pq.read_table(file)
        taken = [is_taken(file.stem, name, options.share) for name in table["author"].to_pylist()]
        pq.write_table(table.filter(pa.array(taken)), options.output / file.name)


if __name__ == "__main__":
    main()
