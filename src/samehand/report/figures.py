"""The likelihood ratio on its scale, as SVG."""

import math
from typing import NamedTuple

from samehand.cautions.caution import plain_lr
from samehand.report.markup import Markup, tag
from samehand.verdict import NEITHER, SCALE, Log10Bounds, Verdict

WIDE, NARROW = 720, 340
"""Widths of the scale, for paper and screens, and for phones."""
_EDGE = 24
_NAME = 64
"""As much as the name of a band needs."""
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


def lr_scale(verdict: Verdict, width: int = WIDE) -> Markup:
    """The likelihood ratio among ENFSI's bands, and how far validation can support one.

    Where it is narrow the names of bands stand in rows one below the other.
    """
    low, high = verdict.log10_lr_bounds
    reach, bands, ticks = Scale.of(verdict.log10_lr_bounds)
    rows = -(-_NAME * reach // (width // 2 - _EDGE))

    def x(log10_lr: float) -> float:
        share = (min(max(log10_lr, -reach), reach) + reach) / (2 * reach)
        return round(_EDGE + share * (width - 2 * _EDGE), 1)

    parts = []
    for number, (start, end, name) in enumerate(bands):
        top = 104 + 30 * (number % rows)
        for side, kind in ((1, "same"), (-1, "different")):
            left, right = sorted((x(side * start), x(side * end)))
            parts.append(box(left, 46, right - left, 18, f"band {kind} b{number}"))
            for row, line in enumerate(name.split(" ", 1)):
                parts.append(label((left + right) / 2, top + 13 * row, line, "small"))
    for left, right in ((x(-reach), x(low)), (x(high), x(reach))):
        if right > left:
            parts.append(box(left, 46, right - left, 18, "beyond"))
    marked = {0, *(side * end for _, end, _ in bands for side in (1, -1))}
    shown = (at for at in sorted(marked) if at % rows == 0)
    parts += [label(x(at), 82, ticks[at + reach], "tick") for at in shown]
    bottom = 136 + 30 * (rows - 1)
    parts.append(label(_EDGE, bottom, "← different authors", "side", "start"))
    parts.append(label(width - _EDGE, bottom, "same author →", "side", "end"))
    here = x(verdict.log10_lr)
    pointer = f"M{here},44 l-6,-10 h12 z"
    parts.append(tag("path", d=pointer, class_="pointer"))
    parts.append(tag("path", d=f"M{here},40 V68", class_="needle"))
    if verdict.log10_lr_interval:
        left, right = map(x, verdict.log10_lr_interval)
        parts.append(tag("path", d=f"M{left},50 v10 m0,-5 H{right} m0,-5 v10", class_="interval"))
    middle = min(max(here, 60), width - 60)
    parts.append(label(middle, 26, f"LR {plain_lr(verdict.log10_lr)}", "value"))
    described = f"Likelihood ratio {plain_lr(verdict.log10_lr)} on a logarithmic scale."
    view = f"0 0 {width} {bottom + 8}"
    return tag("svg", *parts, viewBox=view, role="img", aria_label=described, class_="scale")


def box(x: float, y: float, width: float, height: float, kind: str) -> Markup:
    """A rectangle of a class that the style sheet knows."""
    return tag(
        "rect", x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=f"{height:g}", class_=kind
    )


def label(x: float, y: float, text: str, kind: str, anchor: str = "middle") -> Markup:
    """Words beside a place, likewise."""
    return tag("text", text, x=f"{x:g}", y=f"{y:g}", class_=kind, text_anchor=anchor)
