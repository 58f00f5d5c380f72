"""PAN's first baseline: cosine of tf-idf vectors of character 4-grams.

As the organisers of PAN 2020 to 2023 describe it: lower-cased text, the 3,000 most frequent 4-grams
of the training text, smoothed idf, vectors of unit length.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from peers.peer import Floats, Pair, cosines, distinct

_RUN_OF_SPACE = re.compile(r"\s\s+")


class CharacterTfidf:
    def __init__(self, n: int = 4, vocabulary: int = 3_000) -> None:
        self.n, self.size = n, vocabulary

    def fit(self, texts: Sequence[str]) -> None:
        occurrences: Counter[str] = Counter()
        in_texts: Counter[str] = Counter()
        for text in texts:
            counted = self._grams(text)
            occurrences.update(counted)
            in_texts.update(counted.keys())
        by_frequency = sorted(occurrences, key=lambda gram: (-occurrences[gram], gram))
        self.place = {gram: place for place, gram in enumerate(by_frequency[: self.size])}
        share = np.array([in_texts[gram] for gram in self.place])
        self.idf = np.log((1 + len(texts)) / (1 + share)) + 1

    def vectors(self, texts: Sequence[str]) -> Floats:
        """tf-idf of each text, not yet of unit length: (texts, vocabulary)."""
        counts = np.zeros((len(texts), len(self.place)))
        for row, text in zip(counts, texts, strict=True):
            for gram, count in self._grams(text).items():
                if (place := self.place.get(gram)) is not None:
                    row[place] = count
        return counts * self.idf

    def features(self, pairs: Sequence[Pair]) -> Floats:
        texts, where = distinct(pairs)
        return cosines(self.vectors(texts), where)

    def _grams(self, text: str) -> Counter[str]:
        text = _RUN_OF_SPACE.sub(" ", text.lower())
        return Counter(map("".join, zip(*(text[at:] for at in range(self.n)), strict=False)))
