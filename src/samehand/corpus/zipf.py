"""How often pairs come back over the epochs (the paper's Fig. `zipf`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from samehand.corpus.pairs import Deltas, Ints, sample_epoch

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SAME, DIFFERENT = "same author", "different authors"


def count_pairs(
    authors: Ints,
    topics: Ints,
    deltas: Deltas,
    seed: int,
    epochs: int,
    groups: Ints | None = None,
) -> dict[str, NDArray[np.int64]]:
    """How often each distinct pair was drawn in epochs 0, 1, …, most frequent first.

    One array for same-author pairs, one for different-author pairs.
    """
    seen: dict[str, list[NDArray[np.int64]]] = {SAME: [], DIFFERENT: []}
    for epoch in range(epochs):
        pairs = sample_epoch(authors, topics, deltas, seed, epoch, groups)
        low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
        key = low * authors.size + high
        seen[SAME].append(key[pairs.same_author])
        seen[DIFFERENT].append(key[~pairs.same_author])
    return {kind: _frequencies(keys) for kind, keys in seen.items()}


def plot_pair_counts(ax: "Axes", counts_by_subset: Mapping[str, Ints]) -> None:
    """Draw frequency over rank on logarithmic axes, one line a subset."""
    styles = [("black", "-"), ("0.45", "--"), ("black", ":"), ("0.45", "-.")]
    for number, (name, counts) in enumerate(counts_by_subset.items()):
        colour, dash = styles[number % len(styles)]
        rank, frequency = _corners(counts)
        label = f"{name} ({counts.size:,} pairs)"
        ax.plot(rank, frequency, color=colour, linestyle=dash, linewidth=2, label=label)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter("{x:g}")
    ax.set_xlabel("rank of the pair")
    ax.set_ylabel("times drawn")
    ax.grid(True, which="major", color="0.9")
    # Above the frame, clear of the lines.
    ax.legend(
        loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, fontsize="small", frameon=False
    )


def _frequencies(keys: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    if not keys:
        return np.empty(0, dtype=np.int64)
    counts = np.unique(np.concatenate(keys), return_counts=True)[1]
    return np.sort(counts)[::-1].astype(np.int64)


def _corners(counts: Ints) -> tuple[Ints, Ints]:
    """Rank and count at both ends of each level stretch: a few points for millions of pairs."""
    step = np.diff(counts) != 0
    ends = np.append(step, True)[: counts.size]
    starts = np.insert(step, 0, True)[: counts.size]
    place = np.flatnonzero(starts | ends)
    return place + 1, counts[place]
