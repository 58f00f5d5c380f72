"""How vectors of texts become answers, in order: distance → evidence → bounds → abstention.

Natural-log likelihood ratios are the only currency here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.engine.vectors import TextVectors
from samehand.errors import InputError
from samehand.model.folder import StoredModel
from samehand.scoring.abstention import is_undecided
from samehand.scoring.bounds import UNVALIDATED, WIDEST, Bounds
from samehand.scoring.case_data import CaseData
from samehand.scoring.case_effects import adapt
from samehand.scoring.distance import Compared, Trials, compare, similarity_by_network
from samehand.scoring.evidence import GenreEvidence
from samehand.scoring.paper import Component, PaperEvidence
from samehand.scoring.uncertainty import Uncertainty, genre_shares, interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LIKELY = 0.5
"""A trial's genre counts as a new one where that is likelier than not; so do two genres."""


class TrialScores(NamedTuple):
    """Scores of trials; all (trials,)."""

    log_lr: Floats
    """Held to the bounds."""
    free: Floats
    """Before it was held to the bounds."""
    undecided: Bools
    new_genre: Bools
    """Whether the texts are rather of a genre that the model does not know."""
    different_kinds: Bools
    """Whether the two sides seem to be of different genres."""


class LRSystem:
    """The stages of scoring, put together."""

    def __init__(
        self,
        evidence: GenreEvidence | list[PaperEvidence],
        bounds: Bounds = UNVALIDATED,
        component: Component = "ual",
    ) -> None:
        """`component` counts for the paper's evidence only."""
        self.evidence, self.bounds, self._component = evidence, bounds, component

    @classmethod
    def of(cls, model: StoredModel, component: Component | None = None) -> "LRSystem":
        """The scoring of a model, without what a case brings.

        With a `component` of the paper's, it is that component's own posterior, without bounds.
        """
        stated = model.description.log10_lr_bounds
        bounds = UNVALIDATED if stated is None else Bounds.of_log10(stated)
        if model.description.evidence == "paper":
            evidence = [PaperEvidence.of(network) for network in model.networks]
            return cls(evidence, WIDEST, component) if component else cls(evidence, bounds)
        if component:
            raise InputError(
                "A model with evidence by genres has none of the paper's components; leave out "
                "--component, or take a model that was trained by the preset paper."
            )
        assert model.evidence is not None  # reading a model makes sure of it
        return cls(GenreEvidence.of(model.evidence), bounds)

    def adapted(self, case: CaseData) -> "LRSystem":
        """These stages with evidence of a case's own genre."""
        if isinstance(self.evidence, list):
            raise InputError(
                "A model that judges by the paper's own Bayes factor cannot be adapted to a case; "
                "use one with evidence by genres (samehand fit)."
            )
        return LRSystem(adapt(self.evidence, case), self.bounds)

    def score(self, vectors: TextVectors, trials: Trials) -> TrialScores:
        """Score trials over some texts. Each trial has the same score alone or among others."""
        if not isinstance(self.evidence, list):
            return self.score_compared(compare(vectors, trials))
        free = paper_log_lr(self.evidence, vectors, trials, self._component)
        neither = np.zeros(len(free), np.bool_)
        return self._held(free, neither, neither)

    def score_compared(self, compared: Compared) -> TrialScores:
        """Score trials whose sides were compared, by evidence by genres."""
        assert isinstance(self.evidence, GenreEvidence)
        return self._held(
            self.evidence.log_lr(compared),
            self.evidence.new_genre(compared) > LIKELY,
            self.evidence.two_genres(compared) > LIKELY,
        )

    def _held(self, free: Floats, new_genre: Bools, different_kinds: Bools) -> TrialScores:
        held = self.bounds.hold(free)
        return TrialScores(held, free, is_undecided(held), new_genre, different_kinds)

    def uncertainty(self, vectors: TextVectors, trials: Trials) -> Uncertainty:
        """The uncertainty of the LRs of trials, of which there is one at least."""
        if isinstance(self.evidence, list):
            each = zip(self.evidence, vectors.each_network(), strict=True)
            odds = [own.log_odds(of_one, trials, self._component) for own, of_one in each]
            return Uncertainty(self.bounds.hold(np.stack(odds)))
        compared = compare(vectors, trials)
        by_network = [
            self.evidence.log_lr(compared._replace(similarity=similarity))
            for similarity in similarity_by_network(vectors, trials)
        ]
        ends = interval(self.evidence, compared, self.evidence.log_lr(compared))
        genres, shares = genre_shares(self.evidence, compared)
        hold = self.bounds.hold
        return Uncertainty(hold(np.stack(by_network)), hold(ends), genres, shares)


def paper_log_lr(
    networks: list[PaperEvidence],
    vectors: TextVectors,
    trials: Trials,
    component: Component = "ual",
) -> Floats:
    """Natural-log LRs (trials,) of the mean of the networks' posteriors by a component."""
    each = zip(networks, vectors.each_network(), strict=True)
    odds = np.stack([own.log_odds(of_one, trials, component) for own, of_one in each])
    for_same, for_different = (-np.logaddexp(0.0, sign * odds) for sign in (-1.0, 1.0))
    log_lr: Floats = np.logaddexp.reduce(for_same, 0) - np.logaddexp.reduce(for_different, 0)
    return log_lr
