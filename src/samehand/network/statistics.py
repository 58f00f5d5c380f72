"""Mean and spread of many features over the units of a document.

Attention and the LSTM over units end in one vector no wider than a state. Beside it stand mean and
spread over all units of features of theirs, as x-vectors have them in speaker recognition.
"""

import torch
from torch import Tensor, nn

_LEAST = 1e-4
"""A variance, below which the spread has no gradient: of one unit it is zero."""


class Statistics(nn.Module):
    """Mean and spread of features of units, unit after unit the same ones."""

    def __init__(self, size: int, features: int) -> None:
        super().__init__()
        self.features = nn.Linear(size, features)

    def forward(self, units: Tensor, of_unit: Tensor, lengths: Tensor) -> Tensor:
        """(documents, 2 · features) of units (units, size), each of one of the documents."""
        found = torch.relu(self.features(units))  # (units, features)
        with torch.autocast(units.device.type, enabled=False):
            found = found.to(self.features.weight.dtype)
            sums = found.new_zeros(2, len(lengths), found.shape[1])
            counts = lengths.clamp(min=1).to(found.dtype).unsqueeze(1)
            mean = sums[0].index_add(0, of_unit, found) / counts
            squares = sums[1].index_add(0, of_unit, found.square()) / counts
            spread = (squares - mean.square()).clamp(min=_LEAST).sqrt()
            return torch.cat([mean, spread], 1)
