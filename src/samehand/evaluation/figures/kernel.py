"""The kernel that turns distance into probability (eq. `DMLl`, the paper's Fig. `fig:mapping`)."""

import numpy as np
from matplotlib.axes import Axes

from samehand.evaluation.figures.palette import DIFFERENT, DIFFERENT_LINE, GUIDE, GUIDE_LINE, SAME


def kernel_mapping(
    ax: Axes,
    before: tuple[float, float],
    after: tuple[float, float],
    *,
    thresholds: tuple[float, float] = (0.91, 0.09),
    reach: float = 4.0,
) -> None:
    """Draw exp(−γ d^α), d = r², over the distance r of two documents, for two (γ, α).

    The cosine that the initial values follow is drawn along, as are the thresholds τ_s and τ_d.
    """
    r = np.linspace(0.0, reach, 400)
    for (gamma, alpha), name, colour, line in (
        (before, "before", DIFFERENT, DIFFERENT_LINE),
        (after, "after", SAME, "-"),
    ):
        label = f"{name}: γ = {gamma:.3g}, α = {alpha:.3g}"
        ax.plot(r, np.exp(-gamma * r ** (2 * alpha)), color=colour, linestyle=line, label=label)
    within = r <= 4.0
    ax.plot(
        r[within],
        (1 + np.cos(np.pi * r[within] / 4)) / 2,
        color=GUIDE,
        linestyle=GUIDE_LINE,
        label="½ (1 + cos(π r / 4))",
    )
    for value, name in zip(thresholds, ("τ_s", "τ_d"), strict=True):
        ax.axhline(value, color="0.8", linewidth=0.8, zorder=0)
        ax.text(reach, value, f" ${name}$", va="center", ha="left")
    ax.set_xlim(0.0, reach)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("distance r = ‖y₁ − y₂‖")
    ax.set_ylabel("p(same author)")
    ax.legend(loc="upper right", fontsize="small", bbox_to_anchor=(1.0, 0.9))
