"""Networks nobody trained, as learning has them and as they are stored; and texts for them."""

from typing import Any, get_args

import torch
from hypothesis import strategies as st

from samehand.model.config import NetworkConfig
from samehand.model.folder import StoredNetwork
from samehand.network.network import Network
from samehand.network.weights import stored as as_stored
from samehand.text.vocabulary import SPECIAL, Masking, Vocabulary

WORDS = ("the", "of", "and", "it", "'s", "‿,", "‿.", "¶", "↵", "naïve", "1842", "über", "I", "don")
LETTERS = tuple("abcdefghinorstuvwxyzIW019.,'-ïüßΩ”")
VOCABULARY = Vocabulary((*SPECIAL, *WORDS), (*SPECIAL, *LETTERS))

# Few sizes that kernels are compiled for, many that are padded to them.
configs = st.fixed_dictionaries(
    {
        "unit_width": st.integers(2, 12),
        "most_units": st.integers(1, 6),
        "masking": st.sampled_from(get_args(Masking)),
        "word_size": st.integers(1, 20),
        "character_size": st.integers(1, 6),
        "filters": st.integers(1, 8),
        "filter_width": st.sampled_from([1, 4]),
        "unit_hidden": st.sampled_from([1, 5, 8]),
        "document_hidden": st.sampled_from([3, 8, 13]),
        "unit_features": st.sampled_from([0, 0, 1, 7, 16, 40]),
        "lev_size": st.integers(2, 20),
        "bfs_size": st.just(2),
    }
).flatmap(
    lambda sizes: st.integers(1, sizes["unit_width"]).map(lambda hop: {**sizes, "unit_hop": hop})
)

words = st.sampled_from(
    ["the", "of", "It's", "don't", "naïve", "1842.", "“Quoted”", "walking", "über-alles", "😀",
     "WORD", "a\u0301ccent", "\n\n", "\n", "…", "???!!!", "日本語", "ok,", "\u200b", "http://a.b/c?"]
)  # fmt: skip
prose = st.lists(words, max_size=40).map(" ".join)
texts = st.one_of(
    prose,
    st.text(max_size=60),
    st.sampled_from(["", " ", "a", "\u200b", "x" * 300, "long " * 3_000, "\ud800 odd \x00"]),
)


def untrained(seed: int, scale: float, **changes: Any) -> tuple[Network, StoredNetwork]:
    """A network in double precision, and the same as it is stored.

    Its weights are drawn, so many times as wide as in training, so that all of them matter.
    """
    torch.manual_seed(seed)
    sizes = len(VOCABULARY.words), len(VOCABULARY.characters)
    network = Network(NetworkConfig(**changes), *sizes).eval()
    with torch.no_grad():
        for name, weight in network.named_parameters():
            if name.startswith(("encoder", "metric.dense")):
                spread = scale / max(weight.shape[-1], 1) ** 0.5 if weight.ndim > 1 else 0.3
                weight.copy_(spread * torch.randn_like(weight))
            else:
                weight.add_(0.2 * torch.randn_like(weight))
    kept = as_stored(network, name=f"untrained {seed}", vocabulary=VOCABULARY)
    return network.double(), kept


def stored(seed: int = 0, scale: float = 2.0, **changes: Any) -> StoredNetwork:
    """A small network, or one changed, as it is stored."""
    sizes = {
        "word_size": 7, "character_size": 4, "filters": 5, "unit_hidden": 6, "document_hidden": 4,
        "unit_features": 3, "lev_size": 5, "bfs_size": 3, "most_units": 20, "unit_width": 12,
        "unit_hop": 10,
    }  # fmt: skip
    return untrained(seed, scale, **{**sizes, **changes})[1]
