"""Small models that nobody trained, and essays to judge: what is tested holds for any model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from samehand.engine.embed import Embedder
from samehand.model.config import NetworkConfig
from samehand.model.description import About, Statement
from samehand.model.folder import StoredNetwork, write_model
from samehand.model.shapes import needed_shapes
from samehand.scoring.distance import straightened
from samehand.scoring.effects import EFFECTS, Effects
from samehand.scoring.evidence import Coefficients, GenreEvidence
from samehand.scoring.genres import Genres
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import Vocabulary
from samehand.verifier import Verifier

ESSAYS = Path(__file__).parents[1] / "examples" / "essays"


def essay(name: str) -> str:
    return (ESSAYS / f"{name}.txt").read_text("utf-8")


def vocabulary() -> Vocabulary:
    """The commonest words and characters of two essays."""
    tokeniser = Tokeniser()
    tokeniser(essay("anna-1") + essay("bruno-1"))
    return Vocabulary.count(tokeniser.types, np.ones(len(tokeniser.types), np.int64), 200, 60)


def untrained(name: str = "untrained", seed: int = 0) -> StoredNetwork:
    """A network that reads the first 550 tokens of a text, with its own Bayes factor."""
    config = NetworkConfig(
        word_size=8, unit_hidden=6, document_hidden=6, lev_size=5, bfs_size=4, most_units=21
    )
    known, rng = vocabulary(), np.random.default_rng(seed)
    tensors = {
        part: np.asarray(rng.normal(size=shape) / max((1, *shape)[-1], 1) ** 0.5, np.float32)
        for part, shape in needed_shapes(config, known, scoring=True).items()
    }
    return StoredNetwork(name, config, known, tensors)


def save_model(
    folder: Path,
    *,
    name: str = "a model",
    bounds: tuple[float, float] | None = None,
    about: About | None = None,
    networks: int = 1,
) -> Path:
    """A model of untrained networks, which judge as the paper's do."""
    statement = Statement(
        name=name, evidence="paper", log10_lr_bounds=bounds, about=about or About()
    )
    names = ("untrained",) if networks == 1 else ("one", "two", "three")[:networks]
    write_model(folder, statement, [untrained(each, seed) for seed, each in enumerate(names)])
    return folder


def genres_evidence(networks: Sequence[StoredNetwork]) -> GenreEvidence:
    """Evidence of two invented genres, not far from where these networks put essays."""
    names = sorted(path.stem for path in ESSAYS.glob("*.txt"))
    vectors = straightened(Embedder(networks).embed([essay(name) for name in names]))
    size, rng = vectors.shape[1], np.random.default_rng(0)
    location = [[6.0, 1.0, 0.3, 0.2, 0.3], [8.5, 0.5, 0.1, 0.1, 0.2]]  # by covariates
    scatter = np.diag([0.5, 0.4, 0.05])
    return GenreEvidence(
        Coefficients(
            location=np.array(location),
            log_scale=np.array([0.3, -0.1, 0.05, 0.0, 0.0]),
            lowest=3.0,
            highest=3.0,
            unrelated=-0.2,
        ),
        Effects(
            mean=rng.normal(0, 0.5, (1, 3, EFFECTS)),
            covariance=np.stack([scatter / 10] * 3)[None],
            of_new=scatter,
            mean_of_new=np.zeros(EFFECTS),
        ),
        Genres(
            names=("essays", "others"),
            centre=vectors.mean(0),
            axes=rng.normal(0, 10, (size, 2)),
            means=np.array([[0.0, 0.0], [2.0, -1.0]]),
            between=np.array([2.0, 1.0]),
            sharpness=1.0,
            share_new=0.2,
            share_two=0.1,
        ),
    )


def save_genres_model(
    folder: Path, *, name: str = "of genres", bounds: tuple[float, float] | None = (-3.0, 3.0)
) -> Path:
    """A model of two untrained networks, which judges by genres and can be adapted to a case."""
    networks = [untrained("one"), untrained("two", seed=1)]
    statement = Statement(name=name, evidence="genres", log10_lr_bounds=bounds)
    write_model(folder, statement, networks, evidence=genres_evidence(networks).tensors())
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that states no validation."""
    return save_model(tmp_path_factory.mktemp("unvalidated"))


@pytest.fixture(scope="session")
def narrow_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose validation data support next to nothing."""
    return save_model(tmp_path_factory.mktemp("narrow"), name="narrow", bounds=(-1e-9, 1e-9))


@pytest.fixture(scope="session")
def genres_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with evidence by genres, and bounds that hold little back."""
    return save_genres_model(tmp_path_factory.mktemp("genres"))


@pytest.fixture(scope="session")
def verifier(model: Path) -> Verifier:
    return Verifier.load(model)


@pytest.fixture(scope="session")
def by_genres(genres_model: Path) -> Verifier:
    return Verifier.load(genres_model)
