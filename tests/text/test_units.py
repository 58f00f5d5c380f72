"""Units: as many as the paper's formula says, and no token left out."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.text.units import Windowing

windowings = st.integers(1, 40).flatmap(
    lambda width: st.builds(Windowing, st.just(width), st.integers(1, width), st.integers(1, 60))
)


@pytest.mark.parametrize(
    ("tokens", "units"),
    [(0, 1), (1, 1), (30, 1), (31, 2), (56, 2), (57, 3), (5_464, 210), (10**7, 210)],
)
def test_counts_of_the_paper(tokens: int, units: int) -> None:
    assert Windowing().count(tokens) == units


@given(st.integers(0, 3000), windowings)
def test_count_is_the_formula_within_its_bounds(tokens: int, windowing: Windowing) -> None:
    width, hop, cap = windowing
    formula = math.ceil((tokens - width + hop) / hop)
    assert windowing.count(tokens) == min(cap, max(1, formula)) == len(windowing.bounds(tokens))


@given(st.integers(1, 3000), windowings)
def test_every_token_is_in_a_unit_up_to_the_cap(tokens: int, windowing: Windowing) -> None:
    bounds = windowing.bounds(tokens)
    inside = {token for start, end in bounds for token in range(start, end)}
    assert inside == set(range(min(tokens, windowing.span(windowing.cap))))
    assert all(0 < end - start <= windowing.width for start, end in bounds)


@given(st.integers(1, 3000), windowings)
def test_the_last_unit_does_not_only_repeat(tokens: int, windowing: Windowing) -> None:
    bounds = windowing.bounds(tokens)
    assert all(later[1] > earlier[1] for earlier, later in pairwise(bounds))
