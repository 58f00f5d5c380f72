"""A network comes back from its files as it was, and answers as before."""

from pathlib import Path

import numpy as np
import pytest
import torch

from samehand.model.description import Statement
from samehand.model.folder import read_model, write_model
from samehand.network.network import Network
from samehand.network.weights import network_of, stored
from samehand.text.vocabulary import Vocabulary

from .drawn import batch, small, texts

WORDS = ("<PAD>", "<UNK>", *"abcdefghij")
VOCABULARY = Vocabulary(WORDS, ("<PAD>", "<UNK>", "a", "b", "ü", "“", "\u2028"))


def untrained(**changes) -> Network:
    torch.manual_seed(0)
    return Network(small(**changes), len(WORDS), len(VOCABULARY.characters)).eval()


@pytest.mark.parametrize(
    "changes", [{}, {"learn_kernel": False}, {"metric_loss": "contrastive", "unit_features": 0}]
)
def test_round_trip(tmp_path: Path, changes) -> None:
    network = untrained(**changes)
    kept = stored(network, "one", VOCABULARY)
    write_model(tmp_path, Statement(name="a model", evidence="paper"), [kept])
    (read,) = read_model(tmp_path).networks
    assert (read.name, read.config, read.vocabulary) == ("one", network.config, VOCABULARY)
    found = network_of(read)
    assert not found.training
    for name, value in network.state_dict().items():
        assert torch.equal(found.state_dict()[name], value), name
    documents = batch(texts([40, 3]), network.config)
    known = documents.types.characters.clamp(max=len(VOCABULARY.characters) - 1)
    documents = documents._replace(types=documents.types._replace(characters=known))
    assert torch.equal(found(documents), network(documents))


def test_an_encoder_alone_is_kept_without_the_scoring_that_nobody_trained(tmp_path: Path) -> None:
    network = untrained()
    kept = stored(network, "one", VOCABULARY, scoring=False)
    write_model(tmp_path, Statement(name="an encoder", evidence="genres"), [kept])
    (read,) = read_model(tmp_path, without_evidence=True).networks
    names = {name for name in network.state_dict() if not name.startswith("scoring.")}
    assert read.tensors.keys() == names
    found = network_of(read).state_dict()
    assert all(torch.equal(found[name], network.state_dict()[name]) for name in names)


def test_weights_in_half_or_double_precision_are_kept_in_single(tmp_path: Path) -> None:
    kept = stored(untrained().double(), "one", VOCABULARY)
    assert {tensor.dtype for tensor in kept.tensors.values()} == {np.dtype(np.float32)}
