"""The numbers shown of an answer are rounded once, and all agree."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samehand.report.numbers import plain_odds, round_log, rounded
from samehand.verifier import Verifier
from tests.models import essay


def test_all_that_is_shown_follows_from_the_rounded_ratio(verifier: Verifier) -> None:
    known = [essay("bruno-1"), essay("bruno-2")]
    exact = verifier.verify(essay("anna-1"), known, prior=0.2)
    found = rounded(exact)
    assert found.log10_lr == round(exact.log10_lr, 6)
    odds = found.probability / (1 - found.probability)
    assert math.log10(odds / 0.2) == pytest.approx(found.log10_lr, abs=1e-12)
    for shown, text in zip(found.known, exact.known, strict=True):
        assert shown.log10_lr == round(text.log10_lr or 0, 6)
    assert rounded(found) == found


@given(st.floats(-1e-7, 1e-7))
def test_nothing_has_no_sign(log10_lr: float) -> None:
    assert str(round_log(log10_lr)) == "0.0"


@pytest.mark.parametrize(
    ("odds", "shown"),
    [(1, "1:1"), (1 / 99, "1:99"), (0.4, "1:2.5"), (3, "3:1"), (1e-6, "1:1,000,000")],
)
def test_odds_are_shown_as_they_are_said(odds: float, shown: str) -> None:
    assert plain_odds(odds) == shown
