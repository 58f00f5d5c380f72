"""Groups of accounts as a picture: accounts are dots, and lines the evidence between them."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from samehand.errors import needs
from samehand.index.links import Group
from samehand.io.atomic import whole_file

if TYPE_CHECKING:
    from samehand.index.linking import Linked

MOST = 24
"""Groups that are drawn, the likeliest."""
_COLUMNS = 4
_LETTERS = 18
"""Of a name that are shown; of a longer one the start and the end."""
_FOR, _AGAINST = "#1b6ca8", "#b03a2e"


def draw_groups(linked: "Linked", path: Path) -> None:
    """Draw the likeliest groups into a file, whose ending names the format, such as .png or .svg.

    A line is the wider the stronger the evidence of a pair for one author; evidence against is red.
    """
    needs("plots", "matplotlib")
    from matplotlib.figure import Figure

    shown = linked.groups[:MOST]
    rows = max(1, -(-len(shown) // _COLUMNS))
    figure = Figure(figsize=(3.4 * _COLUMNS, 2.2 * rows + 0.6), layout="constrained")
    figure.suptitle(
        f"{len(shown)} of {len(linked.groups)} groups for review: no verdict", fontsize=12
    )
    for axes in figure.subplots(rows, _COLUMNS, squeeze=False).ravel():
        axes.set_axis_off()
    for axes, group in zip(figure.axes, shown, strict=False):
        _draw(axes, group, linked)
    with whole_file(path) as file:
        figure.savefig(file, format=path.suffix.removeprefix(".") or "png", dpi=120)


def _draw(axes: Any, group: Group, linked: "Linked") -> None:
    n = len(group.accounts)
    place = {
        account: (math.sin(2 * math.pi * (k + 0.5) / n), -math.cos(2 * math.pi * (k + 0.5) / n))
        for k, account in enumerate(group.accounts)
    }
    for link in group.links:
        (x1, y1), (x2, y2) = place[link.one], place[link.other]
        width = 0.5 + 1.5 * abs(link.log_lr)
        axes.plot([x1, x2], [y1, y2], color=_FOR if link.log_lr > 0 else _AGAINST, lw=width)
    for account, (x, y) in place.items():
        axes.plot([x], [y], "o", color="black", ms=5)
        below = {"xytext": (0, -6), "va": "top"} if y < -0.1 else {"xytext": (0, 6)}
        name = _shortened(linked.names[account]).replace("$", r"\$")
        axes.annotate(name, (x, y), textcoords="offset points", ha="center", fontsize=7, **below)
    axes.set_title(f"expected precision {group.expected_precision:.2%}", fontsize=9)
    axes.set_xlim(-1.7, 1.7)
    axes.set_ylim(-1.5, 1.5)


def _shortened(name: str) -> str:
    half = _LETTERS // 2
    return name if len(name) <= _LETTERS else f"{name[:half]}…{name[-half + 1 :]}"
