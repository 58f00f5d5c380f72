"""Weights start where the paper's authors start them."""

import pytest
import torch

from samehand.network.encoder import Encoder
from samehand.network.initial_ranges import start_as_authors

from .drawn import N_CHARACTERS, N_WORDS, small


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    made = Encoder(N_WORDS, N_CHARACTERS, small(unit_hidden=40, document_hidden=40, filters=40))
    start_as_authors(made)
    return made


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("characters.weight", 0.03),
        ("convolve.weight", 0.1),
        ("convolve.bias", 0.1),
        ("unit_lstm.project.weight", 0.05),
        ("unit_lstm.weight", 0.05),
        ("document_lstm.project.weight", 0.05),
        ("document_lstm.weight", 0.05),
        ("unit_attention.bend.weight", 0.03),
        ("document_attention.score.weight", 0.03),
    ],
)
def test_weights_are_spread_over_their_range(encoder, name, bound):
    weight = encoder.get_parameter(name).abs()
    assert 0.8 * bound < weight.max() <= bound


def test_padding_stays_nothing_and_gates_remember(encoder):
    assert not encoder.characters.weight[0].any()
    for lstm in (encoder.unit_lstm, encoder.document_lstm):
        bias = lstm.project.bias.view(2, 4, lstm.hidden)
        assert (bias[:, 1] == 2.5).all()
        assert not bias[:, [0, 2, 3]].any()
