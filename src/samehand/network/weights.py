"""A network as learning has it, and as it is stored."""

from typing import Any

import torch

from samehand.model.folder import StoredNetwork
from samehand.network.network import Network
from samehand.text.vocabulary import Vocabulary


def stored(
    network: Network, name: str, vocabulary: Vocabulary, *, scoring: bool = True
) -> StoredNetwork:
    """A network with its vocabulary, as `model.folder.write_model` takes it.

    Without `scoring`, which nobody has trained then, Bayes factor and adaptation stay away.
    """
    tensors = {
        key: tensor.detach().cpu().float().numpy()
        for key, tensor in network.state_dict().items()
        if scoring or not key.startswith("scoring.")
    }
    return StoredNetwork(name, network.config, vocabulary, tensors)


def network_of(kept: StoredNetwork) -> Network:
    """The network that was stored, ready for use; what was not stored is as training begins."""
    known = kept.vocabulary
    network = Network(kept.config, len(known.words), len(known.characters))
    tensors: dict[str, Any] = {key: torch.tensor(array) for key, array in kept.tensors.items()}
    _, unexpected = network.load_state_dict(tensors, strict=False)
    assert not unexpected  # `read_model` has looked
    return network.eval()
