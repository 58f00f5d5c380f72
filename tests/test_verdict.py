"""The numbers of a verdict agree with each other, and the words with the numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.cautions.caution import Caution
from samehand.verdict import (
    UNDECIDED,
    ModelFacts,
    TextFacts,
    Verdict,
    decide,
    probability_of,
    verbal_scale,
)

DOUBT, FAULT = Caution("Short."), Caution("A copy.", disqualifies=True)


@pytest.mark.parametrize(
    ("lr", "strength"),
    [
        (2, "weak"),
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
    decision = decide(log10_lr, [DOUBT])
    side = {"same": "the same author", "different": "different authors"}
    if abs(log10_lr) < math.log10(2):
        assert verbal_scale(log10_lr) == "supports neither"
    else:
        assert verbal_scale(log10_lr).endswith(side[decision])


@given(st.floats(-8, 8), st.floats(0.01, 4))
def test_a_threshold_may_be_asked_for(log10_lr: float, threshold: float) -> None:
    undecided = decide(log10_lr, [], threshold) == "undecided"
    assert undecided == (abs(log10_lr) < threshold)


@given(st.floats(-8, 8))
def test_probability_and_odds_are_one_number(log10_odds: float) -> None:
    p = probability_of(log10_odds)
    assert p / (1 - p) == pytest.approx(10**log10_odds, rel=1e-6)


@given(st.floats(-8, 8))
def test_nothing_is_decided_near_1_or_from_what_is_no_evidence(log10_lr: float) -> None:
    near = abs(log10_lr) < UNDECIDED
    assert (decide(log10_lr, []) == "undecided") == near
    assert decide(log10_lr, [DOUBT]) == decide(log10_lr, [])
    assert decide(log10_lr, [DOUBT, FAULT]) == "undecided"
    if not near:
        assert decide(log10_lr, []) == ("same" if log10_lr > 0 else "different")


def verdict(log10_lr: float, prior: float, *cautions: Caution) -> Verdict:
    text = TextFacts(100, 100, "0" * 64, "English")
    model = ModelFacts("a model", "0" * 64, "a test", True, 550)
    return Verdict(
        log10_lr, (-3.0, 3.0), None, (log10_lr,), cautions, text, (text,), model, prior=prior
    )  # fmt: skip


@given(st.floats(-3, 3), st.floats(1e-4, 1e4))
def test_prior_odds_move_the_probability_and_not_the_decision(
    log10_lr: float, prior: float
) -> None:
    even, other = verdict(log10_lr, 1.0), verdict(log10_lr, prior)
    odds = other.probability / (1 - other.probability)
    assert odds == pytest.approx(prior * 10**log10_lr, rel=1e-6)
    assert (other.decision, other.verbal_scale) == (even.decision, even.verbal_scale)
    assert other.confidence == max(other.probability, 1 - other.probability)


def test_reasons_that_disqualify_come_first() -> None:
    found = verdict(1.0, 1.0, DOUBT, FAULT)
    assert found.reasons == ("A copy.", "Short.")
    assert found.sentence.startswith("These texts are no evidence")
    assert found.supports_neither
    assert found.in_words == "none, for these texts are no evidence"


@pytest.mark.parametrize(
    ("log10_lr", "sentence"),
    [
        (
            1.0,
            "10 times likelier if one author wrote them than if two did: moderate support for one",
        ),
        (
            -0.602,
            "4 times likelier if two authors wrote them than if one did: weak support for two",
        ),
        (0.29, "about as likely if one author wrote them as if two did: they support neither."),
        (-0.29, "about as likely if one author wrote them as if two did: they support neither."),
    ],
)
def test_the_sentence_is_the_finding_given_the_propositions(log10_lr: float, sentence: str) -> None:
    found = verdict(log10_lr, 0.01, DOUBT)
    assert f"These texts are {sentence}" in found.sentence
    assert found.supports_neither == (abs(log10_lr) < math.log10(2))
