"""Write into a model how much of each source it was trained on.

    python recipes/default/sources.py STORE MODEL

STORE is the store of its training. Written under `about.data.training` of the model's description,
for each source: documents, authors and words of the training part. `assemble.py` does the same for
a new model.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from samehand.corpus.numbering import count_words
from samehand.corpus.store import Store
from samehand.model.weights import ENSEMBLE


def training_sources(store: Store) -> dict[str, dict[str, int]]:
    """Documents, authors and words of the training part, by source."""
    names = json.loads((store.folder / "names.json").read_text("utf-8"))["sources"]
    types = (store.folder / "types.txt").read_text("utf-8", "surrogatepass").split("\n")
    ends = np.append(0, store.array("document_ends"))
    words = count_words(store.array("tokens"), ends, types)
    author, source = store.array("author"), store.array("source")
    training = store.documents("train")
    found = {}
    for number, name in enumerate(names):
        own = training[source[training] == number]
        if len(own):
            found[name] = {
                "documents": len(own),
                "authors": len(np.unique(author[own])),
                "words": int(words[own].sum()),
            }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("model", type=Path)
    options = parser.parse_args()
    path = options.model / ENSEMBLE
    path = path if path.is_file() else options.model / "model.json"
    description = json.loads(path.read_text("utf-8"))
    store = Store.open(options.store)
    data = description["about"]["data"]
    if data["parts"]["train"] != store.about["parts"]["train"]:
        parser.error(f"{options.store}: not the store that {options.model} was trained on.")
    data["training"] = training_sources(store)
    path.write_text(json.dumps(description, indent=1, ensure_ascii=False), "utf-8")
    print(json.dumps(data["training"], indent=1))


if __name__ == "__main__":
    main()
