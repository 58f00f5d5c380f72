"""A network with impostors learns how far to believe its likelihood ratios.

From two kinds of pairs: those of authors kept from its encoder, and those of genres kept from the
whole training of networks like it (`leave_out`). The former are what it will meet among texts of
its own kinds, the latter among texts of new ones, which count half as much.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from samehand.corpus.store import Store
from samehand.model.doubt import amount_of_text, features
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.impostors import TRUSTS, Fitted, draw, surprise

Floats = NDArray[np.float64]

_AUTHORS = 0.3
"""Share of the authors of genres left out whose pairs are drawn: enough to fit four figures."""
_ELSEWHERE = 0.5
"""What pairs of genres left out count together, where those of known genres count 1. The more, the
surer is overconfidence on new genres lessened, and the more doubt is cast on known ones."""
_RIDGE = 1e-3


class Weighed(NamedTuple):
    """Pairs as a network without doubt weighs them; all (pairs,)."""

    log_lr: Tensor
    amount: Tensor
    same: Tensor
    source: Tensor

    def weights(self) -> Tensor:
        """For a sum in which sources count alike, and in each of them both kinds of pairs."""
        group = self.source * 2 + self.same.long()
        _, index, counts = torch.unique(group, return_inverse=True, return_counts=True)
        weights: Tensor = 1.0 / (counts[index].double() * len(counts))
        return weights


def own_pairs(fitted: Fitted) -> Weighed:
    """Pairs of the authors kept from the encoder."""
    drawn = fitted.drawn
    amount = amount_of_text(drawn.lengths.amin(0))
    return Weighed(fitted.log_lr, amount, drawn.same, drawn.source)


@torch.no_grad()
def left_out_pairs(fitted: Fitted, store: Store, config: TrainingConfig) -> Weighed:
    """Pairs of the genres that training by `config` left out."""
    others = tuple(name for name in store.about["sources"] if name not in config.leave_out)
    scoring = config.scoring.model_copy(update={"authors": _AUTHORS})
    inverse = config.model_copy(update={"leave_out": others, "scoring": scoring})
    drawn = draw(fitted.network, PairData(store, inverse), inverse, 1)
    first, second = drawn.levs
    log_lr = fitted.network.scoring.log_lr_of_style(first, second.unsqueeze(1), None)
    return Weighed(log_lr.double(), amount_of_text(drawn.lengths.amin(0)), drawn.same, drawn.source)


@torch.no_grad()
def add_doubt(fitted: Fitted, elsewhere: Sequence[Weighed]) -> Fitted:
    """The same network with doubt; `elsewhere`: pairs of genres left out of others' training."""
    groups = [own_pairs(fitted), *elsewhere]
    share = [1.0, *(_ELSEWHERE / len(elsewhere) for _ in elsewhere)]
    weights = torch.cat([s * group.weights() for s, group in zip(share, groups, strict=True)])
    log_lr, amount, same = (torch.cat([group[i] for group in groups]) for i in range(3))
    network = fitted.network.with_parts(doubt=True)
    assert network.scoring.doubt is not None
    network.scoring.doubt.weight.copy_(_fit(log_lr.double(), amount.double(), same, weights))
    doubted = network.scoring.doubt(log_lr.double(), amount.double())
    losses = {trust: float(weights @ surprise(doubted, same, trust)) for trust in TRUSTS}
    trust = min(losses, key=losses.__getitem__)
    network.scoring.adaptation.reset(trust)
    stated = np.round(network.scoring.doubt.weight.double().numpy(), 6).tolist()
    about = {**fitted.about, "doubt": stated, "pairs_elsewhere": len(same) - len(fitted.log_lr)}
    return fitted._replace(network=network.eval(), about=about | {"trust": trust})


def _fit(log_lr: Tensor, amount: Tensor, same: Tensor, weights: Tensor) -> Tensor:
    """The weights (2, 2) of a `Doubt` by logistic regression, drawn to the identity by a little."""
    from scipy.optimize import minimize

    level = features(amount)  # (pairs, 2)
    inputs = torch.cat([level, level * log_lr[:, None]], 1)
    start = torch.tensor([0.0, 0.0, 1.0, 0.0], dtype=torch.float64)
    weights = weights / weights.sum()

    def loss(solution: Floats) -> tuple[float, Floats]:
        moved = torch.from_numpy(solution) - start
        odds = inputs @ (start + moved)
        surprised = F.binary_cross_entropy_with_logits(odds, same.double(), reduction="none")
        slope = inputs.T @ (weights * (torch.sigmoid(odds) - same.double())) + _RIDGE * moved
        return float(weights @ surprised + _RIDGE / 2 * moved @ moved), slope.numpy()

    found = minimize(loss, start.numpy(), jac=True, method="L-BFGS-B").x
    return torch.from_numpy(found).view(2, 2)
