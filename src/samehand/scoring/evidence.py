"""Evidence: a Bayes factor in which the genre of the texts is a random effect.

    s | different authors, genre g ~ N(x·a₀ + u₀g, exp(x·b + wg)²)
    s | same author,       genre g ~ N(x·a₁ + u₁g, exp(x·b + wg)²)
    (u₀, u₁, w)g ~ N(0, Σ)

s is the similarity of the two sides and x their covariates (`distance.py`); u moves and w widens
the distributions of a genre. With π_g the probability that the texts are of genre g (`genres.py`),

    LR = Σ_g π_g p(s | same, g) / Σ_g π_g p(s | different, g),

where g runs over the known genres, a new one, and two genres at once, one for each side. Texts that
look like a known genre may be of it or of one much like it, which networks judge less well: a genre
has effects for either case, as networks find it that have met it and as others do. What is not
known exactly, the effects of a new genre and the rest of doubt about those of a known one, is
integrated out over fixed points. Within a genre the LR rises with similarity; a mixture of genres
may turn back. Where it does, and beyond the data, the LR is held constant, so that for given
covariates and genre it never falls as texts are more alike.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from samehand.errors import InputError
from samehand.scoring.distance import COVARIATES, Compared
from samehand.scoring.effects import EFFECTS, Effects, Points, numbers
from samehand.scoring.genres import Genres
from samehand.scoring.numerics import log_sum_exp

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]
Tensors = Mapping[str, NDArray[Any]]

_GRID = 33
"""Similarities at which it is looked whether the ratio falls."""
_FEW = 16
"""Points for a new genre where its ratio is only estimated."""
_AT_ONCE = 64
_MOST = 100.0
"""No coefficient or effect is larger."""
_LOG_ROOT = 0.5 * np.log(2 * np.pi)


class Coefficients(NamedTuple):
    """How similarity depends on covariates."""

    location: Floats
    """(2, covariates) a₀ and a₁: of different authors, of the same author"""
    log_scale: Floats
    """(covariates,) b"""
    lowest: float
    """Deviations below the location of different authors where data end."""
    highest: float
    """Deviations above the location of the same author where data end."""
    unrelated: float
    """Deviations by which texts that were brought together at random, each by somebody else, are
    more alike than the different authors of trials, who often write on one topic; so below 0."""

    def unrelated_shift(self, covariates: Floats) -> Floats:
        """By how much more alike unrelated texts are, in similarity (trials,)."""
        shift: Floats = self.unrelated * np.exp(covariates @ self.log_scale)
        return shift


class GenreEvidence:
    """The Bayes factor of trials, by coefficients, the effects of genres, and genres themselves."""

    def __init__(
        self,
        coefficients: Coefficients,
        effects: Effects,
        genres: Genres,
        of_case: Points | None = None,
    ) -> None:
        """`of_case`: effects of the case's own genre; with them all trials are of that genre."""
        self.coefficients, self.effects, self.genres = coefficients, effects, genres
        self.of_case = of_case
        self.points = of_case or Points.of(effects)

    def adapted(self, of_case: Points) -> "GenreEvidence":
        """This evidence where all trials are of a case's genre."""
        return GenreEvidence(self.coefficients, self.effects, self.genres, of_case)

    @classmethod
    def of(cls, tensors: Tensors) -> "GenreEvidence":
        """The evidence in tensors as `tensors()` names them; anything else raises `InputError`."""
        try:
            evidence = cls(
                Coefficients(**numbers(tensors, "coefficients", Coefficients._fields)),
                Effects.of(tensors),
                Genres.of(tensors),
            )
            fits = evidence.is_sound()
        except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError):
            fits = False
        if not fits:
            raise InputError(
                "evidence.safetensors holds no evidence by genres, or a damaged one; copy the "
                "model again, or fit it again (samehand fit)."
            )
        return evidence

    def tensors(self) -> dict[str, NDArray[Any]]:
        """All of it by names, for evidence.safetensors."""
        of_coefficients = {f"coefficients.{k}": v for k, v in self.coefficients._asdict().items()}
        of_effects = {f"effects.{k}": v for k, v in self.effects._asdict().items()}
        named = {k: np.asarray(v, np.float64) for k, v in (of_coefficients | of_effects).items()}
        return named | self.genres.tensors()

    def log_lr(self, compared: Compared) -> Floats:
        """Natural-log likelihood ratios (trials,)."""
        found = np.empty(len(compared.similarity))
        for start in range(0, len(found), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            found[part] = self._log_lr(compared.at(part))
        return found

    def estimate(self, compared: Compared) -> Floats:
        """Natural-log LRs (trials,) by a few points: near `log_lr`, in a fiftieth of its time."""
        points = self.of_case or self._few_points
        similarity = compared.similarity.clip(*self.supported(compared))
        found = np.empty(len(similarity))
        for start in range(0, len(found), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            some = compared.at(part)
            weights = self._log_weights(some, points)
            different, same = self.log_densities(some, similarity[part, None], points.effects)
            of_same, of_different = (log_sum_exp(d[:, 0] + weights, 1) for d in (same, different))
            found[part] = of_same - of_different
        return found

    def new_genre(self, compared: Compared) -> Floats:
        """(trials,) The probability that a trial is of a genre that is not known."""
        if self.of_case is not None:
            return np.zeros(len(compared.similarity))
        share: Floats = np.exp(self.genres.log_shares(compared)[:, -1])
        return share

    def two_genres(self, compared: Compared) -> Floats:
        """(trials,) The probability that the two sides are of different genres."""
        share: Floats = np.exp(self.genres.log_two(compared.parting)[0])
        return share

    def log_weights(self, compared: Compared) -> Floats:
        """Log prior weights (trials, points) of the effects, by the genre of each trial."""
        return self._log_weights(compared, self.points)

    def log_densities(
        self, compared: Compared, similarity: Floats, effects: Floats
    ) -> tuple[Floats, Floats]:
        """Log densities (trials, values, points) of similarities (trials, values).

        The first is that of different authors, the second that of the same author.
        """
        x, c = compared.covariates, self.coefficients
        log_scale = (x @ c.log_scale)[:, None, None] + effects[:, 2]
        narrow = np.exp(-log_scale)

        def log_density(same: int) -> Floats:
            location = (x @ c.location[same])[:, None, None] + effects[:, same]
            deviation = (similarity[:, :, None] - location) * narrow
            density: Floats = -0.5 * np.square(deviation) - log_scale - _LOG_ROOT
            return density

        return log_density(0), log_density(1)

    def supported(self, compared: Compared) -> tuple[Floats, Floats]:
        """Similarities (trials,) at which data end."""
        x, c = compared.covariates, self.coefficients
        scale = np.exp(x @ c.log_scale)
        low = x @ c.location[0] - c.lowest * scale
        return low, np.maximum(low + 1e-3, x @ c.location[1] + c.highest * scale)

    def is_sound(self) -> bool:
        """Whether all parts fit together, in shape and in size."""
        c, e, n = self.coefficients, self.effects, len(self.genres.names)
        k = len(COVARIATES)
        shapes = (
            c.location.shape == (2, k)
            and c.log_scale.shape == (k,)
            and len(e.mean) in (1, 2)
            and e.mean.shape[1:] == (n + 1, EFFECTS)
            and e.covariance.shape == (*e.mean.shape, EFFECTS)
            and e.of_new.shape == (EFFECTS, EFFECTS)
            and e.mean_of_new.shape == (EFFECTS,)
            and self.genres.is_sound()
        )
        return (
            shapes
            and 0 <= c.lowest < _MOST
            and 0 <= c.highest < _MOST
            and abs(c.unrelated) < _MOST
            and max(np.abs(each).max() for each in (c.location, c.log_scale, *e)) < _MOST
        )

    @cached_property
    def _few_points(self) -> Points:
        """A point for each view of a known genre, and some for a new one."""
        views, n = self.effects.mean.shape[:2]
        genre = np.tile(np.arange(n), views)
        return Points(
            np.concatenate([self.effects.mean.reshape(-1, EFFECTS), self.effects.new(_FEW)]),
            np.append(genre, np.full(_FEW, n)),
            -np.log(np.repeat([views, _FEW], [len(genre), _FEW])),
        )

    def _log_weights(self, compared: Compared, points: Points) -> Floats:
        if self.of_case is not None:
            shape = len(compared.similarity), len(points.log_weight)
            return np.broadcast_to(points.log_weight, shape)
        weights: Floats = self.genres.log_shares(compared)[:, points.genre] + points.log_weight
        return weights

    def _log_lr(self, compared: Compared) -> Floats:
        """The ratio of the densities, held where it would fall as texts are more alike."""
        low, high = self.supported(compared)
        steps = np.linspace(0.0, 1.0, _GRID)
        ratio = self._ratio(compared, low[:, None] + (high - low)[:, None] * steps)
        rising = _rising(ratio)  # (trials, grid)
        similarity = compared.similarity.clip(low, high)
        share = (similarity - low) / (high - low)
        before = np.floor(share * (_GRID - 1)).astype(np.int64)
        rows, after = np.arange(len(share)), np.minimum(before + 1, _GRID - 1)
        exact = self._ratio(compared, similarity[:, None])[:, 0]
        held: Floats = exact.clip(rising[rows, before], rising[rows, after])
        return held

    def _ratio(self, compared: Compared, similarity: Floats) -> Floats:
        """Log ratios (trials, values) of similarities (trials, values) by the densities."""
        weights = self.log_weights(compared)[:, None]
        different, same = self.log_densities(compared, similarity, self.points.effects)
        ratio: Floats = log_sum_exp(same + weights, 2) - log_sum_exp(different + weights, 2)
        return ratio


def _rising(ratio: Floats) -> Floats:
    """Ratios (trials, grid) that never fall: held before the lowest one left of the highest."""
    places = np.arange(ratio.shape[1])
    left = np.where(places <= ratio.argmax(1)[:, None], ratio, np.inf)
    trough = left.argmin(1)[:, None]
    lowest = np.take_along_axis(ratio, trough, 1)
    rising: Floats = np.maximum.accumulate(np.where(places < trough, lowest, ratio), 1)
    return rising
