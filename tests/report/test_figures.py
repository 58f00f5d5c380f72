"""The scale of likelihood ratios, which the report and the page draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.report.figures import Scale
from samehand.verdict import NEITHER, verbal_scale


@pytest.mark.parametrize(
    ("bounds", "reach"), [((-2, 2), 4), ((-4.5, 1), 6), ((-1, 6.5), 7), ((-100, 100), 7)]
)
def test_it_reaches_as_far_as_the_bounds(bounds: tuple[float, float], reach: int) -> None:
    scale = Scale.of(bounds)
    assert scale.reach == scale.bands[-1][1] == reach
    assert len(scale.ticks) == 2 * reach + 1
    assert scale.ticks[reach + 2] == "100"


@given(st.floats(NEITHER, 6.99))
def test_bands_are_those_of_the_words(log10_lr: float) -> None:
    bands = Scale.of((-7, 7)).bands
    [name] = [name for start, end, name in bands if start <= log10_lr < end]
    assert verbal_scale(log10_lr) == f"{name} support for the same author"
