"""benchmarks/habits.py: whether effects of habits go the way of their frequencies."""

import math

from habits import TELLING, Moved, agreement, moved

from samehand.verifier import Verifier
from tests.models import essay


def test_habits_of_a_trial_are_hidden_and_others_beside_them(verifier: Verifier) -> None:
    found = list(moved(verifier, [essay("anna-1"), essay("bruno-1")]))
    assert found
    assert {"marks, spacing", "word"} <= {each.sort for each in found}
    assert all(abs(each.by_rates) > TELLING for each in found)
    assert all(math.isfinite(each.effect) for each in found)


def test_named_is_what_moves_more_than_others_do() -> None:
    assert Moved("word", 1.5, -0.1, 0.05).is_told
    assert not Moved("word", 1.5, -0.1, 0.2).is_told
    assert not Moved("word", 1.5, 0.01, 0.0).is_told


def test_agreement_counts_signs() -> None:
    assert agreement([0.1, -0.2, 0.0, 0.3], [1.0, -1.0, 2.0, -4.0]).split() == ["67%", "of", "3"]
