"""What a model makes of texts of the kind at hand, by others: a population.

How far apart the texts of different people lie differs from genre to genre, and in one that a model
has not met it cannot know. Some texts of that genre tell: near to them means little, nearer to each
other than to them means much. The closeness of a trial is the logarithm of how far its texts are
from the population, over how far they are from each other, and

    log LR' = a + slope · log LR + b · closeness

where a and b depend on the amount of text, as doubt does. `samehand.fitting.acquaintance` fits
all of them; what makes a model acquainted with a kind of text is a population alone.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.errors import InputError
from samehand.network.doubt import FEATURES, features
from samehand.network.impostors import apart, nearest, unbend
from samehand.network.known import mean_of_known
from samehand.network.network import Scoring

Floats = NDArray[np.float64]

FEWEST = 20
"""Texts of a population, at least."""
STRANGE = 2.0
"""Standard deviations by which the texts of a trial may be farther from a population than its own
texts are from each other. With the right population 2 % of trials are, with that of another genre
40 %; a wrong one makes texts of all authors seem by one hand."""
_COPY = 1e-3
"""Squared distance below which two vectors are of one text."""
_LEAST = 1e-6


class Weights(NamedTuple):
    """How a closeness changes a log-likelihood ratio."""

    slope: float
    weight: Tensor
    """(2, features) of a and b, by `features` of the amount of text"""

    @classmethod
    def of(cls, description: dict[str, Any]) -> "Weights | None":
        """Those that a model's description states under `about`, `acquaintance`, if any."""
        stated = (description.get("about") or {}).get("acquaintance")
        if stated is None:
            return None
        try:
            found = cls(float(stated["slope"]), torch.tensor(stated["weight"], dtype=torch.float64))
            usable = math.isfinite(found.slope) and bool(found.weight.isfinite().all())
        except (KeyError, TypeError, ValueError, RuntimeError):
            usable = False
        if not usable or found.weight.shape != (2, FEATURES):
            raise InputError(
                "The model's description states an acquaintance that is no slope and two rows of "
                f"{FEATURES} weights; copy the model again."
            )
        return found

    @classmethod
    def learned(cls, description: dict[str, Any]) -> "Weights":
        """The same, of a model that must have them."""
        found = cls.of(description)
        if found is None:
            raise InputError(
                "This model has not learned to use texts of the kind at hand; calibrate it instead."
            )
        return found

    def as_dict(self) -> dict[str, Any]:
        """For a description."""
        return {"slope": round(self.slope, 6), "weight": np.round(self.weight.numpy(), 6).tolist()}

    def log_lr(self, log_lr: Tensor, closeness: Tensor, amount: Tensor) -> Tensor:
        """log LR' of each."""
        offset, weight = (features(amount.double()) @ self.weight.T).unbind(-1)
        return offset + self.slope * log_lr + weight * closeness


def refuse_known(description: dict[str, Any], acquainted: bool = False) -> None:
    """Raise for a model that cannot be acquainted with texts, or no longer."""
    about = description.get("about") or {}
    done = {
        "acquainted with texts": acquainted or "population" in about,
        "calibrated": "calibration" in about,
    }
    for what, is_done in done.items():
        if is_done:
            raise InputError(f"This model was {what} already; acquaint the one it was made from.")
    Weights.learned(description)


def nearness(x: Tensor, population: Tensor, other: Tensor | None = None) -> Tensor:
    """Mean squared distance (texts,) of vectors (texts, size) to the nearest of (others, size).

    A text's own copy is none of the others, nor are those for which `other` (texts, others) is
    false, being by the same author.
    """
    d = torch.cdist(x, population).square()
    left_out = d < _COPY if other is None else (d < _COPY) | ~other
    return nearest(d.masked_fill(left_out, torch.inf))


def closeness(distance: Tensor, nearness: Tensor) -> Tensor:
    """Of squared distances of texts, by the mean nearness of both sides to a population."""
    return nearness.clamp(min=_LEAST).log() - distance.clamp(min=_LEAST).log()


class Seen(NamedTuple):
    """What a population says of trials: all that it takes to change an answer."""

    closeness: Tensor
    """(networks, …)"""
    amount: Tensor
    """(…) of text"""
    strangeness: Tensor
    """(…) how much farther from the population than its own texts are, in standard deviations"""

    def by(self, network: int) -> "Seen":
        """The same as one network alone sees it."""
        return self._replace(closeness=self.closeness[network : network + 1])


class Acquaintance:
    """A population, as each network of a model sees it, and what follows from it."""

    def __init__(self, weights: Weights, scorings: Sequence[Scoring], levs: Sequence[Tensor]):
        self.weights = weights
        self._scorings = tuple(scorings)
        self._populations = tuple(map(vectors, scorings, levs))
        own = torch.stack([nearness(others, others).log() for others in self._populations])
        self._usual = own.mean(1), own.std(1).clamp(min=_LEAST)

    def of_trials(
        self, questioned: Sequence[Tensor], known: Sequence[Tensor], there: Tensor | None
    ) -> Seen:
        """Of trials by the LEVs of each network: (trials, lev), (trials, texts, lev)."""
        near, distance = [], []
        for scoring, others, q_levs, k_levs in zip(
            self._scorings, self._populations, questioned, known, strict=True
        ):
            q, k = vectors(scoring, q_levs), vectors(scoring, k_levs)
            of_known = nearness(k.flatten(0, 1), others).view(k.shape[:2])
            near.append((nearness(q, others) + mean_of_known(of_known, there)) / 2)
            distance.append(apart(q, k, there))
        told = self._scorings[0].told(questioned[0], known[0], there)
        return self._seen(torch.stack(near), torch.stack(distance), told.amount)

    def of_all_pairs(self, questioned: Sequence[Tensor], known: Sequence[Tensor]) -> Seen:
        """Of each of n texts with each of m others, by the LEVs of each network."""
        near, distance = [], []
        for scoring, others, q_levs, k_levs in zip(
            self._scorings, self._populations, questioned, known, strict=True
        ):
            q, k = vectors(scoring, q_levs), vectors(scoring, k_levs)
            near.append((nearness(q, others)[:, None] + nearness(k, others)) / 2)
            distance.append(torch.cdist(q, k).square())
        size = self._scorings[0].lev_size
        amount = torch.minimum(questioned[0][:, size, None], known[0][:, size])
        return self._seen(torch.stack(near), torch.stack(distance), amount)

    def _seen(self, near: Tensor, distance: Tensor, amount: Tensor) -> Seen:
        """By nearness and distance in each network: (networks, …)."""
        mean, spread = (of.view(-1, *[1] * (near.ndim - 1)) for of in self._usual)
        strangeness = ((near.clamp(min=_LEAST).log() - mean) / spread).mean(0)
        return Seen(closeness(distance, near), amount, strangeness)

    def probability(self, probability: Floats, seen: Seen) -> Floats:
        """p(same author) of each trial, by what it was without the population."""
        given = torch.from_numpy(probability).clamp(_LEAST, 1 - _LEAST)
        log_lr = self.weights.log_lr(given.logit(), seen.closeness.double().mean(0), seen.amount)
        changed: Floats = torch.sigmoid(log_lr).numpy()
        return changed


def vectors(scoring: Scoring, levs: Tensor) -> Tensor:
    """What is compared."""
    return unbend(scoring.style(levs))


def in_words(population: dict[str, Any]) -> str:
    """What a description tells of the population, in sentences."""
    try:
        return (
            f"Acquainted on {population['date']} with {population['texts']:,} texts of a median of "
            f"{population['median_words']:,} words; likelihood ratios are for texts of their kind."
        )
    except (KeyError, TypeError, ValueError):
        return "Acquainted with texts, but its description does not tell which."
