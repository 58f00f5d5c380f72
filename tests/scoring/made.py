"""Evidence by genres that nobody fitted, and vectors at random: what is tested holds for any."""

import numpy as np

from samehand.engine.vectors import TextVectors
from samehand.scoring.distance import COVARIATES
from samehand.scoring.effects import Effects
from samehand.scoring.evidence import Coefficients, GenreEvidence
from samehand.scoring.genres import Genres

SIZES = (6, 6)


def evidence(
    seed: int = 0, genres: int = 3, size: int = sum(SIZES), views: int = 2
) -> GenreEvidence:
    rng = np.random.default_rng(seed)
    location = 0.1 * rng.normal(size=(2, len(COVARIATES)))
    location[:, 0] = -1.5, -0.6
    log_scale = 0.1 * rng.normal(size=len(COVARIATES))
    log_scale[0] = -0.9
    mixing = 0.2 * rng.normal(size=(views, genres + 1, 3, 3))
    root = np.diag([0.3, 0.2, 0.1])
    return GenreEvidence(
        Coefficients(location, log_scale, 2.5, 2.5, -0.1),
        Effects(
            rng.normal(size=(views, genres + 1, 3)) @ root,
            mixing @ mixing.transpose(0, 1, 3, 2) * 0.1 + 1e-3 * np.eye(3),
            root @ root,
            0.1 * rng.normal(size=3),
        ),
        Genres(
            names=tuple(f"genre {number}" for number in range(genres)),
            centre=0.1 * rng.normal(size=size),
            axes=rng.normal(size=(size, 2)),
            means=rng.normal(size=(genres, 2)),
            between=np.array([1.2, 0.8]),
            sharpness=0.5,
            share_new=0.3,
            share_two=0.2,
        ),
    )


def vectors(n: int, seed: int = 0, spread: float = 0.3) -> TextVectors:
    rng = np.random.default_rng(seed)
    style = np.tanh(spread * rng.normal(size=(n, sum(SIZES)))).astype(np.float32)
    return TextVectors(style, rng.integers(20, 5_000, n), SIZES)
