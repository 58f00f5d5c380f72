"""Trials whose texts are cropped to a band of lengths, so that genres are alike in all bands."""

import json
import re
from pathlib import Path

import numpy as np

from samehand.corpus.readers import read_trials

BANDS = {
    "100-250": (100, 250),
    "250-500": (250, 500),
    "500-1000": (500, 1000),
    "1000-2500": (1000, 2500),
}
"""Words of a text."""

_WORD = re.compile(r"\S+")


def crop(trials: Path, band: tuple[int, int], folder: Path) -> list[str]:
    """Write the trials both of whose texts are long enough, cropped; returns their ids.

    All texts of a trial keep the same number of words from their beginning, drawn log-uniformly
    from the band as far as they reach.
    """
    ids = []
    rng = np.random.default_rng(band)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as file:
        for trial in read_trials(trials):
            pair = (*trial.known, trial.questioned)
            ends = [[word.end() for word in _WORD.finditer(text)] for text in pair]
            shortest, longest = band[0], min(band[1], *map(len, ends))
            if longest < shortest:
                continue
            n = round(np.exp(rng.uniform(np.log(shortest), np.log(longest))))
            texts = [text[: end[n - 1]] for text, end in zip(pair, ends, strict=True)]
            file.write(json.dumps({"id": trial.id, "pair": texts}) + "\n")
            ids.append(trial.id)
    return ids
