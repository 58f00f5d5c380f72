"""Where the weights of the encoder start in the code of the paper's authors.

What is not named here starts there as it does in `encoder.py`: attention within ±0.03, the forget
gate's bias at 2.5, and words at their pretrained vectors.
"""

import torch
from torch import nn

from samehand.network.encoder import Encoder
from samehand.text.vocabulary import PAD

CHARACTERS, CONVOLUTION, LSTM = 0.03, 0.1, 0.05


@torch.no_grad()
def start_as_authors(encoder: Encoder) -> None:
    """Draw these weights anew."""
    drawn = [(encoder.characters.weight, CHARACTERS)]
    drawn += [(weight, CONVOLUTION) for weight in encoder.convolve.parameters()]
    for lstm in (encoder.unit_lstm, encoder.document_lstm):
        drawn += [(lstm.project.weight, LSTM), (lstm.weight, LSTM)]
    for weight, bound in drawn:
        nn.init.uniform_(weight, -bound, bound)
    encoder.characters.weight[PAD] = 0
