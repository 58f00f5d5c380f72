"""Why a model answers as it does: what it attended to, and what moved its likelihood ratio.

Attention says where the network looked, not what that did to the answer. What a unit did is
measured: it is left out, and the likelihood ratio computed anew. Units are encoded once; only what
reads them as a document runs again. What a habit did is measured likewise, see habits.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.assessment import Assessor, case_digest
from samehand.cautions.texts import firsts, plain
from samehand.engine.embed import Embedder
from samehand.engine.encoded import EncodedText
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.explaining.habits import Habit, habits
from samehand.scoring.distance import Trials

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class TokenWeight(NamedTuple):
    """A token, by its characters in the text as it was given."""

    start: int
    end: int
    attention: float
    """In its unit, times that of its unit: over a text they sum to 1."""


class UnitWeight(NamedTuple):
    """A unit, by its characters in the text as it was given. Neighbours overlap by a few tokens."""

    start: int
    end: int
    attention: float
    """Over a text they sum to 1."""
    effect: float
    """How much the unit adds to the log10 LR: that of all units less that of all but this one.

    Positive where the unit speaks for the same author. 0 for the only unit of a text.
    """


@dataclass(frozen=True)
class TextExplanation:
    """Weights of one text's units and tokens, as far as the model reads it."""

    units: tuple[UnitWeight, ...]
    tokens: tuple[TokenWeight, ...]


@dataclass(frozen=True)
class Explanation:
    """Effects of the parts of each text on the likelihood ratio of all."""

    log10_lr: float
    """Before it is held between the model's bounds, which would hide what moves it."""
    questioned: TextExplanation
    known: tuple[TextExplanation, ...]
    habits: tuple[Habit, ...]
    """Those that moved the ratio, the largest effect first, whichever way it goes."""

    def weightiest(self, share: float) -> list[tuple[int, int]]:
        """The units that most carry the answer, as (text, unit); the questioned text is 0.

        Those whose effect is largest towards the side on which the LR lies. Units that pull the
        other way are no part of it: left out together, the two kinds would cancel.
        """
        side = 1.0 if self.log10_lr >= 0 else -1.0
        ranked = sorted(
            (-side * unit.effect, text, place)
            for text, explained in enumerate((self.questioned, *self.known))
            for place, unit in enumerate(explained.units)
        )
        return [(text, place) for _, text, place in ranked[: round(share * len(ranked))]]


class Evidence:
    """A questioned text and known ones, ready to be weighed with any of their units left out."""

    def __init__(
        self, embedder: Embedder, assessor: Assessor, questioned: str, known: Sequence[str]
    ) -> None:
        contents = [questioned, *known]
        self._embedder, self._contents = embedder, contents
        self.texts = embedder.encode(embedder.read(contents))
        digests = [case_digest(text) for text in contents]
        of_case = assessor.of_case(digests, joined([text.vectors for text in self.texts]))
        self._system = assessor.system_without(frozenset().union(*of_case))
        self.n_units = [len(text.bounds) for text in self.texts]

    def log10_lr_without(self, left_out: Sequence[tuple[int, int]]) -> float:
        """Leave out units (text, unit), all at once; the last one left of a text stays."""
        kept = [np.ones((1, n), np.bool_) for n in self.n_units]
        for text, unit in left_out:
            if kept[text].sum() > 1:
                kept[text][0, unit] = False
        vectors = [text.keeping(rows) for text, rows in zip(self.texts, kept, strict=True)]
        places = range(1, len(vectors))
        return float(self._log10_lrs(joined(vectors), Trials.of([0], [places]))[0])

    def explain(self) -> Explanation:
        """Each unit left out, and each habit hidden, in its turn."""
        whole = joined([text.vectors for text in self.texts])
        (log10_lr,) = self._log10_lrs(whole, Trials.of([0], [range(1, len(self.texts))]))
        explained = []
        for place, text in enumerate(self.texts):
            without = self._log10_lrs_without_each(place, whole)
            effects = log10_lr - without if len(without) > 1 else np.zeros(1)
            explained.append(_explained(text, effects))
        moved = habits(self._embedder, self._system, self._contents)
        return Explanation(float(log10_lr), explained[0], tuple(explained[1:]), moved)

    def _log10_lrs_without_each(self, place: int, whole: TextVectors) -> Floats:
        """log10 LRs (units,) without each unit of one text."""
        n, texts = self.n_units[place], len(self.texts)
        if n == 1:
            return np.zeros(1)
        kept = np.logical_not(np.eye(n, dtype=np.bool_))
        vectors = joined([whole, self.texts[place].keeping(kept)])
        sides = [[texts + unit if at == place else at for at in range(texts)] for unit in range(n)]
        trials = Trials.of([side[0] for side in sides], [side[1:] for side in sides])
        return self._log10_lrs(vectors, trials)

    def _log10_lrs(self, vectors: TextVectors, trials: Trials) -> Floats:
        log10_lrs: Floats = self._system.score(vectors, trials).free / math.log(10)
        return log10_lrs


def explain(
    embedder: Embedder, assessor: Assessor, questioned: str, known: Sequence[str]
) -> Explanation:
    """Explain the LR; a known text that is given twice counts once, and is explained twice."""
    if not known:
        raise InputError("There is no known text to compare with; give at least one.")
    first = firsts([plain(text) for text in known])
    distinct = sorted(set(first))
    found = Evidence(embedder, assessor, questioned, [known[i] for i in distinct]).explain()
    places = [distinct.index(i) for i in first]
    of_known = tuple(found.known[place] for place in places)
    moved = tuple(habit.at([0, *(place + 1 for place in places)]) for habit in found.habits)
    return Explanation(found.log10_lr, found.questioned, of_known, moved)


def _explained(text: EncodedText, effects: Floats) -> TextExplanation:
    units = (
        UnitWeight(start, end, float(attention), float(effect))
        for (start, end), attention, effect in zip(
            text.unit_spans(), text.unit_attention, effects, strict=True
        )
    )
    starts, ends = text.tokens.starts.tolist(), text.tokens.ends.tolist()
    tokens = map(TokenWeight, starts, ends, text.token_attention.tolist())
    return TextExplanation(tuple(units), tuple(tokens))
