"""Drawings of the report, as SVG: the likelihood ratio on its scale, and the validation plots."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from samehand.cautions.caution import plain_lr
from samehand.model.description import Validation
from samehand.report.markup import Markup, tag
from samehand.verdict import NEITHER, SCALE, Log10Bounds, Verdict

_WIDTH, _EDGE = 720, 24
_FARTHEST = 7
"""log10 LR beyond which no scale reaches."""


class Scale(NamedTuple):
    """ENFSI's bands on a logarithmic scale that reaches as far as a model's bounds."""

    reach: int
    """log10 LR at the right end of the scale; the left end is as far from 0."""
    bands: tuple[tuple[float, int, str], ...]
    """Lower end, upper end and name of each band for the same author; mirrored for two."""
    ticks: tuple[str, ...]
    """The likelihood ratios at each whole log10 LR, from left to right."""

    @classmethod
    def of(cls, bounds: Log10Bounds) -> "Scale":
        """The scale for likelihood ratios between these bounds."""
        ends = [_FARTHEST if math.isinf(end) else int(end) for end, _ in SCALE]
        starts = [NEITHER, *ends[:-1]]
        needed = max(-bounds[0], bounds[1])
        reach = next((end for end in ends[3:] if end >= needed), _FARTHEST)
        names = (name for _, name in SCALE)
        bands = tuple(zip(starts, ends, names, strict=True))
        return cls(
            reach,
            tuple(band for band in bands if band[1] <= reach),
            tuple(map(plain_lr, range(-reach, reach + 1))),
        )


def lr_scale(verdict: Verdict) -> Markup:
    """The likelihood ratio among ENFSI's bands, and how far validation can support one."""
    low, high = verdict.log10_lr_bounds
    reach, bands, ticks = Scale.of(verdict.log10_lr_bounds)

    def x(log10_lr: float) -> float:
        share = (min(max(log10_lr, -reach), reach) + reach) / (2 * reach)
        return round(_EDGE + share * (_WIDTH - 2 * _EDGE), 1)

    parts = []
    for number, (start, end, name) in enumerate(bands):
        for side, kind in ((1, "same"), (-1, "different")):
            left, right = sorted((x(side * start), x(side * end)))
            parts.append(_box(left, 46, right - left, 18, f"band {kind} b{number}"))
            for row, line in enumerate(name.split(" ", 1)):
                parts.append(_text((left + right) / 2, 104 + 13 * row, line, "small"))
    for left, right in ((x(-reach), x(low)), (x(high), x(reach))):
        if right > left:
            parts.append(_box(left, 46, right - left, 18, "beyond"))
    marked = {0, *(side * end for _, end, _ in bands for side in (1, -1))}
    parts += [_text(x(at), 82, ticks[at + reach], "tick") for at in sorted(marked)]
    parts.append(_text(_EDGE, 136, "← different authors", "side", "start"))
    parts.append(_text(_WIDTH - _EDGE, 136, "same author →", "side", "end"))
    here = x(verdict.log10_lr)
    pointer = f"M{here},44 l-6,-10 h12 z"
    parts.append(tag("path", d=pointer, class_="pointer"))
    parts.append(tag("path", d=f"M{here},40 V68", class_="needle"))
    label = min(max(here, 60), _WIDTH - 60)
    parts.append(_text(label, 26, f"LR {plain_lr(verdict.log10_lr)}", "value"))
    described = f"Likelihood ratio {plain_lr(verdict.log10_lr)} on a logarithmic scale."
    return tag(
        "svg", *parts, viewBox=f"0 0 {_WIDTH} 144", role="img", aria_label=described, class_="scale"
    )


def tippett(validation: Validation, log10_lr: float | None = None) -> Markup | None:
    """How often the LR of validation trials is at least the one on the axis; marked is one LR."""
    found = validation.log10_lrs
    if not (found.same and found.different):
        return None
    values = sorted((*found.same, *found.different))
    low, high = math.floor(values[0]), math.ceil(values[-1])
    lines = []
    for name, log10_lrs in (("same", found.same), ("different", found.different)):
        ranked = sorted(log10_lrs)
        n = len(ranked)
        points = [(low, 1.0), *((v, (n - i) / n) for i, v in enumerate(ranked)), (ranked[-1], 0.0)]
        lines.append((name, points))
    if log10_lr is not None and low <= log10_lr <= high:
        lines.append(("needle", [(log10_lr, 0.0), (log10_lr, 1.0)]))
    ticks = [(float(v), plain_lr(v)) for v in range(low, high + 1)]
    return _plot(
        lines, (low, high), ticks, "LR", "share of trials with at least this LR",
        "Tippett plot of the validation trials.",
    )  # fmt: skip


def reliability(validation: Validation) -> Markup | None:
    """How often trials given a probability were by one author."""
    if not validation.reliability:
        return None
    lines = [("guide", [(0.0, 0.0), (1.0, 1.0)]), ("same dots", list(validation.reliability))]
    ticks = [(v / 4, f"{v / 4:g}") for v in range(5)]
    return _plot(
        lines, (0.0, 1.0), ticks, "probability given", "share by one author",
        "Reliability of the probabilities on the validation trials.",
    )  # fmt: skip


def _plot(
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    span: tuple[float, float],
    ticks: Sequence[tuple[float, str]],
    x_name: str,
    y_name: str,
    described: str,
) -> Markup:
    """A square plot whose y axis runs from 0 to 1."""
    left, top, size = 46, 10, 250

    def at(point: tuple[float, float]) -> tuple[float, float]:
        share = (point[0] - span[0]) / ((span[1] - span[0]) or 1.0)
        return round(left + share * size, 1), round(top + (1.0 - point[1]) * size, 1)

    parts = [_box(left, top, size, size, "frame")]
    for value, name in ticks:
        parts.append(_text(at((value, 0.0))[0], top + size + 16, name, "tick"))
    parts += [
        _text(left - 6, at((span[0], quarter / 4))[1] + 4, f"{quarter / 4:g}", "tick", "end")
        for quarter in range(5)
    ]
    for name, points in lines:
        places = [at(point) for point in points]
        parts.append(tag("polyline", points=" ".join(f"{x},{y}" for x, y in places), class_=name))
        if "dots" in name:
            parts += [tag("circle", cx=str(x), cy=str(y), r="3", class_="same") for x, y in places]
    parts.append(_text(left + size / 2, top + size + 34, x_name, "side"))
    middle = top + size / 2
    parts.append(
        tag("text", y_name, x="12", y=str(middle), class_="side", text_anchor="middle",
            transform=f"rotate(-90 12 {middle})")
    )  # fmt: skip
    return tag("svg", *parts, viewBox="0 0 306 300", role="img", aria_label=described)


def _box(x: float, y: float, width: float, height: float, kind: str) -> Markup:
    return tag(
        "rect", x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=f"{height:g}", class_=kind
    )


def _text(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> Markup:
    return tag("text", text, x=f"{x:g}", y=f"{y:g}", class_=kind, text_anchor=anchor)
