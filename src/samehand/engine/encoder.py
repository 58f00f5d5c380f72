"""The encoder's forward pass for inference on a CPU, by compiled kernels.

What depends on words alone, their part of both directions' input gates, is computed once for the
whole vocabulary and kept while the weights stay as they are. A distinct type of a batch then costs
a look-up and a product with its 30 character features, a token a look-up and its part of the
recurrence, and padding nothing.
"""

from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from torch.nn import functional as F

from samehand.engine.threads import in_parallel
from samehand.network.documents import Documents, Types
from samehand.network.kernels.recurrence import GATES
from samehand.network.statistics import statistics

if TYPE_CHECKING:
    from samehand.network.encoder import Attention, BiLSTM, Encoder

_PATIENCE = 2e9
"""Multiply-adds left to the plain loop before the kernels are loaded, which takes as long (1 s)."""
_PARTS_A_THREAD = 4
"""So that no thread waits long for another's last part."""
_FEW_TYPES, _FEW_TOKENS = 1_000, 2_000
"""Up to so many are done in the calling thread, in 1 to 2 ms: to wake another that sleeps takes as
long as it would save."""

_prepared: "WeakKeyDictionary[Encoder, CompiledEncoder]" = WeakKeyDictionary()
_work = 0.0


def compiled(encoder: "Encoder", batch: Documents) -> "CompiledEncoder | None":
    """The encoder in compiled form, if it may be had and this is work for it.

    That is inference mode in single precision on a CPU. A process that does little never loads it.
    Training, which looks at texts without gradients, too, does not get it: it differs in the last
    bits, and a resumed run, which would load it later, must repeat the one it goes on with.
    """
    global _work
    weight = encoder.words.weight
    if encoder.training or torch.is_autocast_enabled("cpu"):
        return None
    if not torch.is_inference_mode_enabled():
        return None
    if weight.device.type != "cpu" or weight.dtype != torch.float32 or weight.is_inference():
        return None
    if _work < _PATIENCE:
        _work += batch.tokens.numel() * 12 * encoder.config.unit_hidden**2
        if _work < _PATIENCE:
            return None
    kernels = _kernels()
    if kernels is None:
        return None
    found = _prepared.get(encoder)
    if found is None or not found.is_current(encoder):
        found = _prepared[encoder] = CompiledEncoder(encoder, kernels)
    return found


@cache
def _kernels() -> Any:
    """The module with the kernels; none where numba is missing or unfit."""
    try:
        from samehand.engine import kernels as compiled_kernels
    except (ImportError, OSError):
        return None
    return compiled_kernels


class CompiledEncoder:
    """The weights of an encoder as the kernels take them: hidden sizes padded to whole vectors."""

    def __init__(self, encoder: "Encoder", kernels: Any) -> None:
        # Holding on to them keeps their addresses from being given to others.
        self._weights = [(p.detach(), p._version) for p in encoder.parameters()]
        self._hidden = encoder.config.document_hidden
        self._statistics: list[Tensor] = []
        with torch.no_grad():
            self.gates = TypeGates(encoder, kernels)
            self.read_units = Reader(encoder.unit_lstm, encoder.unit_attention, kernels)
            self.read_documents = Reader(encoder.document_lstm, encoder.document_attention, kernels)
            project = encoder.document_lstm.project
            weight = _states_padded(project.weight, self.read_units.hidden).t()
            self._project = _gates_padded(weight, self.read_documents.hidden)
            self._bias = _gates_padded(project.bias, self.read_documents.hidden)
            if encoder.statistics is not None:
                features = encoder.statistics.features
                weight = _states_padded(features.weight, self.read_units.hidden)
                self._statistics = [weight, features.bias.detach()]

    def is_current(self, encoder: "Encoder") -> bool:
        """Whether the encoder's weights are still those that were taken."""
        return all(
            p.data_ptr() == held.data_ptr() and p._version == version
            for p, (held, version) in zip(encoder.parameters(), self._weights, strict=True)
        )

    def __call__(self, batch: Documents) -> tuple[Tensor, Tensor, Tensor]:
        """Embeddings (documents, size), and weights of tokens and of units."""
        units, token_weights = self.read_units(
            self.gates(batch.types), batch.tokens, batch.unit_lengths
        )
        documents, unit_weights = self.read_documents(
            self.project(units), batch.units, batch.lengths
        )
        embeddings = documents.view(len(documents), 2, -1)[..., : self._hidden].flatten(1)
        if self._statistics:
            beside = statistics(units, batch.of_unit, batch.lengths, *self._statistics)
            embeddings = torch.cat([embeddings, beside], 1)
        return embeddings, token_weights, unit_weights

    def project(self, units: Tensor) -> Tensor:
        """Input gates (units, 2 · 4 · hidden) of the documents' LSTM."""
        return torch.addmm(self._bias, units, self._project)


class TypeGates:
    """Input gates of types: what their words add is kept for the vocabulary."""

    def __init__(self, encoder: "Encoder", kernels: Any) -> None:
        config = encoder.config
        hidden, filters = (
            _rounded(n, kernels.VECTOR) for n in (config.unit_hidden, config.filters)
        )
        more = filters - config.filters
        letters = torch.einsum("ce,fet->ctf", encoder.characters.weight, encoder.convolve.weight)
        project = _gates_padded(encoder.unit_lstm.project.weight.t(), hidden)
        bias = _gates_padded(encoder.unit_lstm.project.bias, hidden)
        words, characters = project[: config.word_size], project[config.word_size :]
        assert encoder.convolve.bias is not None
        tensors = (
            F.pad(letters, (0, more)).flip(1).flatten(1),
            F.pad(encoder.convolve.bias, (0, more)),
            torch.addmm(bias, encoder.words.weight, words),
            F.pad(characters, (0, 0, 0, more)),
        )
        self._weights = [t.contiguous().numpy() for t in tensors]
        self._spell = kernels.speller(filters, config.filter_width, hidden)

    def __call__(self, types: Types) -> Tensor:
        """(types, 2 · 4 · hidden)"""
        spellings = types.characters.short().contiguous().numpy()
        words = types.words.long().numpy()
        table = torch.empty(len(words), self._weights[-1].shape[1])
        target = table.numpy()
        in_parallel(
            lambda part: self._spell(spellings[part], words[part], *self._weights, target[part]),
            _parts(len(words), 64, alone=len(words) <= _FEW_TYPES),
        )
        return table


class Reader:
    """A bidirectional LSTM and the attention over its states."""

    def __init__(self, lstm: "BiLSTM", attention: "Attention", kernels: Any) -> None:
        self.hidden = _rounded(lstm.hidden, kernels.VECTOR)
        self._lanes: int = kernels.LANES
        more = self.hidden - lstm.hidden
        weight = lstm.weight.view(2, lstm.hidden, GATES, lstm.hidden)
        weight = F.pad(weight, (0, more, 0, 0, 0, more)).flatten(2)  # (2, hidden, 4 · hidden)
        bend = _states_padded(attention.bend.weight.t(), self.hidden)
        vectors = attention.bend.bias, attention.score.weight[0]
        bend = _states_padded(bend.t(), self.hidden).t()
        self._weights = [
            t.contiguous().numpy()
            for t in (weight, bend, *(_states_padded(v, self.hidden) for v in vectors))
        ]
        self._read = kernels.reader(self.hidden)

    def __call__(self, table: Tensor, index: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Sums of states (sequences, 2 · hidden), and the weights of steps (sequences, steps).

        The table is (rows, 2 · 4 · hidden); a sequence without steps has sum and weights of 0.
        """
        n, steps = index.shape
        totals, shares = torch.zeros(n, 2 * self.hidden), torch.zeros(n, steps)
        lengths = lengths.clamp(max=steps)
        order = torch.argsort(lengths, descending=True, stable=True).numpy()
        inputs = (
            table.view(-1, 2, GATES * self.hidden).numpy(),
            index.long().contiguous().numpy(),
            lengths.long().numpy(),
        )
        outputs = totals.numpy(), shares.numpy()
        in_parallel(
            lambda part: self._read(*inputs, order[part], *self._weights, *outputs),
            _parts(n, self._lanes, alone=int(lengths.sum()) <= _FEW_TOKENS),
        )
        return totals, shares


def _rounded(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def _gates_padded(gates: Tensor, hidden: int) -> Tensor:
    """(..., 2 · 4 · some hidden) to (..., 2 · 4 · hidden)."""
    return _padded(gates, 2 * GATES, hidden)


def _states_padded(states: Tensor, hidden: int) -> Tensor:
    """(..., 2 · some hidden) to (..., 2 · hidden)."""
    return _padded(states, 2, hidden)


def _padded(tensor: Tensor, parts: int, size: int) -> Tensor:
    """Each part of the last dimension, padded to a size."""
    parted = tensor.reshape(*tensor.shape[:-1], parts, -1)
    return F.pad(parted, (0, size - parted.shape[-1])).flatten(-2)


def _parts(n: int, multiple: int, *, alone: bool) -> list[slice]:
    if alone:
        return [slice(0, n)]
    size = _rounded(-(-n // (torch.get_num_threads() * _PARTS_A_THREAD)), multiple)
    return [slice(first, first + size) for first in range(0, n, size)]
