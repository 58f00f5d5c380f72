"""The engine makes the vectors that the network, as learning has it, makes of the same texts."""

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.engine.embed import Embedder
from samehand.engine.reading import _first_tokens
from samehand.network.documents import Documents, Types, assemble
from samehand.network.network import Network
from samehand.text.tokenise import Tokeniser
from samehand.text.vocabulary import CHARACTERS_PER_TOKEN, PAD, SPECIAL, UNK
from tests.engine.untrained import VOCABULARY, configs, prose, texts, untrained

TOLERANCE = 1e-5


def cut(network: Network, some: list[str]) -> tuple[Documents, list[int]]:
    """Texts as training reads them; and how many tokens each has."""
    config, tokeniser = network.config, Tokeniser()
    most = config.windowing.span(config.windowing.cap)
    read = [_first_tokens(tokeniser, text, most).types.astype(np.int64) for text in some]
    words, spelt = VOCABULARY.word_ids(tokeniser.types), VOCABULARY.character_ids(tokeniser.types)
    shown = VOCABULARY.mask(words, spelt, config.masking)
    blank = np.full((len(SPECIAL), CHARACTERS_PER_TOKEN), PAD, np.int16)
    types = Types(
        torch.from_numpy(np.concatenate([np.array([PAD, UNK], np.int32), words])),
        torch.from_numpy(np.concatenate([blank, shown])),
    )
    lengths = [len(tokens) for tokens in read]
    tokens = torch.from_numpy(np.concatenate(read)) + len(SPECIAL)
    return assemble(tokens, torch.tensor(lengths), types, config.windowing), lengths


@settings(max_examples=100)
@given(
    configs,
    st.integers(0, 1_000),
    st.sampled_from([0.3, 1.0, 2.0]),
    st.lists(texts, min_size=1, max_size=9),
)
def test_vectors_are_those_of_the_network(sizes, seed, scale, some) -> None:
    network, stored = untrained(seed, scale, **sizes)
    found = Embedder([stored], threads=2).embed(some)
    batch, lengths = cut(network, some)
    with torch.no_grad():
        expected = network(batch).numpy()
    assert found.tokens.tolist() == lengths
    has_tokens = found.tokens > 0
    np.testing.assert_allclose(found.style[has_tokens], expected[has_tokens], atol=TOLERANCE)
    assert np.isnan(found.style[~has_tokens]).all()
    assert found.sizes == (sizes["lev_size"],)


@settings(max_examples=25)
@given(configs, st.integers(0, 1_000), prose.filter(lambda text: any(map(str.isalnum, text))))
def test_attention_is_that_of_the_network(sizes, seed, text) -> None:
    network, stored = untrained(seed, 2.0, **sizes)
    ours = Embedder([stored])
    (found,) = ours.encode(ours.read([text]))
    batch, _ = cut(network, [text])
    with torch.no_grad():
        _, attention = network.encoder(batch)
    units = attention.units[0].numpy()
    tokens = np.zeros(len(found.token_attention))
    for (first, last), unit, weights in zip(found.bounds, units, attention.tokens, strict=True):
        tokens[first:last] += unit * weights[: last - first].numpy()
    np.testing.assert_allclose(found.unit_attention, units, atol=TOLERANCE)
    np.testing.assert_allclose(found.token_attention, tokens, atol=TOLERANCE)
