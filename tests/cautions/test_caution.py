"""Likelihood ratios as people read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.cautions.caution import plain_lr


@pytest.mark.parametrize(
    ("log10_lr", "shown"),
    [
        (0, "1"), (0.5, "3.2"), (1, "10"), (2.65, "450"), (4, "10,000"), (-1.4, "1/25"),
        (-0.0, "1"), (-0.01, "1"), (0.999, "10"),
    ],
)  # fmt: skip
def test_likelihood_ratios_are_shown_plainly(log10_lr: float, shown: str) -> None:
    assert plain_lr(log10_lr) == shown


@given(st.floats(-12, 12))
def test_what_is_shown_is_the_ratio_to_two_digits(log10_lr: float) -> None:
    numerator, _, denominator = plain_lr(log10_lr).replace(",", "").partition("/")
    shown = float(numerator) / float(denominator or 1)
    assert math.log10(shown) == pytest.approx(log10_lr, abs=math.log10(1.06))
