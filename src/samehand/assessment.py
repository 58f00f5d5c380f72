"""From texts to assessed trials: the one way in which anything is answered.

Texts are read, known texts that are given twice count once, each distinct text is embedded once,
trials are scored and held to the model's bounds, and cautions are looked for.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from samehand.cautions import answers, texts
from samehand.cautions.caution import Caution
from samehand.cautions.texts import Text
from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from samehand.scoring.case_data import CaseData
from samehand.scoring.case_effects import recognised
from samehand.scoring.distance import Trials
from samehand.scoring.system import LRSystem, TrialScores
from samehand.scoring.uncertainty import GenreShare, Uncertainty
from samehand.verdict import Decision, decide

Sides = tuple[str, Sequence[str]]
"""A questioned text, and known texts that are by one author."""


class LabelledPair(NamedTuple):
    """A pair of texts whose truth is known; several known texts are by one author."""

    questioned: str
    known: Sequence[str]
    same: bool


_TRIALS_AT_ONCE = 256
_MOST_REMEMBERED = 100_000
"""Texts whose vectors are kept while trials are assessed, some 100 MB; then it begins anew."""
_LOG_10 = math.log(10)


@dataclass(frozen=True)
class Assessment:
    """The findings about a trial."""

    texts: tuple[Text, ...]
    """The questioned text, and the known ones as they were given."""
    cautions: tuple[Caution, ...]
    log10_lr: float = 0.0
    """Held to the model's bounds; 0 where a text is too short to be compared."""
    alone: tuple[float, ...] = ()
    """log10 LR of each known text without the others; none where a text is too short."""
    by_network: tuple[float, ...] = ()
    """log10 LRs by the distances of each network alone; none where a text is too short."""
    interval: tuple[float, float] | None = None
    """log10 LRs between which it lies, for all that is known of the genre; see `uncertainty`."""
    genres: tuple[GenreShare, ...] = ()
    """The genres that the texts seem to be of, the likeliest first; none in an adapted model."""
    of_case: frozenset[bytes] = frozenset()
    """Digests of the case's texts that are in the trial, or nearly so; they were left out."""
    unadapted: float | None = None
    """log10 LR without what the case brought; none where the model is not adapted."""

    @property
    def decision(self) -> Decision:
        """The decision by LR and cautions."""
        return decide(self.log10_lr, self.cautions)


class Assessor:
    """Both halves of a model, and what a case brings. Threads may share it."""

    def __init__(
        self, embedder: Embedder, system: LRSystem, case: CaseData | None, *, validated: bool
    ) -> None:
        """`system`: without the case. `validated`: whether its bounds come from validation."""
        self._embedder, self._unadapted, self.case = embedder, system, case
        self.system = system if case is None else system.adapted(case)
        self._validated = validated

    @property
    def bounds(self) -> tuple[float, float]:
        """The log10 LRs between which answers are held."""
        return self.system.bounds.log10

    def of_case(self, digests: Sequence[bytes], vectors: TextVectors) -> list[frozenset[bytes]]:
        """Of each text the digests of the case's texts that are it, or nearly so.

        `digests`: by `case_digest`.
        """
        evidence = self._unadapted.evidence
        if self.case is None or isinstance(evidence, list):
            return [frozenset() for _ in digests]
        return recognised(evidence, self.case, digests, vectors)

    def system_without(self, of_case: Set[bytes]) -> LRSystem:
        """The scoring as if the case had not brought the texts of these digests."""
        if self.case is None or not of_case:
            return self.system
        rest = self.case.without(self.case.holds(of_case))
        return self._unadapted.adapted(rest) if rest.says_something else self._unadapted

    def assess(self, trials: Iterable[Sides]) -> Iterator[Assessment]:
        """Assess one trial after another. Memory does not grow with their number."""
        source, memory = iter(trials), _Memory(self._embedder)
        while chunk := list(islice(source, _TRIALS_AT_ONCE)):
            memory.read(chain.from_iterable((questioned, *known) for questioned, known in chunk))
            yield from self._assess([_Trial(*sides, memory) for sides in chunk], memory)

    def _assess(self, trials: Sequence["_Trial"], memory: "_Memory") -> list[Assessment]:
        usable = [trial for trial in trials if not trial.too_short]
        memory.embed([text for trial in usable for text in trial.distinct])
        alike: defaultdict[frozenset[bytes], list[_Trial]] = defaultdict(list)
        for trial in usable:
            digests = [case_digest(text.content) for text in trial.distinct]
            trial.of_case = self.of_case(digests, memory.vectors(trial.distinct))
            alike[frozenset().union(*trial.of_case)].append(trial)
        found = {id(trial): Assessment(trial.texts, trial.too_short) for trial in trials}
        for of_case, some in alike.items():
            system = self.system_without(of_case)
            found |= zip(map(id, some), self._score(some, system, memory), strict=True)
        return [found[id(trial)] for trial in trials]

    def _score(
        self,
        trials: Sequence["_Trial"],
        system: LRSystem,
        memory: "_Memory",
    ) -> Iterator[Assessment]:
        """Score trials, each in all its poses, and look at what comes out."""
        vectors = memory.vectors([text for trial in trials for text in trial.distinct])
        firsts = np.cumsum([0, *(len(trial.distinct) for trial in trials)]).tolist()
        poses = [trial.poses(first) for trial, first in zip(trials, firsts, strict=False)]
        scores = system.score(vectors, _posed(chain.from_iterable(poses)))
        whole = _posed(of_trial[0] for of_trial in poses)
        uncertainty = system.uncertainty(vectors, whole)
        unadapted = None if self.case is None else self._unadapted.score(vectors, whole).log_lr
        at = 0
        for place, (trial, of_trial) in enumerate(zip(trials, poses, strict=True)):
            here = slice(at, at := at + len(of_trial))
            own = TrialScores._make(field[here] for field in scores)
            found = self._concluded(trial, own, uncertainty, place, system)
            before = None if unadapted is None else float(unadapted[place]) / _LOG_10
            yield replace(found, unadapted=before)

    def _concluded(
        self,
        trial: "_Trial",
        scores: TrialScores,
        uncertainty: Uncertainty,
        place: int,
        system: LRSystem,
    ) -> Assessment:
        """`scores`: of the trial's poses, in their order. `place`: of the trial among others."""
        log10_lrs = (scores.log_lr / _LOG_10).tolist()
        by_network = tuple((uncertainty.by_network[:, place] / _LOG_10).tolist())
        n = len(trial.distinct) - 1
        alone = log10_lrs[1 : n + 1] if n > 1 else log10_lrs[:1]
        cautions = [
            *texts.of_all(trial.texts),
            *(answers.of_mixture(trial.distinct[1:], log10_lrs[n + 1 :]) if n > 2 else ()),
            *answers.of_disagreement(by_network),
            *((answers.NEW_GENRE,) if scores.new_genre[0] else ()),
            *((answers.DIFFERENT_KINDS,) if scores.different_kinds[0] else ()),
            *answers.of_case(
                (text, case_digest(text.content) in met)
                for text, met in zip(trial.distinct, trial.of_case, strict=True)
                if met
            ),
            *answers.of_bounds(
                float(scores.free[0]) / _LOG_10, system.bounds.log10, validated=self._validated
            ),
        ]
        return Assessment(
            trial.texts,
            tuple(cautions),
            log10_lrs[0],
            tuple(alone[place] for place in trial.places),
            by_network,
            uncertainty.log10_interval_of(place),
            uncertainty.genres_of(place),
            frozenset().union(*trial.of_case),
        )


def case_digest(content: str) -> bytes:
    """By which a text that a case brought is known again; spacing does not count."""
    return texts.digest(texts.plain(content))


class _Trial:
    """The texts of a trial, each known one once."""

    def __init__(self, questioned: str, known: Sequence[str], memory: "_Memory") -> None:
        if not known:
            raise InputError("There is no known text to compare with; give at least one.")
        names = [f"Known text {number}" for number in range(1, len(known) + 1)]
        if len(known) == 1:
            names = ["The known text"]
        of_questioned = memory.text("The questioned text", questioned)
        of_known = [memory.text(*each) for each in zip(names, known, strict=True)]
        first = texts.firsts([text.plain for text in of_known])
        distinct = sorted(set(first))
        self.texts = (of_questioned, *of_known)
        self.distinct = (of_questioned, *(of_known[place] for place in distinct))
        self.places = [distinct.index(place) for place in first]
        """Of each known text as it was given, its place among the distinct ones."""
        self.of_case: list[frozenset[bytes]] = []
        """Of each distinct text the case's texts that are it; found once it has vectors."""
        self.too_short = tuple(texts.of_too_short(self.texts))

    def poses(self, first: int) -> list[tuple[int, list[int]]]:
        """All that is compared, if the trial's texts begin at a place `first` among others.

        That is the questioned text with all known ones, with each of them if there are several, and
        each known one with the others if there are more than two: of two, nobody knows which is
        wrong.
        """
        known = list(range(first + 1, first + len(self.distinct)))
        poses = [(first, known)]
        if len(known) > 1:
            poses += [(first, [one]) for one in known]
        if len(known) > 2:
            poses += [(one, [other for other in known if other != one]) for one in known]
        return poses


class _Memory:
    """Vectors of the texts met so far."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._ends: dict[bytes, int] = {}
        self._vectors: dict[bytes, TextVectors] = {}

    def read(self, contents: Iterable[str]) -> None:
        """Tokenise the texts that were not embedded before."""
        if len(self._ends) > _MOST_REMEMBERED:
            self._ends, self._vectors = {}, {}
        new = {texts.digest(content): content for content in contents}
        new = {digest: new[digest] for digest in new if digest not in self._vectors}
        self._new = {digest: place for place, digest in enumerate(new)}
        self._read = self._embedder.read(list(new.values()))
        self._ends |= zip(new, self._read.ends, strict=True)
        self._texts: dict[tuple[str, bytes], Text] = {}

    def text(self, name: str, content: str) -> Text:
        """A text that was read just now or before; its name is as a sentence begins."""
        digest = texts.digest(content)
        key = name, digest
        if key not in self._texts:
            self._texts[key] = Text.of(name, content, digest, self._ends[digest])
        return self._texts[key]

    def embed(self, wanted: Sequence[Text]) -> None:
        """Embed the texts that were read just now, and look at each while the networks work."""
        new = sorted({self._new[text.digest] for text in wanted if text.digest in self._new})
        found = self._embedder.embed_read(
            self._read.at(new), [partial(getattr, text, "own") for text in wanted]
        )
        digests = list(self._new)
        for row, place in enumerate(new):
            self._vectors[digests[place]] = found.at([row])

    def vectors(self, wanted: Sequence[Text]) -> TextVectors:
        """The vectors of texts that were embedded; there is one text at least."""
        return joined([self._vectors[text.digest] for text in wanted])


def _posed(poses: Iterable[tuple[int, list[int]]]) -> Trials:
    questioned, known = zip(*poses, strict=True)
    return Trials.of(questioned, known)
