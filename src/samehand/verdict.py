"""The answer about a questioned text and the known ones: the numbers, and how to read them.

The rule for `decision` is `decide`, the words for a likelihood ratio are `verbal_scale`; both stand
here and nowhere else.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from samehand.cautions.caution import Caution, plain_lr
from samehand.scoring.abstention import LEAST

Decision = Literal["same", "different", "undecided"]
Log10Bounds = tuple[float, float]

UNDECIDED = LEAST / math.log(10)
"""log10 LRs nearer to 0 than this decide nothing, unless another threshold is asked for."""

NEITHER = math.log10(2)
"""log10 LRs nearer to 0 than this support neither side: the first of the bands begins at 2."""

SCALE = (
    (1, "weak"),
    (2, "moderate"),
    (3, "moderately strong"),
    (4, "strong"),
    (6, "very strong"),
    (math.inf, "extremely strong"),
)
"""Bands of log10 LR by their upper end: ENFSI, Guideline for Evaluative Reporting (2015)."""


@dataclass(frozen=True)
class TextFacts:
    """A text as it was judged."""

    words: int
    words_read: int
    """From its start; what is longer than the model's reach is not read."""
    sha256: str
    """Of the text in UTF-8."""
    language: str
    log10_lr: float | None = None
    """Of a known text: what it says alone, without the others."""


@dataclass(frozen=True)
class CaseFacts:
    """Facts about a model's case."""

    texts_by_others: int
    pairs_by_one: int
    pairs_by_two: int
    sha256: str
    """Of the digests of all its texts, in ascending order."""


@dataclass(frozen=True)
class ModelFacts:
    """Which model answered."""

    name: str
    sha256: str
    """Of all that its answers depend on."""
    made_by: str
    validated: bool
    """Whether the bounds come from its own validation data."""
    most_tokens: int
    """Tokens of a text that it reads."""
    case: CaseFacts | None = None
    """None where it is not adapted to a case."""


@dataclass(frozen=True)
class Verdict:
    """The answer."""

    log10_lr: float
    """Weight of evidence: positive for the same author, negative for different ones."""
    log10_lr_bounds: Log10Bounds
    log10_lr_interval: Log10Bounds | None
    """Between these it lies for all that is known of the genre of the texts, with a probability of
    0.9. None where evidence does not know genres."""
    log10_lr_by_network: tuple[float, ...]
    """By the distances of each of the model's networks alone."""
    cautions: tuple[Caution, ...]
    questioned: TextFacts
    known: tuple[TextFacts, ...]
    model: ModelFacts
    genres: tuple[tuple[str, float], ...] = ()
    """The genres that the texts seem to be of, and how likely each is. None in an adapted model,
    which takes all texts to be of the case's own."""
    log10_lr_unadapted: float | None = None
    """Without what the case brought, where the model is adapted to one."""
    prior: float = 1.0
    """Odds that one author wrote them, before the texts were compared."""

    @property
    def disagreement(self) -> float:
        """Standard deviation of the log10 LRs by each of the networks alone."""
        return statistics.pstdev(self.log10_lr_by_network)

    @property
    def probability(self) -> float:
        """p(same author) at the prior odds."""
        return probability_of(self.log10_lr + math.log10(self.prior))

    @property
    def decision(self) -> Decision:
        """Decision by texts alone, whatever the prior odds."""
        return decide(self.log10_lr, self.cautions)

    @property
    def confidence(self) -> float:
        """Probability of the likelier of the two: at least 0.5."""
        return max(self.probability, 1.0 - self.probability)

    @property
    def verbal_scale(self) -> str:
        return verbal_scale(self.log10_lr)

    @property
    def in_words(self) -> str:
        """The likelihood ratio in words, and by which scale; that of no evidence says nothing."""
        if are_no_evidence(self.cautions):
            return "none, for these texts are no evidence"
        return f"{self.verbal_scale} (ENFSI 2015)"

    @property
    def interval_in_words(self) -> str | None:
        """Between which likelihood ratios it lies, and given what, where it is evidence."""
        if self.log10_lr_interval is None or are_no_evidence(self.cautions):
            return None
        low, high = (
            plain_lr(end) + (" (the bound)" if end in self.log10_lr_bounds else "")
            for end in self.log10_lr_interval
        )
        values = "nine in ten values for all that is known of the genre"
        return f"{low} throughout, {values}" if low == high else f"{low} to {high}, {values}"

    @property
    def supports_neither(self) -> bool:
        """Whether nothing follows: the texts are no evidence, or about as likely either way."""
        return are_no_evidence(self.cautions) or abs(self.log10_lr) < NEITHER

    @property
    def sentence(self) -> str:
        """The finding in one sentence: how likely the texts are, given either proposition."""
        if are_no_evidence(self.cautions):
            return "These texts are no evidence of who wrote them; see the reasons."
        if self.supports_neither:
            return (
                "These texts are about as likely if one author wrote them as if two did: they "
                "support neither."
            )
        times, how = plain_lr(abs(self.log10_lr)), strength(self.log10_lr)
        one, other = "one author", "two authors"
        if self.log10_lr < 0:
            one, other = other, one
        did = other.split()[0]
        return (
            f"These texts are {times} times likelier if {one} wrote them than if {did} did: "
            f"{how} support for {one}."
        )

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing is decided, or why the answer is to be read with care; the former first."""
        ranked = sorted(self.cautions, key=lambda caution: not caution.disqualifies)
        return tuple(caution.sentence for caution in ranked)

    def as_dict(self) -> dict[str, Any]:
        """Output of `samehand verify --json`."""
        return {
            "probability": self.probability,
            "prior": self.prior,
            "log10_lr": self.log10_lr,
            "log10_lr_bounds": list(self.log10_lr_bounds),
            "log10_lr_interval": self.log10_lr_interval and list(self.log10_lr_interval),
            "log10_lr_by_network": list(self.log10_lr_by_network),
            "disagreement": self.disagreement,
            "log10_lr_unadapted": self.log10_lr_unadapted,
            "genres": dict(self.genres),
            "decision": self.decision,
            "confidence": self.confidence,
            "verbal_scale": self.verbal_scale,
            "reasons": list(self.reasons),
            "questioned": {k: v for k, v in vars(self.questioned).items() if k != "log10_lr"},
            "known": [dict(vars(text)) for text in self.known],
            "model": asdict(self.model),
        }


def decide(log10_lr: float, cautions: Sequence[Caution], threshold: float = UNDECIDED) -> Decision:
    """ "undecided" where the texts are no evidence, or the log10 LR is nearer to 0 than this.

    Everything else goes by which of the two is likelier.
    """
    if are_no_evidence(cautions) or abs(log10_lr) < threshold:
        return "undecided"
    return "same" if log10_lr > 0 else "different"


def are_no_evidence(cautions: Sequence[Caution]) -> bool:
    """Whether a caution disqualifies the texts."""
    return any(caution.disqualifies for caution in cautions)


def verbal_scale(log10_lr: float) -> str:
    """ENFSI's words for a likelihood ratio; a band holds its lower end."""
    if abs(log10_lr) < NEITHER:
        return "supports neither"
    favoured = "the same author" if log10_lr > 0 else "different authors"
    return f"{strength(log10_lr)} support for {favoured}"


def strength(log10_lr: float) -> str:
    """ENFSI's word for support of either side."""
    return next(name for end, name in SCALE if abs(log10_lr) < end)


def probability_of(log10_odds: float) -> float:
    """The probability at these odds."""
    return 0.5 * (1.0 + math.tanh(0.5 * math.log(10) * log10_odds))
