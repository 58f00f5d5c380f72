"""Cautions about an answer: what in the comparison itself asks for care."""

import math
from collections.abc import Iterable, Iterator, Sequence

from samehand.cautions.caution import Caution, plain_lr
from samehand.cautions.texts import Text

DOUBTFUL, CONTRADICTED = -0.5, -1.0
"""log10 LR of a known text against the other known ones, below which it does not seem theirs."""
DISAGREEING = 2.0
"""Networks disagree where one finds the texts so many times likelier by one author, and another so
many times likelier by two."""

NEW_GENRE = Caution(
    "These texts are unlike those of all genres that the model knows, so the likelihood ratio is "
    "that of a genre it has not met; texts of their kind by others would help (samehand adapt)."
)
DIFFERENT_KINDS = Caution(
    "The questioned and the known texts seem to be of different kinds; a different genre is not a "
    "different author, so the likelihood ratio says less than it would within one genre."
)


def of_mixture(known: Sequence[Text], against_rest: Iterable[float]) -> Iterator[Caution]:
    """Whether the known texts seem to be by several authors.

    `against_rest`: the log10 LR of each against the others.
    """
    for text, log10_lr in zip(known, against_rest, strict=True):
        if log10_lr < DOUBTFUL:
            yield Caution(
                f"{text.name} does not fit the other known texts (LR {plain_lr(log10_lr)}): they "
                f"may be by more than one author.",
                log10_lr < CONTRADICTED,
            )


def of_bounds(
    log10_lr: float, bounds: tuple[float, float], *, validated: bool
) -> Iterator[Caution]:
    """Effect of bounds (log10) on a likelihood ratio."""
    low, high = (plain_lr(bound) for bound in bounds)
    if not validated:
        yield Caution(
            f"This model was not validated: its likelihood ratio is held between {low} and {high}."
        )
    held = min(max(log10_lr, bounds[0]), bounds[1])
    if held != log10_lr:
        yield Caution(
            f"The likelihood ratio came out beyond what the validation data can support; it is "
            f"given as {plain_lr(held)}, the bound."
        )


def of_disagreement(by_network: Sequence[float]) -> Iterator[Caution]:
    """Whether the networks of a model contradict each other, by the log10 LR of each."""
    lowest, highest = (plain_lr(log10_lr) for log10_lr in (min(by_network), max(by_network)))
    edge = math.log10(DISAGREEING)
    if min(by_network) < -edge and max(by_network) > edge:
        yield Caution(
            f"The networks of the model disagree: by one of them alone the likelihood ratio would "
            f"be {lowest}, by another {highest}."
        )


def of_case(met: Iterable[tuple[Text, bool]]) -> Iterator[Caution]:
    """Texts of a trial that are among those which the model was adapted to, exactly or nearly."""
    for text, exactly in met:
        what = "one" if exactly else "nearly the same as one"
        yield Caution(
            f"{text.name} is {what} of the texts that the model was adapted to, which was left out "
            "of them for this answer."
        )
