"""Texts to vectors of style by the networks as learning has them, on any device of PyTorch's."""

from collections.abc import Sequence

import torch

from samehand.engine.cutting import Cut
from samehand.engine.embed import Embedder
from samehand.engine.forward import Floats
from samehand.engine.reading import TextsRead
from samehand.engine.workers import Job
from samehand.errors import InputError
from samehand.model.folder import StoredNetwork
from samehand.network.documents import Documents, Types
from samehand.network.weights import network_of


class DeviceEmbedder(Embedder):
    """An `Embedder` whose vectors are made on a device, such as a GPU.

    Texts are read and cut by the engine. So is what `encode` gives, since to leave units out of a
    text is little work.
    """

    def __init__(self, networks: Sequence[StoredNetwork], *, device: str) -> None:
        super().__init__(networks)
        try:
            self._device = torch.device(device)
            self._on_device = [network_of(network).to(self._device) for network in networks]
        except (RuntimeError, AssertionError, NotImplementedError):
            raise InputError(
                f"PyTorch finds no device {device!r} here; choose another, such as cpu."
            ) from None

    @torch.no_grad()
    def _style(self, read: TextsRead, of: Cut, beside: Sequence[Job]) -> Floats:
        tokens, unit_lengths, units, lengths = (
            torch.from_numpy(part).to(self._device)
            for part in (of.tokens, of.unit_lengths, of.units, of.lengths)
        )
        levs = []
        for network, known in zip(self._on_device, read.types, strict=True):
            types = (torch.from_numpy(part).to(self._device) for part in known.at(of.types))
            levs.append(network(Documents(Types(*types), tokens, unit_lengths, units, lengths)))
        for job in beside:  # while the device is at work
            job()
        style: Floats = torch.cat(levs, 1).cpu().numpy()
        return style
