"""A document encodes the same alone, in any batch, in any order; and as the plain network does."""

import importlib.util
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.model.config import NetworkConfig
from samehand.network.encoder import Encoder, SiameseMasks

from .drawn import N_CHARACTERS, N_WORDS, batch, small, texts

CONFIG = small()
CAP = CONFIG.windowing.span(CONFIG.most_units)
lengths = st.lists(
    st.one_of(
        st.sampled_from([0, 1, 29, 30, 31, 56, 57, CAP, CAP + 1, 3 * CAP]), st.integers(0, 150)
    ),
    min_size=1,
    max_size=6,
)


def encoder(seed=0):
    """With weights large enough for every input to matter."""
    torch.manual_seed(seed)
    made = Encoder(N_WORDS, N_CHARACTERS, CONFIG).eval()
    for parameter in made.parameters():
        parameter.data.uniform_(-0.7, 0.7)
    return made


@settings(max_examples=40)
@given(lengths, st.integers(0, 99), st.randoms(use_true_random=False))
def test_a_document_encodes_the_same_alone_in_any_batch_in_any_order(lengths, seed, random):
    documents = texts(lengths, seed)
    made = encoder()
    order = list(range(len(documents)))
    random.shuffle(order)
    with torch.no_grad():
        together, _ = made(batch(documents, CONFIG))
        shuffled, _ = made(batch([documents[i] for i in order], CONFIG))
        for place, i in enumerate(order):
            alone, _ = made(batch([documents[i]], CONFIG))
            assert torch.allclose(alone[0], together[i], atol=1e-5)
            assert torch.allclose(shuffled[place], together[i], atol=1e-5)


def test_different_documents_encode_differently():
    with torch.no_grad():
        found, _ = encoder()(batch(texts([0, 1, 1, 30, 31, 31, CAP, CAP]), CONFIG))
    assert torch.pdist(found).min() > 1e-3


@given(lengths)
def test_attentions_sum_to_one_over_what_is_there(lengths):
    made = batch(texts(lengths), CONFIG)
    with torch.no_grad():
        _, attentions = encoder()(made)
    for weights, counts in zip(attentions, (made.unit_lengths, made.lengths), strict=True):
        inside = torch.arange(weights.shape[1]) < counts[:, None]
        assert torch.allclose(weights.sum(1), torch.ones(len(weights)), atol=1e-6)
        assert (weights[~inside] == 0).all()
        assert (weights[inside] > 0).all()


def test_equals_the_plain_network_of_the_benchmarks():
    path = Path(__file__).parents[2] / "benchmarks" / "plain_encoder.py"
    spec = importlib.util.spec_from_file_location("plain_encoder", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = encoder()
    plain = module.PlainEncoder(made)
    documents = batch(texts([0, 1, 30, 31, 100, CAP, 2 * CAP]), CONFIG)
    ours, theirs = made(documents), plain(documents)
    assert torch.allclose(ours[0], theirs[0], atol=1e-5)
    for ours_a, theirs_a in zip(ours[1], theirs[1], strict=True):
        assert torch.allclose(ours_a, theirs_a, atol=1e-5)


def test_documents_differ_before_anything_is_learned():
    torch.manual_seed(0)
    made = Encoder(500, 300, NetworkConfig()).eval()
    embeddings = made(batch(texts([200] * 12), NetworkConfig()))[0]
    assert embeddings.std(dim=0).mean() > 0.01  # 0.0007 with the authors' ranges


def test_starts_by_remembering():
    made = Encoder(500, 300, small(word_size=100))
    assert (made.unit_lstm.project.bias.view(2, 4, -1)[:, 1] == 2.5).all()
    assert made.convolve.padding == (3,)
    assert made.convolve.kernel_size == (4,)


@pytest.mark.parametrize("pairs", [1, 3])
def test_masks_are_the_same_for_both_documents_of_a_pair_and_all_their_units(pairs):
    documents = batch(texts([100, 5, 60, 40, 120, 31][: 2 * pairs]), CONFIG, n_masks=pairs)
    masks = SiameseMasks(documents, training=True)
    mask = masks.for_units(0.5, 50)
    pair_of_unit = torch.arange(2 * pairs).repeat_interleave(documents.lengths) % pairs
    for p in range(pairs):
        assert (mask[pair_of_unit == p] == mask[pair_of_unit == p][0]).all()
    assert len(mask.unique(dim=0)) == pairs
    assert set(mask.unique().tolist()) == {0.0, 2.0}
    assert SiameseMasks(documents, training=False).for_units(0.5, 50) is None
