"""Plots of a validation, read back from the SVG."""

import re

import numpy as np
import pytest

from samehand.evaluation import cllr
from samehand.report.plots import Axis, cross_entropy, pav_plot, reliability, tippett

SAME, DIFFERENT = (-0.2, 0.4, 0.9, 1.3), (-1.1, -0.6, 0.1)


def places(svg: str, kind: str) -> list[tuple[float, float]]:
    """The points of a line."""
    (points,) = re.findall(rf'<polyline points="([^"]*)" class="{kind}">', svg)
    return [(float(x), float(y)) for x, y in (each.split(",") for each in points.split())]


def numbers(svg: str) -> list[str]:
    return re.findall(r'class="tick" text-anchor="\w+">([^<]*)<', svg)


@pytest.mark.parametrize("ends", [(-0.1, 0.1), (-2.6, 4.2), (-7, 7), (0.2, 0.3)])
def test_numbers_beside_an_axis_are_few_and_hold_all_values(ends: tuple[float, float]) -> None:
    axis = Axis.of_log10("LR", *ends)
    assert axis.low <= ends[0] < ends[1] <= axis.high
    assert 1 <= len(axis.ticks) <= 6
    assert 0 <= axis.share(ends[0]) < axis.share(ends[1]) <= 1


def test_a_tippett_plot_falls_from_all_trials_to_none_and_marks_a_ratio() -> None:
    svg = tippett(SAME, DIFFERENT, 0.4) or ""
    for kind in ("same", "different"):
        heights = [y for _, y in places(svg, kind)]
        assert heights == sorted(heights)
        assert (heights[0], heights[-1]) == (10, 260)
    assert places(svg, "needle")[0][0] == places(svg, "same")[2][0]
    assert 'class="needle"' not in (tippett(SAME, DIFFERENT, 5.0) or "")
    assert tippett(SAME, ()) is None


def test_what_pav_makes_infinite_stands_at_the_edges() -> None:
    svg = pav_plot(SAME, DIFFERENT)
    edges = re.findall(r'<circle cx="[^"]*" cy="([^"]*)"', svg)
    assert sorted(edges) == ["10", "10", "10", "260", "260"]
    assert "1/100" in numbers(svg)


def test_cross_entropy_at_even_odds_is_cllr() -> None:
    svg = cross_entropy(SAME, DIFFERENT)
    middle = len(places(svg, "same")) // 2
    (_, none), (_, given) = (places(svg, kind)[middle] for kind in ("guide", "same"))
    same = np.arange(7) < 4
    expected = cllr(same, np.log(10) * np.array([*SAME, *DIFFERENT]))
    assert none == 10
    assert given == pytest.approx(10 + 250 * (1 - expected), abs=0.06)


def test_reliability_of_nothing_is_no_plot() -> None:
    assert reliability([]) is None
    assert (reliability([(0.2, 0.1), (0.8, 0.9)]) or "").count("<circle") == 2
