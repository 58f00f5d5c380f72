"""Which habits moved the likelihood ratio: marks, words, endings, spacing.

A habit is brought down to its usual frequency in all texts at once, and the likelihood ratio is
computed anew: of the places where it stands, those beyond what is usual are hidden, evenly spread.
Words become blanks of the same length (`xxxx`, which tell neither word nor ending), marks and line
ends go. The texts so changed are read by the same forward pass as any.

Whatever is hidden moves the ratio a little. So as many other places of the same sort are hidden,
too, and what does not move the ratio by more than they do is not told.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from samehand.engine.embed import Embedder
from samehand.engine.reading import TextsRead
from samehand.explaining.features import Feature, Kind, forms, is_word, usual
from samehand.scoring.distance import Trials
from samehand.scoring.system import LRSystem
from samehand.text.tokenise import Tokens
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN
from samehand.text.words import words

Longs = NDArray[np.int64]
Span = tuple[int, int]
"""First and one-past-last character of a place, in a text as it was given."""
Places = tuple[Longs, ...]
"""Of each text, some of its tokens."""

LEAST_PLACES = 3
"""Fewest places of a habit, in all texts together."""
LEAST_FACTOR = 1.05
"""Least change of the LR that is told."""
_MOST_HABITS, _FEWEST_HABITS = 60, 10
"""That are hidden in their turn: those whose frequencies tell most …"""
_MOST_TOKENS = 300_000
"""… and fewer in long texts, so that hardly more tokens than this are read in all."""
_BLANKS = [
    shape
    for n in range(1, CHARACTERS_PER_TOKEN + 1)
    for shape in ("x" * n, "X" + "x" * (n - 1), "0" * n)
]


@dataclass(frozen=True)
class Habit:
    """Something that writers do more or less often, and what hiding it did."""

    name: str
    """For reading: "semicolon (;)", "“but”", "words in -ing"."""
    effect: float
    """How much it adds to the log10 LR: that of the texts less that of texts in which it is not
    more frequent than usual."""
    rates: tuple[float, ...]
    """Per 1,000 words in each text, the questioned one first."""
    usual: float
    """Per 1,000 words, the mean over texts of many genres."""
    usual_range: tuple[float, float]
    """Per 1,000 words: nine in ten texts of 1,000 words lie between them."""
    places: tuple[tuple[Span, ...], ...]
    """Where it stands in each text, the questioned one first."""

    def at(self, texts: Sequence[int]) -> "Habit":
        """Told of some of the texts, in that order."""
        return replace(
            self,
            rates=tuple(self.rates[text] for text in texts),
            places=tuple(self.places[text] for text in texts),
        )


def habits(embedder: Embedder, system: LRSystem, contents: Sequence[str]) -> tuple[Habit, ...]:
    """The habits that moved the ratio of a questioned text and known ones, the largest first."""
    texts = Hidden(embedder, contents)
    chosen = texts.most_telling()
    hidden = [texts.beyond_usual(*each) for each in chosen]
    others = [texts.others(*each) for each in zip(chosen, hidden, strict=True)]
    effects = texts.effects(system, [*hidden, *others])
    found = [
        Habit(
            feature.name,
            effect,
            texts.rates(places),
            feature.mean,
            (feature.low, feature.high),
            texts.spans(places),
        )
        for (feature, places), effect, by_any in zip(
            chosen, effects, effects[len(chosen) :], strict=False
        )
        if abs(effect) >= max(math.log10(LEAST_FACTOR), abs(by_any))
    ]
    return tuple(sorted(found, key=lambda habit: -abs(habit.effect)))


class Hidden:
    """Texts of a trial, the questioned one first, in which places may be hidden."""

    def __init__(self, embedder: Embedder, contents: Sequence[str]) -> None:
        read = embedder.read(contents)
        self._embedder, self._texts, self._names = embedder, read.documents, read.names
        self._n_words = [
            len(words(text[:end])) for text, end in zip(contents, read.ends, strict=True)
        ]
        first = len(read.types[0].words)
        self._blank = {shape: first + place for place, shape in enumerate(_BLANKS)}
        self._types = [
            own.followed(blank)
            for own, blank in zip(read.types, embedder.rare(_BLANKS), strict=True)
        ]
        self._are_words = [
            np.array([is_word(self._names[one]) for one in text.types.tolist()])
            for text in self._texts
        ]

    def most_telling(self) -> list[tuple[Feature, Places]]:
        """Features that are more frequent than usual in a text, and where they stand: those whose
        frequencies tell most, to either side, of whether one author wrote the texts."""
        read = 2 * sum(len(text.types) for text in self._texts)
        most = min(_MOST_HABITS, max(_FEWEST_HABITS, _MOST_TOKENS // read))
        found = [each for each in self._features() if any(map(len, self.beyond_usual(*each)))]
        return sorted(found, key=lambda each: -abs(self.log_lr_of_rates(*each)))[:most]

    def beyond_usual(self, feature: Feature, places: Places) -> Places:
        """The places to be hidden so that a feature is not more frequent than usual."""
        usual_count = (round(feature.mean * n / 1000) for n in self._n_words)
        return tuple(
            _spread(own, max(0, len(own) - n)) for own, n in zip(places, usual_count, strict=True)
        )

    def others(self, found: tuple[Feature, Places], hidden: Places) -> Places:
        """As many places of the same sort, words or not, where the feature does not stand."""
        feature, places = found
        sort = feature.kind not in ("mark", "layout")
        return tuple(
            _spread(np.setdiff1d(np.flatnonzero(are_words == sort), own), len(out))
            for are_words, own, out in zip(self._are_words, places, hidden, strict=True)
        )

    def effects(self, system: LRSystem, hidden: Sequence[Places]) -> list[float]:
        """The log10 LR of the texts, less that with each of some places hidden."""
        documents, trials = list(self._texts), [list(range(len(self._texts)))]
        for places in hidden:
            trial = []
            for number, own in enumerate(places):
                trial.append(len(documents) if len(own) else number)
                if len(own):
                    documents.append(self._without(self._texts[number], own))
            trials.append(trial)
        read = TextsRead(documents, self._types, [0] * len(documents))
        posed = Trials.of([first for first, *_ in trials], [known for _, *known in trials])
        scores = system.score(self._embedder.embed_read(read), posed)
        log10_lrs = scores.free / math.log(10)
        return [float(log10_lrs[0] - without) for without in log10_lrs[1:]]

    def log_lr_of_rates(self, feature: Feature, places: Places) -> float:
        """Natural-log LR of one rate for all texts, against one of its own for the questioned one.

        Rates are gamma distributed from writer to writer, and counts follow Poisson's law.
        """
        mean, spread = feature.mean / 1000, max(feature.spread, feature.mean / 10) / 1000
        shape, rate = (mean / spread) ** 2, mean / spread**2

        def log_evidence(n: int, n_words: int) -> float:
            posterior = shape + n
            gammas = math.lgamma(posterior) - math.lgamma(shape)
            return gammas - posterior * math.log1p(n_words / rate)

        (first, *rest), (length, *lengths) = map(len, places), self._n_words
        together = log_evidence(first + sum(rest), length + sum(lengths))
        return together - log_evidence(first, length) - log_evidence(sum(rest), sum(lengths))

    def rates(self, places: Places) -> tuple[float, ...]:
        """Per 1,000 words of each text."""
        return tuple(1000 * len(own) / n for own, n in zip(places, self._n_words, strict=True))

    def spans(self, places: Places) -> tuple[tuple[Span, ...], ...]:
        """The characters of places in the texts."""
        return tuple(
            tuple(zip(text.starts[own].tolist(), text.ends[own].tolist(), strict=True))
            for text, own in zip(self._texts, places, strict=True)
        )

    def _features(self) -> Iterator[tuple[Feature, Places]]:
        """All that is listed as usual and stands in enough places."""
        table = usual()
        found: defaultdict[tuple[Kind, str], list[list[Longs]]] = defaultdict(
            lambda: [[] for _ in self._texts]
        )
        for number, text in enumerate(self._texts):
            for one in np.unique(text.types).tolist():
                for form in forms(self._names[one]):
                    if form in table:
                        found[form][number].append(np.flatnonzero(text.types == one))
        for form, of_texts in found.items():
            places = tuple(np.sort(np.concatenate([_NOWHERE, *own])) for own in of_texts)
            if sum(map(len, places)) >= LEAST_PLACES:
                yield table[form], places

    def _without(self, text: Tokens, places: Longs) -> Tokens:
        """A text with words blank, and marks and line ends gone, at some places."""
        types = text.types.copy()
        types[places] = [self._hidden(self._names[one]) for one in types[places].tolist()]
        left = types >= 0
        return Tokens(*(field[left] for field in (types, text.starts, text.ends)))

    def _hidden(self, name: str) -> int:
        """The type that stands for one that is hidden, or -1 for none."""
        if not is_word(name):
            return -1
        n = min(len(name), CHARACTERS_PER_TOKEN)
        if name[0].isdigit():
            return self._blank["0" * n]
        return self._blank["X" + "x" * (n - 1) if name[0].isupper() else "x" * n]


def _spread(places: Longs, n: int) -> Longs:
    """So many of some places, or all if they are fewer, evenly spread."""
    n = min(n, len(places))
    return places[((np.arange(n) + 0.5) * len(places) / max(n, 1)).astype(np.int64)]


_NOWHERE = np.zeros(0, np.int64)
