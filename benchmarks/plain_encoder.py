"""The yardstick: the same network as anybody would first write it.

Every token occurrence is looked up, spelt by the character CNN and projected by itself, and
`nn.LSTM` (cuDNN on a GPU) runs over padded units. It takes the weights of an `Encoder`, and gives
the same embeddings.
"""

import copy

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from samehand.network.documents import Documents
from samehand.network.encoder import Attentions, BiLSTM, Encoder
from samehand.network.network import Network


class PlainEncoder(nn.Module):
    """With `lstm_type`, its LSTMs run in that type of numbers.

    Otherwise in what autocast makes of them: on a GPU float16, even where bfloat16 was asked for.
    """

    def __init__(self, encoder: Encoder, lstm_type: torch.dtype | None = None) -> None:
        super().__init__()
        self._lstm_type = lstm_type
        self.words, self.characters, self.convolve = (
            encoder.words,
            encoder.characters,
            encoder.convolve,
        )
        self.unit_attention, self.document_attention = (
            encoder.unit_attention,
            encoder.document_attention,
        )
        self.statistics = encoder.statistics
        self.unit_lstm, self.document_lstm = (
            _plain(encoder.unit_lstm),
            _plain(encoder.document_lstm),
        )

    def forward(self, batch: Documents) -> tuple[Tensor, Attentions]:
        characters = batch.types.characters.long()[batch.tokens]  # (units, width, 15)
        letters = self.characters(characters.flatten(0, 1)).transpose(1, 2)
        spelt = torch.tanh(self.convolve(letters)).amax(2).view(*batch.tokens.shape, -1)
        inputs = torch.cat([self.words(batch.types.words.long()[batch.tokens]), spelt], 2)
        units, token_weights = self.unit_attention(
            self._run(self.unit_lstm, inputs, batch.unit_lengths), batch.unit_lengths
        )
        states = self._run(self.document_lstm, units[batch.units], batch.lengths)
        documents, unit_weights = self.document_attention(states, batch.lengths)
        if self.statistics is not None:
            beside = self.statistics(units, batch.of_unit, batch.lengths)
            documents = torch.cat([documents.to(beside.dtype), beside], 1)
        return documents, Attentions(token_weights, unit_weights)

    def _run(self, lstm: nn.LSTM, inputs: Tensor, lengths: Tensor) -> Tensor:
        packed = pack_padded_sequence(inputs, lengths.cpu(), batch_first=True, enforce_sorted=False)
        given = packed if self._lstm_type is None else packed.to(self._lstm_type)
        read = lstm(given)[0] if self._lstm_type is None else _run_in_type(lstm, given)
        states: Tensor
        states, _ = pad_packed_sequence(read, batch_first=True, total_length=inputs.shape[1])
        return states


def plain_network(network: Network, lstm_type: torch.dtype | None = None) -> Network:
    """A copy of the whole network with such an encoder in place of its own."""
    made = copy.deepcopy(network)
    made.encoder = PlainEncoder(made.encoder, lstm_type)  # type: ignore[assignment]
    return made.to(network.encoder.words.weight.device)


def _run_in_type(lstm: nn.LSTM, packed: PackedSequence) -> PackedSequence:
    """Run the LSTM in its input's type, whatever autocast would choose."""
    data = packed.data
    weights = [weight.to(data.dtype) for weight in lstm._flat_weights]
    start = data.new_zeros(2, int(packed.batch_sizes[0]), lstm.hidden_size)
    with torch.autocast(data.device.type, enabled=False):
        states = torch.lstm(
            data, packed.batch_sizes, (start, start), weights, True, 1, 0.0, True, True
        )[0]
    return packed._replace(data=states)


def _plain(ours: BiLSTM) -> nn.LSTM:
    """An `nn.LSTM` with the same weights."""
    lstm = nn.LSTM(ours.project.in_features, ours.hidden, bidirectional=True, batch_first=True)
    forward, backward = ours.project.weight.chunk(2)
    bias = ours.project.bias.chunk(2)
    with torch.no_grad():
        for way, suffix, weight in ((0, "", forward), (1, "_reverse", backward)):
            getattr(lstm, f"weight_ih_l0{suffix}").copy_(weight)
            getattr(lstm, f"weight_hh_l0{suffix}").copy_(ours.weight[way].t())
            getattr(lstm, f"bias_ih_l0{suffix}").copy_(bias[way])
            getattr(lstm, f"bias_hh_l0{suffix}").zero_()
    return lstm
