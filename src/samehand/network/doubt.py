"""How far a likelihood ratio is to be believed, by the amount of text it rests on and its wording.

In a short text style hardly shows, so its distance to any other says little; in a long one the same
distance says more. Plain wording, and one that is unlike the training text, make it say less.
log LR' = g · (a + b · log LR), where a and b are linear in the logarithm of the number of tokens in
the shorter side of a trial, with bends where texts get too short and where they get long, and g is
linear in the measures of wording (`samehand.text.ngrams`): it brings an answer nearer to "cannot
tell", and never turns it round. They are fitted to texts of all lengths, among them texts of genres
the encoder has never met (`samehand.fitting.doubt`).
"""

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn

from samehand.network.known import mean_of_known
from samehand.text.ngrams import MEASURES

SHORTEST, LONGEST = 60, 5_464
"""Tokens between which the amount of text makes a difference."""
_USUAL, _SHORT, _LONG = math.log(400), math.log(250), math.log(600)
_LEAST_SLOPE = 0.02
_LEAST_GAIN = 0.15
"""With less, trials of the plainest wording would all be answered alike, and lose their order."""
FEATURES = 4
"""Of the amount of text, see `features`."""
IDENTITY = torch.tensor([[0.0] * FEATURES, [1.0] + [0.0] * (FEATURES - 1)])
"""Weights (2, features) that leave a log-LR as it is: of offset and slope, by `features`."""


def amount_of_text(tokens: Tensor) -> Tensor:
    """What is remembered of a text's length: the logarithm of its number of tokens."""
    return tokens.clamp(min=1).float().log()


class Told(NamedTuple):
    """What is told of trials beside their style."""

    amount: Tensor
    """(trials,) the logarithm of the tokens on the shorter side"""
    wording: Tensor | None
    """(trials, measures) the mean of both sides, where that is told"""


def told_of_all_pairs(questioned: Tensor, known: Tensor) -> Told:
    """What is told of each of n texts with each of m others: (n, m) and (n, m, measures)."""
    amount = torch.minimum(questioned[:, :1], known[:, 0])
    if known.shape[1] == 1:
        return Told(amount, None)
    return Told(amount, (questioned[:, None, 1:] + known[:, 1:]) / 2)


def told_of_trial(questioned: Tensor, known: Tensor, there: Tensor | None) -> Told:
    """What is told of trials, by that of their texts: (trials, told), (trials, documents, told).

    First of a text comes its amount. All known texts together are one side; `there` is true where
    there is one.
    """
    amounts, wording = known[..., 0], known[..., 1:]
    if there is not None:
        amounts = amounts.masked_fill(~there, -torch.inf)
    amount = torch.minimum(questioned[:, 0], amounts.logsumexp(1))
    if not wording.shape[-1]:
        return Told(amount, None)
    return Told(amount, (questioned[:, 1:] + mean_of_known(wording, there)) / 2)


class Doubt(nn.Module):
    """An affine map of log-likelihood ratios that depends on what is told of trials."""

    weight: Tensor
    wording: Tensor | None
    """(measures,) what each adds to the gain"""

    def __init__(self, wording: bool = False) -> None:
        super().__init__()
        self.register_buffer("weight", IDENTITY.clone())
        self.register_buffer("wording", torch.zeros(MEASURES) if wording else None)

    def forward(self, log_lr: Tensor, told: Told) -> Tensor:
        """log LR' of each (the shape of the amounts)."""
        return self.by_wording(self.by_amount(log_lr, told.amount), told)

    def by_amount(self, log_lr: Tensor, amount: Tensor) -> Tensor:
        """The same as if all wording were usual."""
        offset, slope = (features(amount) @ self.weight.T.to(log_lr)).unbind(-1)
        doubted: Tensor = offset + slope.clamp(min=_LEAST_SLOPE) * log_lr
        return doubted

    def by_wording(self, log_lr: Tensor, told: Told) -> Tensor:
        """What the wording leaves of that."""
        if self.wording is None or told.wording is None:
            return log_lr
        return gain(told.wording, self.wording) * log_lr


def gain(wording: Tensor, weight: Tensor) -> Tensor:
    """(…) how much of its log-LR a trial of such wording (…, measures) keeps."""
    return (1.0 + wording @ weight.to(wording)).clamp(min=_LEAST_GAIN)


def features(amount: Tensor) -> Tensor:
    """(…, features) what offset and slope are linear in."""
    amount = amount.clamp(math.log(SHORTEST), math.log(LONGEST))
    missing, beyond = (_SHORT - amount).clamp(min=0), (amount - _LONG).clamp(min=0)
    return torch.stack([torch.ones_like(amount), amount - _USUAL, missing, beyond], -1)
