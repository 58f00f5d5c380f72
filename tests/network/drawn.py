"""Small networks and documents for the tests of the network's parts."""

from typing import Any

import torch
from torch import Tensor

from samehand.model.config import NetworkConfig
from samehand.network.documents import Documents, Types, assemble

N_WORDS, N_CHARACTERS, N_TYPES = 12, 9, 25


def small(**changes: Any) -> NetworkConfig:
    """A network that runs in a millisecond and has every part."""
    sizes = {
        "word_size": 7, "character_size": 4, "filters": 5, "unit_hidden": 6, "document_hidden": 4,
        "unit_features": 3, "lev_size": 5, "bfs_size": 3, "ual_size": 6, "most_units": 5,
    }  # fmt: skip
    return NetworkConfig(**{**sizes, **changes})


def without_dropout(**changes: Any) -> NetworkConfig:
    parts = ("characters", "recurrent", "attention", "metric")
    return small(**{f"dropout_{part}": 0.0 for part in parts}, **changes)


def token_types(seed: int = 0) -> Types:
    """Words and characters of `N_TYPES` types; the first is the padding."""
    g = torch.Generator().manual_seed(seed)
    words = torch.randint(1, N_WORDS, (N_TYPES,), generator=g, dtype=torch.int32)
    characters = torch.randint(1, N_CHARACTERS, (N_TYPES, 15), generator=g, dtype=torch.int16)
    characters *= torch.arange(15) < torch.randint(1, 16, (N_TYPES, 1), generator=g)
    words[0], characters[0] = 0, 0
    return Types(words, characters)


def texts(lengths: list[int], seed: int = 0) -> list[Tensor]:
    """A text of each length, as type numbers."""
    g = torch.Generator().manual_seed(seed)
    return [torch.randint(1, N_TYPES, (n,), generator=g, dtype=torch.int32) for n in lengths]


def batch(documents: list[Tensor], config: NetworkConfig, n_masks: int | None = None) -> Documents:
    lengths = torch.tensor([len(d) for d in documents])
    return assemble(torch.cat(documents), lengths, token_types(), config.windowing, n_masks)
