"""How well evidence does on genres it was not fitted to; on authors, where genres are few."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from samehand.evaluation.elub import elub
from samehand.evaluation.told_figures import stated_figures
from samehand.fitting.drawn_trials import KNOWN
from samehand.fitting.evidence import fit_evidence
from samehand.fitting.material import Material
from samehand.io.progress import Progress, unwatched
from samehand.model.description import Condition, LogRatios, Validation

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

FOLDS = 5
_TOKENS_A_WORD = 1.2
_WORDS = (0, 100, 200, 400, 800, 1_600, 1_000_000)
"""Edges of the bands of length by which figures are told."""
_ENOUGH = 100
"""Trials of a condition, from which on its figures are told."""
_RANKS = np.linspace(0, 1, 101)
"""Likelihood ratios of either kind kept for plots: evenly spaced ranks of them."""


def held_out(
    material: Material, rng: np.random.Generator, progress: Progress = unwatched
) -> Floats:
    """Natural-log LRs of the trials by evidence fitted without their genres, or authors."""
    sides = material.drawn.genres if left_out(material) == "genres" else _authors(material)
    numbers, places = np.unique(sides, return_inverse=True)
    folds = (rng.permutation(len(numbers)) % FOLDS)[places].reshape(sides.shape)
    log_lr = np.zeros(len(folds))
    for fold in range(FOLDS):
        progress("validating in folds", fold, FOLDS)
        evidence = fit_evidence(material.at((folds != fold).all(1)))
        inside = folds[:, 0] == fold
        log_lr[inside] = evidence.log_lr(material.compared.at(inside))
    return log_lr


def left_out(material: Material) -> Literal["genres", "authors"]:
    """Whether genres, if there are enough, or authors are left out in turn."""
    return "genres" if len(np.unique(material.drawn.genres)) >= FOLDS else "authors"


def _authors(material: Material) -> Ints:
    """(trials, 2) the authors of both sides."""
    trials = material.drawn.trials
    return material.author[np.stack([trials.questioned, trials.known[:, 0]], 1)]


def validate(
    material: Material, log_lr: Floats, how: str
) -> tuple[Validation, tuple[float, float]]:
    """The validation by these LRs, and the log10 LRs between which the trials support them.

    `how`: by what they were judged.
    """
    drawn = material.drawn
    same, probability = drawn.same, 1 / (1 + np.exp(-log_lr))
    log10_lr = log_lr / np.log(10)
    sets = {
        material.names[number]: (drawn.genres == number).all(1)
        for number in np.unique(drawn.genres)
    }
    tenths = np.array_split(np.argsort(probability, kind="stable"), 10)
    return Validation(
        on=(
            f"{len(same):,} trials of {len(sets)} {'genres' if len(sets) > 1 else 'genre'}, judged "
            f"{how}; 1, 2, 4 or 8 known texts; same-author trials cross topics, half of the others "
            "share one"
        ),
        figures=stated_figures(same, probability),
        sets={
            name: stated_figures(same[inside], probability[inside])
            for name, inside in sets.items()
            if 0 < same[inside].sum() < inside.sum()
        },
        conditions=tuple(_conditions(material, log10_lr)),
        log10_lrs=LogRatios(
            same=tuple(np.quantile(log10_lr[same], _RANKS).round(3).tolist()),
            different=tuple(np.quantile(log10_lr[~same], _RANKS).round(3).tolist()),
        ),
        reliability=tuple(
            (round(float(probability[tenth].mean()), 4), round(float(same[tenth].mean()), 4))
            for tenth in tenths
        ),
    ), elub(same, log10_lr)


def _conditions(material: Material, log10_lr: Floats) -> Iterator[Condition]:
    """Figures by the length of the shorter side, and by the number of known texts."""
    trials, same = material.drawn.trials, material.drawn.same
    mask = trials.known >= 0
    words = material.vectors.tokens / _TOKENS_A_WORD
    of_known = (words[trials.known] * mask).sum(1)
    shorter = np.minimum(words[trials.questioned], of_known)
    number = mask.sum(1)
    for known in KNOWN:
        for low, high in pairwise(_WORDS):
            inside = (number == known) & (low <= shorter) & (shorter < high)
            some = log10_lr[inside]
            if len(some) >= _ENOUGH and 0 < same[inside].sum() < len(some):
                yield Condition(
                    words=(low, high),
                    known=known,
                    figures=stated_figures(same[inside], 1 / (1 + 10**-some)),
                    log10_lrs=tuple(np.quantile(some, (0.05, 0.95)).round(3).tolist()),
                )
