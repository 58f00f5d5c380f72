"""Plots of a validation, as SVG: Tippett, reliability, PAV, and empirical cross-entropy."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samehand.cautions.caution import plain_lr
from samehand.evaluation import empirical_cross_entropy, pav
from samehand.evaluation.cross_entropy import PRIORS
from samehand.report.figures import box, label
from samehand.report.markup import Markup, tag
from samehand.report.numbers import plain_odds

Point = tuple[float, float]

_LEFT, _TOP, _SIZE = 46, 10, 250
_TICKS = 6
"""Numbers beside an axis, at most."""
_SHARES = [(quarter / 4, f"{quarter / 4:g}") for quarter in range(5)]


class Axis(NamedTuple):
    """An axis: its name, range and numbers."""

    name: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    @classmethod
    def of_log10(cls, name: str, low: float, high: float) -> "Axis":
        """Likelihood ratios from one whole log10 LR to another."""
        first, last = math.floor(low), math.ceil(high)
        step = math.ceil((last - first + 1) / _TICKS)
        shown = [at for at in range(first, last + 1) if at % step == 0]
        return cls(name, first, max(last, first + 1), [(at, plain_lr(at)) for at in shown])

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


class Line(NamedTuple):
    """Points, and the class by which the style sheet knows them; dots are not joined."""

    kind: str
    points: Sequence[Point]
    dots: bool = False


def tippett(
    same: Sequence[float], different: Sequence[float], here: float | None = None
) -> Markup | None:
    """How often the LR of trials is at least the one on the axis; `here` marks one log10 LR."""
    if not (same and different):
        return None
    x = Axis.of_log10("LR", min(*same, *different), max(*same, *different))
    lines = []
    for kind, log10_lrs in (("same", same), ("different", different)):
        ranked, n = sorted(log10_lrs), len(log10_lrs)
        steps = [(v, (n - i) / n) for i, v in enumerate(ranked)]
        lines.append(Line(kind, [(x.low, 1.0), *steps, (ranked[-1], 0.0)]))
    if here is not None and x.low <= here <= x.high:
        lines.append(Line("needle", [(here, 0.0), (here, 1.0)]))
    y = Axis("share of trials with at least this LR", 0.0, 1.0, _SHARES)
    return _plot(lines, x, y, "Tippett plot of the validation trials.")


def reliability(points: Sequence[Point]) -> Markup | None:
    """How often trials given a probability were by one author."""
    if not points:
        return None
    x = Axis("probability given", 0.0, 1.0, _SHARES)
    y = Axis("share by one author", 0.0, 1.0, _SHARES)
    lines = [Line("guide", [(0.0, 0.0), (1.0, 1.0)]), Line("same", points)]
    lines.append(Line("same", points, dots=True))
    return _plot(lines, x, y, "Reliability of the probabilities on the validation trials.")


def pav_plot(same: Sequence[float], different: Sequence[float]) -> Markup:
    """LRs as given, and as the trials would have them: after pooling adjacent violators."""
    given, after = _after_pav(same, different)
    finite = np.isfinite(after)
    reach = max(1.0, float(np.abs(np.r_[given, after[finite]]).max(initial=0.0)))
    x, y = (Axis.of_log10(name, -reach, reach) for name in ("LR as given", "LR after PAV"))
    edges = [(v, y.high if up else y.low) for v, up in zip(given, after > 0, strict=True)]
    lines = [
        Line("guide", [(x.low, y.low), (x.high, y.high)]),
        Line("same", list(zip(given[finite], after[finite], strict=True))),
        Line("same", [edge for edge, inside in zip(edges, finite, strict=True) if not inside],
             dots=True),
    ]  # fmt: skip
    return _plot(lines, x, y, "Likelihood ratios before and after PAV.")


def cross_entropy(same: Sequence[float], different: Sequence[float]) -> Markup:
    """Bits that LRs leave unknown at any prior odds: of 1, as given, and after PAV."""
    truth, log_lrs = _trials(same, different)
    drawn = {
        "guide": np.zeros(len(truth)),
        "same": log_lrs,
        "different": pav(truth, log_lrs),
    }
    found = {kind: empirical_cross_entropy(truth, lrs) for kind, lrs in drawn.items()}
    highest = max(1.0, float(np.ceil(max(bits.max() for bits in found.values()) * 4) / 4))
    ticks = [(float(at), plain_odds(10.0**at)) for at in (-2, -1, 0, 1, 2)]
    x = Axis("prior odds", float(PRIORS[0]), float(PRIORS[-1]), ticks)
    step = 0.25 * math.ceil(highest)
    y = Axis("bits", 0.0, highest, [(v, f"{v:g}") for v in np.arange(0.0, highest + 0.01, step)])
    lines = [
        Line(kind, list(zip(PRIORS.tolist(), bits.tolist(), strict=True)))
        for kind, bits in found.items()
    ]
    return _plot(lines, x, y, "Empirical cross-entropy of the likelihood ratios.")


def _trials(same: ArrayLike, different: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Truth and natural-log LRs of trials by one author and by two."""
    one, two = np.asarray(same, np.float64), np.asarray(different, np.float64)
    return np.arange(len(one) + len(two)) < len(one), np.r_[one, two] * math.log(10)


def _after_pav(same: ArrayLike, different: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """log10 LRs as given, rising, each once; and what PAV makes of them."""
    truth, log_lrs = _trials(same, different)
    given, places = np.unique(log_lrs, return_index=True)
    return given / math.log(10), pav(truth, log_lrs)[places] / math.log(10)


def _plot(lines: Sequence[Line], x: Axis, y: Axis, described: str) -> Markup:
    """A square plot."""

    def at(point: Point) -> Point:
        across, up = x.share(point[0]), y.share(point[1])
        return round(_LEFT + across * _SIZE, 1), round(_TOP + (1.0 - up) * _SIZE, 1)

    parts = [box(_LEFT, _TOP, _SIZE, _SIZE, "frame")]
    for value, name in x.ticks:
        parts.append(label(at((value, y.low))[0], _TOP + _SIZE + 16, name, "tick"))
    for value, name in y.ticks:
        parts.append(label(_LEFT - 6, at((x.low, value))[1] + 4, name, "tick", "end"))
    for kind, points, dots in lines:
        places = [at((float(across), float(up))) for across, up in points]
        if dots:
            parts += [
                tag("circle", cx=f"{left:g}", cy=f"{top:g}", r="3", class_=kind)
                for left, top in places
            ]
        else:
            joined = " ".join(f"{left:g},{top:g}" for left, top in places)
            parts.append(tag("polyline", points=joined, class_=kind))
    parts.append(label(_LEFT + _SIZE / 2, _TOP + _SIZE + 34, x.name, "side"))
    middle = _TOP + _SIZE / 2
    parts.append(
        tag("text", y.name, x="12", y=f"{middle:g}", class_="side", text_anchor="middle",
            transform=f"rotate(-90 12 {middle:g})")
    )  # fmt: skip
    return tag("svg", *parts, viewBox="0 0 306 300", role="img", aria_label=described)
