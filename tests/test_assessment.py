"""Trials are assessed some at a time, and what is remembered of their texts changes nothing."""

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from samehand import assessment
from samehand.verifier import Verifier
from tests.entries import Trial
from tests.models import essay

ANNA, ANNA_2, BRUNO = map(essay, ("anna-1", "anna-2", "bruno-1"))
TEXTS = [ANNA, ANNA_2, BRUNO, ANNA[:800], BRUNO[:500], "Far too short.", ""]
a_text = st.sampled_from(TEXTS)
some_trials = st.lists(st.tuples(a_text, st.lists(a_text, min_size=1, max_size=3)), max_size=8)


@settings(max_examples=30)
@example([(ANNA, ["Far too short."]), (ANNA, [BRUNO])], 1, 100)
@given(some_trials, st.integers(1, 3), st.integers(0, 4))
def test_answers_do_not_depend_on_what_was_read_before(
    by_genres: Verifier, trials: list[Trial], at_once: int, remembered: int
) -> None:
    expected = list(by_genres.score(trials))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assessment, "_TRIALS_AT_ONCE", at_once)
        patch.setattr(assessment, "_MOST_REMEMBERED", remembered)
        found = list(by_genres.score(trials))
    for one, other in zip(found, expected, strict=True):
        assert one.log10_lr == pytest.approx(other.log10_lr, abs=1e-9)
        assert one.alone == pytest.approx(other.alone, abs=1e-9)
        assert (one.decision, one.cautions) == (other.decision, other.cautions)


def test_no_more_trials_are_read_than_are_needed(by_genres: Verifier) -> None:
    read: list[int] = []

    def without_end() -> Iterator[Trial]:
        for number in count():
            read.append(number)
            yield ANNA, [BRUNO]

    next(by_genres.score(without_end()))
    assert len(read) == assessment._TRIALS_AT_ONCE
