"""Burrows's Delta, and its variant with the cosine.

Frequencies of the most frequent words, each standardised by its mean and deviation in training
text. Delta is the mean absolute difference (Burrows 2002, with his 150 words); cosine delta is the
cosine of the same vectors (Smith and Aldridge 2011), which bears more words.
"""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from peers.peer import Floats, Pair, cosines, distinct

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class _FrequentWords:
    """Standardised frequencies (z-scores) of the most frequent words."""

    def __init__(self, words: int) -> None:
        self.size = words

    def fit(self, texts: Sequence[str]) -> None:
        total: Counter[str] = Counter()
        for text in texts:
            total.update(_words(text))
        by_frequency = sorted(total, key=lambda word: (-total[word], word))
        self.place = {word: place for place, word in enumerate(by_frequency[: self.size])}
        frequencies = self._frequencies(texts)
        self.mean = frequencies.mean(axis=0)
        deviation = frequencies.std(axis=0)
        self.deviation = np.where(deviation > 0, deviation, 1.0)

    def z_scores(self, texts: Sequence[str]) -> Floats:  # (texts, words)
        return (self._frequencies(texts) - self.mean) / self.deviation

    def _frequencies(self, texts: Sequence[str]) -> Floats:
        found = np.zeros((len(texts), len(self.place)))
        for row, text in zip(found, texts, strict=True):
            words = _words(text)
            for word, count in Counter(words).items():
                if (place := self.place.get(word)) is not None:
                    row[place] = count / len(words)
        return found


class BurrowsDelta(_FrequentWords):
    def __init__(self, words: int = 150) -> None:
        super().__init__(words)

    def features(self, pairs: Sequence[Pair]) -> Floats:
        texts, where = distinct(pairs)
        z = self.z_scores(texts)
        return -np.abs(z[where[:, 0]] - z[where[:, 1]]).mean(axis=1, keepdims=True)


class CosineDelta(_FrequentWords):
    def __init__(self, words: int = 500) -> None:
        super().__init__(words)

    def features(self, pairs: Sequence[Pair]) -> Floats:
        texts, where = distinct(pairs)
        return cosines(self.z_scores(texts), where)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
