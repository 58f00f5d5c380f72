"""Trials whose texts are cropped to a band of lengths, so that genres are alike in all bands."""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from samehand.corpus.readers import Trial

BANDS = {
    "100-250": (100, 250),
    "250-500": (250, 500),
    "500-1000": (500, 1000),
    "1000-2500": (1000, 2500),
}
"""Words of a text."""

_WORD = re.compile(r"\S+")


def crop(trials: Iterable[Trial], band: tuple[int, int]) -> Iterator[Trial]:
    """The trials all of whose texts are long enough, cropped.

    All texts of a trial keep the same number of words from their beginning, drawn log-uniformly
    from the band as far as they reach.
    """
    rng = np.random.default_rng(band)
    for trial in trials:
        texts = (*trial.known, trial.questioned)
        ends = [[word.end() for word in _WORD.finditer(text)] for text in texts]
        shortest, longest = band[0], min(band[1], *map(len, ends))
        if longest < shortest:
            continue
        n = round(np.exp(rng.uniform(np.log(shortest), np.log(longest))))
        *known, questioned = (text[: end[n - 1]] for text, end in zip(texts, ends, strict=True))
        yield trial._replace(known=tuple(known), questioned=questioned)
