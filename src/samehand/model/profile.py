"""How often a document uses common words, and runs of two or three of them, against the average.

The oldest evidence of authorship, and what a recurrent network with its few dozen states is worst
at: rates of hundreds of small things at once. A word outside the few hundred most common ones
counts by its shape alone (case, digits, length), so that the profile cannot tell what a text is
about. It yields LEVs of its own, which stand beside those of the encoder.
"""

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from samehand.model.documents import Documents, Types
from samehand.text.vocabulary import SPECIAL, Vocabulary

_ORDERS = 3
_LOWER, _UPPER, _DIGIT, _MARK = 1, 2, 3, 4
_SHAPES = 128
_LONGEST = 4
"""Lengths of masked words are told apart up to this."""
_BOUNDS = -3.0, 6.0
"""Deviations beyond these are cut: one odd habit in a short text shall not outweigh all else."""


class Runs(NamedTuple):
    """Runs of classes in a batch of units, a row for each run of one order."""

    key: Tensor
    """Which run it is; all orders have keys of their own."""
    unit: Tensor
    """In which unit it stands."""


class Profile(nn.Module):
    """Documents to LEVs by way of the rates of the most widespread runs."""

    keys: Tensor
    mean: Tensor
    deviation: Tensor
    kinds: Tensor

    def __init__(self, features: int, size: int, n_common: int, n_characters: int) -> None:
        super().__init__()
        self.n_known = len(SPECIAL) + n_common
        self.base = self.n_known + _SHAPES + 1
        # What `start` fills in from text; saved with the weights.
        self.register_buffer("keys", torch.arange(features))
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("deviation", torch.ones(features))
        self.register_buffer("kinds", torch.zeros(n_characters, dtype=torch.long))
        self.dense = nn.Linear(features, size)

    def forward(self, batch: Documents, mask: Tensor | None = None) -> Tensor:
        """LEVs (documents, size); `mask` (documents, features) is a dropout mask."""
        return self.levs(self._of_documents(batch), mask)

    def levs(self, rates: Tensor, mask: Tensor | None = None) -> Tensor:
        """LEVs of rates (documents, features)."""
        with torch.autocast(rates.device.type, enabled=False):
            x = ((rates - self.mean) / self.deviation).clamp(*_BOUNDS)
            return torch.tanh(self.dense(x if mask is None else x * mask))

    def _of_documents(self, batch: Documents) -> Tensor:
        """Rates (documents, features)."""
        return self.rates(*self.count(batch, batch.of_unit, len(batch.lengths)))

    def rates(self, counts: Tensor, totals: Tensor) -> Tensor:
        """Square roots, which even out the spread of rare and common runs."""
        order = sum(self.keys >= self.base**power for power in range(1, _ORDERS))
        assert isinstance(order, Tensor)
        return (counts / totals.clamp(min=1)[:, order]).sqrt()

    def count(self, batch: Documents, group: Tensor, n_groups: int) -> tuple[Tensor, Tensor]:
        """How often each run occurs in each group of units, and runs of each order in all.

        `group` (units,) is the group of each unit. Returns (groups, features), (groups, orders).
        """
        n = len(self.keys)
        counts = self.mean.new_zeros(n_groups * n + 1)  # the last takes what is no feature
        totals = self.mean.new_zeros(n_groups, _ORDERS)
        for order, (key, unit) in enumerate(self._runs(batch)):
            of = group[unit]
            totals[:, order] = torch.bincount(of, minlength=n_groups).to(totals)
            place = torch.searchsorted(self.keys, key).clamp(max=n - 1)
            place = torch.where(self.keys[place] == key, of * n + place, n_groups * n)
            counts.index_add_(0, place, torch.ones_like(place, dtype=counts.dtype))
        return counts[:-1].view(n_groups, n), totals

    @torch.no_grad()
    def start(self, vocabulary: Vocabulary, batches: Iterable[Documents]) -> None:
        """Choose the runs that most documents have, and note their average rates."""
        kinds = [_kind(c) for c in vocabulary.characters[len(SPECIAL) :]]
        self.kinds[len(SPECIAL) :] = torch.tensor(kinds).to(self.kinds)
        batches = list(batches)
        met, times = self.keys.new_zeros(0), self.keys.new_zeros(0)
        for batch in batches:
            span, of_unit = self.base**_ORDERS, batch.of_unit
            found = torch.cat([of_unit[unit] * span + key for key, unit in self._runs(batch)])
            keys = torch.cat([met, torch.unique(found) % span])
            weights = torch.cat([times, times.new_ones(len(keys) - len(met))])
            met, place = torch.unique(keys, return_inverse=True)
            times = torch.zeros_like(met).index_add_(0, place, weights)
        widespread = met[torch.argsort(times, descending=True, stable=True)[: len(self.keys)]]
        absent = self.base**_ORDERS + torch.arange(len(self.keys) - len(widespread))
        self.keys.copy_(torch.cat([widespread, absent.to(widespread)]).sort().values)
        total = square = torch.zeros_like(self.mean, dtype=torch.float64)
        n = 0
        for batch in batches:
            rates = self._of_documents(batch).double()
            total, square, n = total + rates.sum(0), square + rates.square().sum(0), n + len(rates)
        mean = total / max(1, n)
        self.mean.copy_(mean)
        self.deviation.copy_((square / max(1, n) - mean.square()).clamp(min=0).sqrt() + 1e-3)

    def _runs(self, batch: Documents) -> list[Runs]:
        """Runs of one, two and three classes within a unit; those with a hidden token left out."""
        known = self._classes(batch.types)[batch.tokens.long()]  # (units, width)
        width = known.shape[1]
        steps = torch.arange(width, device=known.device)
        there = (steps < batch.unit_lengths[:, None]) & (known > 0)
        key, runs = known, []
        for order in range(_ORDERS):
            if order:
                key = key[:, :-1] * self.base + known[:, order:]
                there = there[:, :-1] & (known[:, order:] > 0)
                there = there & (steps[order:] < batch.unit_lengths[:, None])
            unit, step = there.nonzero(as_tuple=True)
            runs.append(Runs(key[unit, step], unit))
        return runs

    def _classes(self, types: Types) -> Tensor:
        """(types,) the word itself where it is common, else its shape; 0 where it is hidden."""
        kinds = self.kinds[types.characters.long()]  # (types, characters)
        length = (types.characters != 0).sum(1)
        some = [(kinds == kind).any(1) for kind in (_LOWER, _UPPER, _DIGIT, _MARK)]
        bits = [*some, kinds[:, 0] == _UPPER]
        shape = sum(bit.long() << place for place, bit in enumerate(bits))
        shape = shape + ((length.clamp(1, _LONGEST) - 1) << len(bits))
        words = types.words.long()
        common = (words >= len(SPECIAL)) & (words < self.n_known)
        found = torch.where(common, words, self.n_known + shape)
        return torch.where(length > 0, found + 1 - len(SPECIAL), 0)


def _kind(character: str) -> int:
    if character.isdigit():
        return _DIGIT
    if not character.isalpha():
        return _MARK
    return _UPPER if character.isupper() else _LOWER
