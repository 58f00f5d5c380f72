"""Marks mean the same in every report."""

import math

import pytest

from samehand.report.highlights import STRENGTHS, factor, kind_of


@pytest.mark.parametrize("times", [1.0, 1.02, 1.05, 1.09])
def test_what_hardly_moves_anything_is_not_marked(times: float) -> None:
    assert kind_of(math.log10(times)) is kind_of(-math.log10(times)) is None


@pytest.mark.parametrize(("level", "times"), list(enumerate(STRENGTHS, 1)))
def test_marks_grow_with_the_change_of_the_ratio(level: int, times: float) -> None:
    effect = math.log10(times) + 1e-9
    assert kind_of(effect) == f"same m{level}"
    assert kind_of(-effect) == f"different m{level}"
    assert factor(effect) == f"× {times:g}"


def test_nothing_is_stronger_than_the_strongest() -> None:
    assert kind_of(3.0) == "same m4"
