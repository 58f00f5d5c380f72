"""Habits that moved the ratio: how often they stand where, and what hiding them does."""

import math

import numpy as np
import pytest

from samehand.explaining.features import usual
from samehand.explaining.habits import Habit, Hidden
from samehand.verifier import Verifier
from tests.models import essay

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))


@pytest.fixture(scope="module")
def packaged() -> Verifier:
    return Verifier.load()


def hidden(verifier: Verifier, *texts: str) -> Hidden:
    return Hidden(verifier.engine, texts)


def named(habits: tuple[Habit, ...]) -> dict[str, Habit]:
    return {habit.name: habit for habit in habits}


def dashed(text: str, every: int = 6) -> str:
    """With a dash between spaces in place of some of the spaces."""
    words = text.split(" ")
    return " ".join(
        f"{word} --" if n % every == every - 1 else word for n, word in enumerate(words)
    )


def test_a_habit_stands_where_it_says(packaged: Verifier) -> None:
    found = packaged.explain(ANNA, [BRUNO, ANNA_2]).habits
    semicolons = named(found)["semicolon (;)"]
    for text, places, rate in zip(
        (ANNA, BRUNO, ANNA_2), semicolons.places, semicolons.rates, strict=True
    ):
        assert [text[start:end] for start, end in places] == [";"] * text.count(";")
        assert (rate > 0) == (";" in text)
    assert semicolons.rates[0] == pytest.approx(1000 * ANNA.count(";") / 739)
    assert semicolons.usual == usual()["mark", "‿;"].mean


def test_the_largest_effect_comes_first_and_small_ones_are_not_told(packaged: Verifier) -> None:
    effects = [abs(habit.effect) for habit in packaged.explain(ANNA, BRUNO).habits]
    assert effects == sorted(effects, reverse=True)
    assert min(effects) >= math.log10(1.05)


def test_a_habit_that_two_authors_share_raises_the_ratio(packaged: Verifier) -> None:
    """One that was put into both, and that few people have."""
    plain = packaged.explain(ANNA, BRUNO).log10_lr
    found = packaged.explain(dashed(ANNA), dashed(BRUNO))
    assert found.log10_lr > plain
    dash = named(found.habits)["dash between spaces ( — or -- )"]
    assert dash.effect > math.log10(2)
    assert all(rate > dash.usual_range[1] for rate in dash.rates)


def test_a_habit_of_one_text_alone_lowers_the_ratio(packaged: Verifier) -> None:
    found = packaged.explain(ANNA, dashed(ANNA_2))
    dash = named(found.habits)["dash between spaces ( — or -- )"]
    assert dash.effect < -math.log10(1.5)
    assert dash.rates[0] == 0


def test_an_effect_is_that_of_the_texts_with_less_of_it(verifier: Verifier) -> None:
    """A mark that is hidden is as if it had never been there."""
    texts = hidden(verifier, ANNA, BRUNO)
    feature = usual()["mark", "‿?"]
    (places,) = (own for each, own in texts.most_telling() if each is feature)
    (effect,) = texts.effects(verifier.system, [places])
    without = verifier.explain(ANNA.replace("?", ""), BRUNO.replace("?", "")).log10_lr
    assert effect == pytest.approx(verifier.explain(ANNA, BRUNO).log10_lr - without, abs=1e-6)


def test_hiding_nothing_changes_nothing(verifier: Verifier) -> None:
    nothing = (np.zeros(0, np.int64),) * 2
    assert hidden(verifier, ANNA, BRUNO).effects(verifier.system, [nothing]) == [0.0]


def test_what_is_left_is_what_is_usual(verifier: Verifier) -> None:
    texts = hidden(verifier, dashed(ANNA), BRUNO)
    for feature, places in texts.most_telling():
        beyond = texts.beyond_usual(feature, places)
        left = tuple(np.setdiff1d(own, out) for own, out in zip(places, beyond, strict=True))
        assert any(map(len, beyond))
        for rate, before in zip(texts.rates(left), texts.rates(places), strict=True):
            assert rate == pytest.approx(min(before, feature.mean), abs=1.3)  # half a place


def test_as_many_others_are_hidden_and_none_of_the_habit(verifier: Verifier) -> None:
    texts = hidden(verifier, ANNA, BRUNO)
    for feature, places in texts.most_telling():
        beyond = texts.beyond_usual(feature, places)
        others = texts.others((feature, places), beyond)
        for own, out, other in zip(places, beyond, others, strict=True):
            assert not set(own.tolist()) & set(other.tolist())
            assert len(set(other.tolist())) == len(other) <= len(out)


def test_a_known_text_given_twice_is_told_of_twice(packaged: Verifier) -> None:
    once, twice = packaged.explain(ANNA, BRUNO), packaged.explain(ANNA, [BRUNO, BRUNO + "\n"])
    assert [habit.effect for habit in once.habits] == [habit.effect for habit in twice.habits]
    for one, other in zip(once.habits, twice.habits, strict=True):
        assert other.rates == (*one.rates, one.rates[1])
        assert other.places == (*one.places, one.places[1])


def test_a_word_beyond_the_reach_of_the_model_counts_nowhere(verifier: Verifier) -> None:
    text = ANNA[:4_000] + " perhaps" * 2_000
    read_to = verifier.engine.read([text]).ends[0]
    for habit in verifier.explain(text, BRUNO).habits:
        assert all(end <= read_to for _, end in habit.places[0])


@pytest.mark.parametrize(
    "text",
    [
        "Twenty-five words make one unit, so that there is nothing to leave out.",
        "¿?! ... ---\n\n\n(((;;;)))" + " word" * 5,
        ANNA * 30,
    ],
)
def test_any_text_has_habits_or_none(verifier: Verifier, text: str) -> None:
    for habit in verifier.explain(text, ANNA).habits:
        assert math.isfinite(habit.effect)
