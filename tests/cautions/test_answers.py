"""Each caution about an answer fires on its own fault, and says so in one sentence."""

import pytest

from samehand.cautions import answers
from samehand.cautions.texts import Text, digest
from tests.models import essay

ANNA = essay("anna-1")


def text(name: str) -> Text:
    return Text.of(name, ANNA, digest(ANNA), len(ANNA))


def test_a_known_text_that_contradicts_the_others_is_named() -> None:
    known = [text(f"Known text {n}") for n in (1, 2, 3)]
    assert list(answers.of_mixture(known, [1.0, 0.0, -0.4])) == []
    [doubt] = answers.of_mixture(known, [1.0, 0.2, -0.7])
    assert doubt.sentence.startswith("Known text 3 does not fit the other known texts (LR 1/5)")
    assert not doubt.disqualifies
    [fault] = answers.of_mixture(known, [-1.2, 0.2, 0.7])
    assert fault.disqualifies


def test_bounds_are_stated_where_they_bite() -> None:
    bounds = (-1.5, 2.0)
    assert list(answers.of_bounds(1.9, bounds, validated=True)) == []
    [bitten] = answers.of_bounds(float("inf"), bounds, validated=True)
    assert "given as 100, the bound" in bitten.sentence
    [bitten] = answers.of_bounds(-1.6, bounds, validated=True)
    assert "given as 1/32, the bound" in bitten.sentence
    [unknown] = answers.of_bounds(0.0, bounds, validated=False)
    assert "not validated" in unknown.sentence
    assert "between 1/32 and 100" in unknown.sentence


@pytest.mark.parametrize("by_network", [(0.1,), (0.5, 0.2), (-0.2, 3.0), (-3.0, 0.2)])
def test_networks_that_do_not_contradict_each_other_are_not_mentioned(
    by_network: tuple[float, ...],
) -> None:
    assert list(answers.of_disagreement(by_network)) == []


def test_networks_that_contradict_each_other_are_quoted() -> None:
    [caution] = answers.of_disagreement((1.0, 0.0, -0.7))
    assert "would be 1/5, by another 10." in caution.sentence
    assert not caution.disqualifies


def test_a_text_of_the_case_is_named() -> None:
    [caution] = answers.of_case([(text("Known text 2"), True)])
    assert caution.sentence.startswith("Known text 2 is one of the texts that the model")
    assert list(answers.of_case([])) == []


def test_what_the_model_does_not_know_disqualifies_nothing() -> None:
    assert not answers.NEW_GENRE.disqualifies
    assert not answers.DIFFERENT_KINDS.disqualifies
