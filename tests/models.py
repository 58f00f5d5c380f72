"""A small untrained model, and essays to judge: what is tested holds for any model."""

from pathlib import Path

import numpy as np
import pytest
import torch

from samehand.network.config import NetworkConfig
from samehand.network.network import Network
from samehand.network.weights import save_network
from samehand.text.ngrams import NgramModel
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import Vocabulary
from samehand.verifier import Verifier

ESSAYS = Path(__file__).parents[1] / "examples" / "essays"


def essay(name: str) -> str:
    return (ESSAYS / f"{name}.txt").read_text("utf-8")


def save_model(folder: Path, about: dict[str, object]) -> Path:
    """An untrained network that reads the first 550 tokens of a text."""
    torch.manual_seed(0)
    tokeniser = Tokeniser()
    tokeniser(essay("anna-1") + essay("bruno-1"))
    counts = np.ones(len(tokeniser.types), np.int64)
    vocabulary = Vocabulary.count(tokeniser.types, counts, 200, 60)
    config = NetworkConfig(
        word_size=8, unit_hidden=6, document_hidden=6, lev_size=5, bfs_size=4, most_units=21
    )
    network = Network(config, len(vocabulary.words), len(vocabulary.characters))
    save_network(folder, network, vocabulary, about)
    return folder


def wording_of(*names: str) -> NgramModel:
    """Counted in essays, which are then what is usual."""
    tokeniser = Tokeniser()
    tokens = [tokeniser(essay(name)).types.astype(np.int64) for name in names]
    known = [part for text in tokens for part in np.array_split(text, 5)]
    return NgramModel.count(tokeniser.types, tokens, known)


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that states no validation."""
    return save_model(tmp_path_factory.mktemp("unvalidated"), {})


@pytest.fixture(scope="session")
def narrow_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose validation data support next to nothing."""
    about = {"name": "narrow", "validation": {"log10_lr_bounds": [-1e-9, 1e-9]}}
    return save_model(tmp_path_factory.mktemp("narrow"), about)


@pytest.fixture(scope="session")
def verifier(model: Path) -> Verifier:
    return Verifier.load(model)
