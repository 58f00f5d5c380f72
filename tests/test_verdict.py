"""The numbers of a verdict agree with each other, and the words with the numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.verdict import (
    UNDECIDED_MARGIN,
    Bounds,
    Caution,
    decide,
    log10_lr_of,
    probability_of,
    verbal_scale,
)

DOUBT, FAULT = Caution("Short."), Caution("A copy.", disqualifies=True)


@pytest.mark.parametrize(
    ("lr", "strength"),
    [
        (1.6, "weak"),
        (9.99, "weak"),
        (10, "moderate"),
        (99.9, "moderate"),
        (100, "moderately strong"),
        (999, "moderately strong"),
        (1_000, "strong"),
        (9_999, "strong"),
        (10_000, "very strong"),
        (999_999, "very strong"),
        (1_000_000, "extremely strong"),
        (1e12, "extremely strong"),
    ],
)
def test_words_are_those_of_enfsi_and_mirrored(lr: float, strength: str) -> None:
    assert verbal_scale(math.log10(lr)) == f"{strength} support for the same author"
    assert verbal_scale(-math.log10(lr)) == f"{strength} support for different authors"


@given(st.floats(-8, 8))
def test_words_and_decision_agree(log10_lr: float) -> None:
    decision = decide(probability_of(log10_lr), [DOUBT])
    side = {"same": "the same author", "different": "different authors", "undecided": "neither"}
    assert verbal_scale(log10_lr).endswith(side[decision])


@given(st.floats(-8, 8))
def test_probability_and_likelihood_ratio_are_one_number(log10_lr: float) -> None:
    p = probability_of(log10_lr)
    assert p / (1 - p) == pytest.approx(10**log10_lr, rel=1e-6)
    assert log10_lr_of(p) == pytest.approx(log10_lr, abs=1e-6)


@given(st.floats(0, 1))
def test_nothing_is_decided_near_a_half_or_from_what_is_no_evidence(p: float) -> None:
    near = abs(p - 0.5) < UNDECIDED_MARGIN
    assert (decide(p, []) == "undecided") == near
    assert decide(p, [DOUBT]) == decide(p, [])
    assert decide(p, [DOUBT, FAULT]) == "undecided"
    if not near:
        assert decide(p, []) == ("same" if p > 0.5 else "different")


def test_certainty_is_bounded() -> None:
    bounds = Bounds(-1.5, 2.0)
    assert bounds.hold(log10_lr_of(1.0)) == 2.0
    assert bounds.hold(log10_lr_of(0.0)) == -1.5
    assert bounds.hold(0.3) == 0.3
