"""From tokens to a document embedding: characters to words, words to units, units to a document.

"NeuralFeatureExtraction" of the paper's eq. `docemb`.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from samehand.model.config import NetworkConfig
from samehand.network.documents import Documents, Types
from samehand.network.kernels.recurrence import GATES, recur
from samehand.network.kernels.tall_product import tall_linear
from samehand.network.statistics import Statistics
from samehand.text.vocabulary import PAD


class Attentions(NamedTuple):
    """How much each token weighs in its unit, and each unit in its document; rows sum to 1."""

    tokens: Tensor
    """(units, 30)"""
    units: Tensor
    """(documents, most units)"""


class BiLSTM(nn.Module):
    """A bidirectional LSTM whose input projection is a step of its own."""

    def __init__(self, size_in: int, hidden: int) -> None:
        super().__init__()
        self.project = nn.Linear(size_in, 2 * GATES * hidden)
        self.weight = nn.Parameter(torch.empty(2, hidden, GATES * hidden))
        self.hidden = hidden
        # By the sizes of what they join (Glorot). With the ±0.05 of the authors' figures hardly
        # anything arrives at the far end at first, and learning starts many times later.
        nn.init.uniform_(self.project.weight, *_glorot(size_in, hidden))
        nn.init.uniform_(self.weight, *_glorot(hidden, hidden))
        nn.init.zeros_(self.project.bias)
        with torch.no_grad():  # remember, to begin with
            self.project.bias.view(2, GATES, hidden)[:, 1] = 2.5

    def forward(
        self, inputs: Tensor, index: Tensor, lengths: Tensor, keep: Tensor | None
    ) -> Tensor:
        """States (sequences, steps, 2 · hidden) of sequences of rows of `inputs` (rows, in)."""
        device, kind = inputs.device.type, self.weight.dtype
        if torch.is_autocast_enabled(device):
            kind = torch.get_autocast_dtype(device)
        with torch.autocast(device, enabled=False):  # which would run cuDNN's LSTM in float16
            table = self.project(inputs.to(self.weight.dtype))
            table = table.view(-1, 2, GATES * self.hidden)
            return recur(table, index, lengths, self.weight.to(kind), keep)


def _glorot(size_in: int, size_out: int) -> tuple[float, float]:
    bound = (6 / (size_in + size_out)) ** 0.5
    return -bound, bound


class Attention(nn.Module):
    """softmax(vᵀ tanh(W h + b)) over the valid steps, and the sum so weighted."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.bend = nn.Linear(size, size)
        self.score = nn.Linear(size, 1, bias=False)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -0.03, 0.03)

    def forward(self, states: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Sums (sequences, size) and weights (sequences, steps) of (sequences, steps, size)."""
        fused = _fused_attention(states)
        if fused is not None:
            bend, score = self.bend, self.score
            found: tuple[Tensor, Tensor] = fused.attend(
                states, lengths, bend.weight, bend.bias, score.weight
            )
            return found
        bend = self.bend
        bent = tall_linear(states, bend.weight, bend.bias) if states.is_cuda else bend(states)
        scores = self.score(torch.tanh(bent)).squeeze(-1).float()
        steps = torch.arange(states.shape[1], device=states.device)
        scores = scores.masked_fill(steps >= lengths[:, None], -torch.inf)
        weights = torch.softmax(scores, 1)
        return torch.bmm(weights.to(states.dtype)[:, None], states).squeeze(1), weights


def _fused_attention(states: Tensor) -> Any:
    """The kernels for attention over such states, where the device has them."""
    if not states.is_cuda:
        return None
    try:
        from samehand.network.kernels import attention_triton
    except ImportError:
        return None
    from samehand.network.kernels.fused import attention_agrees

    _, steps, size = states.shape
    if attention_triton.fits(states) and attention_agrees(
        attention_triton, size, steps, states.device
    ):
        return attention_triton
    return None


class Encoder(nn.Module):
    """Documents to embeddings x (documents, embedding)."""

    def __init__(self, n_words: int, n_characters: int, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(n_words, config.word_size, padding_idx=PAD)
        self.characters = nn.Embedding(n_characters, config.character_size, padding_idx=PAD)
        self.convolve = nn.Conv1d(
            config.character_size,
            config.filters,
            config.filter_width,
            padding=config.filter_width - 1,
        )
        self.unit_lstm = BiLSTM(config.word_size + config.filters, config.unit_hidden)
        self.unit_attention = Attention(2 * config.unit_hidden)
        self.document_lstm = BiLSTM(2 * config.unit_hidden, config.document_hidden)
        self.document_attention = Attention(2 * config.document_hidden)
        self.statistics = (
            Statistics(2 * config.unit_hidden, config.unit_features)
            if config.unit_features
            else None
        )
        nn.init.uniform_(self.words.weight, -0.5, 0.5)  # about the spread of fastText's vectors
        nn.init.uniform_(self.characters.weight, -0.5, 0.5)
        nn.init.xavier_uniform_(self.convolve.weight)
        with torch.no_grad():
            self.words.weight[PAD] = 0
            self.characters.weight[PAD] = 0

    def forward(self, batch: Documents) -> tuple[Tensor, Attentions]:
        """Embeddings (documents, size), and what was attended to."""
        config, masks = self.config, SiameseMasks(batch, self.training)
        states = self.unit_lstm(
            self.represent(batch.types), batch.tokens, batch.unit_lengths,
            masks.for_units(config.dropout_recurrent, 2, config.unit_hidden),
        )  # fmt: skip
        units, token_weights = self.unit_attention(
            states, batch.unit_lengths
        )  # (units, 2 · hidden)
        dropped = masks.for_units(config.dropout_attention, 2 * config.unit_hidden)
        read = units if dropped is None else units * dropped.to(units.dtype)
        states = self.document_lstm(
            read, batch.units, batch.lengths,
            masks.for_documents(config.dropout_recurrent, 2, config.document_hidden),
        )  # fmt: skip
        embeddings, unit_weights = self.document_attention(states, batch.lengths)
        if self.statistics is not None:
            beside = self.statistics(units, batch.of_unit, batch.lengths)
            embeddings = torch.cat([embeddings.to(beside.dtype), beside], 1)
        return embeddings, Attentions(token_weights, unit_weights)

    def represent(self, types: Types) -> Tensor:
        """Word embedding and character encoding of each type (types, word size + filters).

        In training a mask is drawn for each type, and so is the same wherever the type occurs: in
        all units, and in both documents of every pair.
        """
        config = self.config
        letters = self.characters(types.characters.long()).transpose(
            1, 2
        )  # (types, character size, 15)
        spelt = torch.tanh(self.convolve(letters)).amax(2)  # (types, filters)
        spelt = F.dropout(spelt, config.dropout_characters, self.training)
        both = torch.cat([self.words(types.words.long()), spelt], 1)
        return F.dropout(both, config.dropout_recurrent, self.training)


class SiameseMasks:
    """Dropout masks, shared by the documents that are compared, and by all their units."""

    def __init__(self, batch: Documents, training: bool) -> None:
        self._batch = batch
        self._training = training

    def for_documents(self, share: float, *shape: int) -> Tensor | None:
        """A mask for each document (documents, *shape), or none where nothing is dropped."""
        if not self._training or share == 0:
            return None
        n = len(self._batch.lengths)
        drawn = self._batch.n_masks or n
        mask = (torch.rand(drawn, *shape, device=self._batch.lengths.device) >= share) / (1 - share)
        return mask if drawn == n else mask.repeat(n // drawn, *(1 for _ in shape))

    def for_units(self, share: float, *shape: int) -> Tensor | None:
        """A mask for each unit (units, *shape): that of its document."""
        mask = self.for_documents(share, *shape)
        if mask is None:
            return None
        return mask[self._batch.of_unit]
