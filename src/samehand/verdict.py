"""What is answered about a questioned text and the known ones: the numbers, and how to read them.

The rule for `decision` is `decide`, the words for a likelihood ratio are `verbal_scale`; both stand
here and nowhere else.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Decision = Literal["same", "different", "undecided"]

UNDECIDED_MARGIN = 0.05
"""A probability nearer to 0.5 than this decides nothing, and supports neither side."""

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
class Caution:
    """One plain sentence on why an answer is to be read with care."""

    sentence: str
    disqualifies: bool = False
    """Whether the texts are no evidence at all, so that nothing can be decided from them."""
    undecides: bool = False
    """Whether the model had better not decide, though the texts may be good evidence to others."""


class Bounds(NamedTuple):
    """The log10 LRs between which the model's validation data can support an answer."""

    low: float
    high: float

    def hold(self, log10_lr: float) -> float:
        """The LR itself, or the bound it exceeds."""
        return min(max(log10_lr, self.low), self.high)


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
class ModelFacts:
    """Which model answered."""

    name: str
    sha256: str
    """Of its weights."""
    made_by: str
    validated: bool
    """Whether the bounds come from its own validation data."""
    most_tokens: int
    """Tokens of a text that it reads."""


@dataclass(frozen=True)
class Verdict:
    """The answer."""

    log10_lr: float
    """Weight of evidence: positive for the same author, negative for different ones."""
    log10_lr_bounds: Bounds
    disagreement: float
    """Standard deviation of the log10 LRs by the model's networks: the model's own uncertainty."""
    cautions: tuple[Caution, ...]
    questioned: TextFacts
    known: tuple[TextFacts, ...]
    model: ModelFacts

    @property
    def probability(self) -> float:
        """p(same author) where both were equally likely before: prior odds of 1:1."""
        return probability_of(self.log10_lr)

    @property
    def decision(self) -> Decision:
        return decide(self.probability, self.cautions)

    @property
    def confidence(self) -> float:
        """Probability of the likelier of the two: at least 0.5."""
        return max(self.probability, 1.0 - self.probability)

    @property
    def verbal_scale(self) -> str:
        return verbal_scale(self.log10_lr)

    @property
    def in_words(self) -> str:
        """What the likelihood ratio says, and by which scale; that of no evidence says nothing."""
        if are_no_evidence(self.cautions):
            return "none, for these texts are no evidence"
        return f"{self.verbal_scale} (ENFSI 2015)"

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        if self.decision == "same":
            return "Same hand: the texts are more likely by one author than by two."
        if self.decision == "different":
            return "Different hands: the texts are more likely by two authors than by one."
        if are_no_evidence(self.cautions):
            return "Undecided: these texts are no evidence of who wrote them; see the reasons."
        if not says_too_little(self.probability):
            return "Undecided: the model had better not answer here; see the reasons."
        return "Undecided: the texts speak neither for one author nor for two."

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing is decided, or why the answer is to be read with care; the former first."""
        ranked = sorted(self.cautions, key=lambda c: (not c.disqualifies, not c.undecides))
        return tuple(caution.sentence for caution in ranked)

    def as_dict(self) -> dict[str, Any]:
        """What `samehand verify --json` prints."""
        return {
            "probability": self.probability,
            "log10_lr": self.log10_lr,
            "log10_lr_bounds": list(self.log10_lr_bounds),
            "disagreement": self.disagreement,
            "decision": self.decision,
            "confidence": self.confidence,
            "verbal_scale": self.verbal_scale,
            "reasons": list(self.reasons),
            "questioned": {k: v for k, v in vars(self.questioned).items() if k != "log10_lr"},
            "known": [dict(vars(text)) for text in self.known],
            "model": dict(vars(self.model)),
        }


def decide(probability: float, cautions: Sequence[Caution]) -> Decision:
    """ "undecided" where a caution says so, or the probability says too little.

    Too little is a probability within `UNDECIDED_MARGIN` of 0.5. Everything else goes by which of
    the two is likelier.
    """
    undecides = any(caution.undecides for caution in cautions)
    if undecides or are_no_evidence(cautions) or says_too_little(probability):
        return "undecided"
    return "same" if probability > 0.5 else "different"


def are_no_evidence(cautions: Sequence[Caution]) -> bool:
    """Whether a caution disqualifies the texts."""
    return any(caution.disqualifies for caution in cautions)


def says_too_little(probability: float) -> bool:
    """Whether the probability is too near to 0.5 to support either side."""
    return abs(probability - 0.5) < UNDECIDED_MARGIN


def verbal_scale(log10_lr: float) -> str:
    """ENFSI's words for a likelihood ratio; a band holds its lower end."""
    if says_too_little(probability_of(log10_lr)):
        return "supports neither"
    weight = abs(log10_lr)
    strength = next(name for end, name in SCALE if weight < end)
    return f"{strength} support for {'the same author' if log10_lr > 0 else 'different authors'}"


def probability_of(log10_lr: float) -> float:
    """The posterior at prior odds of 1:1."""
    return 0.5 * (1.0 + math.tanh(0.5 * math.log(10) * log10_lr))


def log10_lr_of(probability: float) -> float:
    """The likelihood ratio of a posterior at prior odds of 1:1; infinite at 0 and at 1."""
    if probability <= 0.0 or probability >= 1.0:
        return math.inf if probability >= 1.0 else -math.inf
    return math.log10(probability) - math.log10(1.0 - probability)
