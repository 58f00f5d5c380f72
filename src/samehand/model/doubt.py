"""How far a likelihood ratio is to be believed, by the amount of text it rests on.

In a short text style hardly shows, so its distance to any other says little; in a long one the same
distance says more. log LR' = a + b · log LR, where a and b depend on the logarithm of the number of
tokens in the shorter side of a trial: linearly, with a bend where texts get too short. They are
fitted to texts of all lengths, among them texts of genres the encoder has never met
(`samehand.training.doubt`).
"""

import math

import torch
from torch import Tensor, nn

SHORTEST, LONGEST = 60, 5_464
"""Tokens between which the amount of text makes a difference."""
_USUAL, _SHORT = math.log(400), math.log(250)
_LEAST_SLOPE = 0.02
IDENTITY = torch.tensor([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
"""Weights (2, 3) that leave a log-LR as it is: of offset and slope, by `features`."""


def amount_of_text(tokens: Tensor) -> Tensor:
    """What is remembered of a text's length: the logarithm of its number of tokens."""
    return tokens.clamp(min=1).float().log()


def amount_in_trial(questioned: Tensor, known: Tensor, there: Tensor | None) -> Tensor:
    """Amounts (trials,) of the shorter side, of (trials,) and (trials, documents).

    All known texts together are one side; `there` is true where there is one.
    """
    if there is not None:
        known = known.masked_fill(~there, -torch.inf)
    return torch.minimum(questioned, known.logsumexp(1))


class Doubt(nn.Module):
    """An affine map of log-likelihood ratios; its offset and slope depend on the amount of text."""

    weight: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", IDENTITY.clone())

    def forward(self, log_lr: Tensor, amount: Tensor) -> Tensor:
        """log LR' of each, for the amounts of text (the same shape)."""
        offset, slope = (features(amount) @ self.weight.T.to(log_lr)).unbind(-1)
        return offset + slope.clamp(min=_LEAST_SLOPE) * log_lr


def features(amount: Tensor) -> Tensor:
    """(…, 3) what offset and slope are linear in."""
    amount = amount.clamp(math.log(SHORTEST), math.log(LONGEST))
    missing = (_SHORT - amount).clamp(min=0)
    return torch.stack([torch.ones_like(amount), amount - _USUAL, missing], -1)
