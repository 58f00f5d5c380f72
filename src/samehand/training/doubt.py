"""Networks with impostors learn how far to believe their likelihood ratios.

From two kinds of pairs: those with an author kept from their encoders, and those of genres kept
from the whole training of networks like them (`leave_out`). The former are what they will meet
among texts of their own kinds, the latter among texts of new ones, which count less.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from samehand.corpus.store import Store
from samehand.model.doubt import IDENTITY, amount_of_text, features
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.impostors import TRUSTS, Fitted, draw

Floats = NDArray[np.float64]

_AUTHORS = 0.3
"""Share of the authors of genres left out whose pairs are drawn: enough to fit four figures."""
_ELSEWHERE = 0.03
"""What pairs of genres left out count together, where those of known genres count 1. The more, the
surer is overconfidence on new genres lessened, and the more doubt is cast on known ones."""
_RIDGE = 1e-3
_TRUSTS = tuple(trust for trust in TRUSTS if trust >= 0.97)
"""In members that stand together. With less, which is as good, likelihood ratios would end at a
dozen, and what single passages do to them would not show there."""


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
    """Pairs of the authors kept from the encoder: of whole texts, and of short pieces."""
    drawn = fitted.drawn
    source = 2 * drawn.source + drawn.whole.long()  # each kind of text counts as a source
    return Weighed(fitted.log_lr, amount_of_text(drawn.lengths.amin(0)), drawn.same, source)


@torch.no_grad()
def left_out_pairs(fitted: Fitted, store: Store, config: TrainingConfig) -> Weighed:
    """Pairs of the genres that training by `config` left out, of whole texts."""
    others = tuple(name for name in store.about["sources"] if name not in config.leave_out)
    scoring = config.scoring.model_copy(update={"authors": _AUTHORS})
    inverse = config.model_copy(update={"leave_out": others, "scoring": scoring})
    drawn = draw(fitted.network, PairData(store, inverse), inverse, (True,))
    first, second = drawn.levs
    log_lr = fitted.network.scoring.log_lr_known(first, second.unsqueeze(1), None)
    return Weighed(log_lr.double(), amount_of_text(drawn.lengths.amin(0)), drawn.same, drawn.source)


def add_doubt(members: Sequence[Fitted], elsewhere: Sequence[Weighed]) -> list[Fitted]:
    """The same networks with doubt, such that the mean of their posteriors comes out right.

    Each learns its own, and then all are made surer alike: a mean is less sure than those it is
    made of. All have weighed the same pairs of their own. `elsewhere`: pairs of genres left out of
    the training of other networks; each of these speaks for all members.
    """
    own = [own_pairs(member) for member in members]
    weights = [own[0].weights(), *(_ELSEWHERE / len(elsewhere) * g.weights() for g in elsewhere)]
    groups = [own[0], *elsewhere]
    same, amount = (torch.cat([group[i] for group in groups]) for i in (2, 1))
    pairs = [
        Pairs(
            torch.cat([seen.log_lr, *(group.log_lr for group in elsewhere)]).double(),
            features(amount.double()),
            same,
            torch.cat(weights) / sum(float(part.sum()) for part in weights),
        )
        for seen in own
    ]
    alone = torch.stack([fit(seen) for seen in pairs])
    found = {trust: fit_together(pairs, alone, trust) for trust in _TRUSTS}
    trust = min(found, key=lambda trust: found[trust][1])
    return [
        _with_doubt(member, weight, trust, len(same) - len(own[0].same))
        for member, weight in zip(members, found[trust][0], strict=True)
    ]


class Pairs(NamedTuple):
    """Pairs that doubt is fitted to."""

    log_lr: Tensor
    level: Tensor
    """(pairs, 3) what offset and slope are linear in"""
    same: Tensor
    weights: Tensor
    """which sum to 1"""

    def odds(self, weight: Tensor) -> Tensor:
        """log LR' by the weights of a `Doubt`."""
        offset, slope = (self.level @ weight.T).unbind(1)
        return offset + slope * self.log_lr


def fit(pairs: Pairs) -> Tensor:
    """The weights (2, 3) of a `Doubt` by logistic regression, drawn to the identity by a little."""
    start = IDENTITY.double()

    def loss(weight: Tensor) -> Tensor:
        surprise = F.binary_cross_entropy_with_logits(
            pairs.odds(weight.view_as(start)), pairs.same.double(), reduction="none"
        )
        moved = weight.view_as(start) - start
        return pairs.weights @ surprise + _RIDGE / 2 * moved.square().sum()

    return _least(loss, start.flatten())[0].view_as(start)


def fit_together(members: Sequence[Pairs], alone: Tensor, trust: float) -> tuple[Tensor, float]:
    """Weights (members, 2, 3) whose mean posterior is right, and its loss.

    Those of each member `alone`, times a factor, plus an offset, which are common to all.
    """
    pairs = members[0]

    def moved(common: Tensor) -> Tensor:
        offset = torch.stack([common[1:], torch.zeros_like(common[1:])])
        return common[0] * alone + offset

    def loss(common: Tensor) -> Tensor:
        odds = [own.odds(weight) for own, weight in zip(members, moved(common), strict=True)]
        right = torch.sigmoid(torch.where(pairs.same, 1, -1) * torch.stack(odds))
        stated = (trust * right + (1 - trust) * (1 - right)).mean(0)
        return -pairs.weights @ stated.clamp(min=1e-12).log()

    common, least = _least(loss, torch.tensor([1.0, 0.0, 0.0, 0.0], dtype=torch.float64))
    return moved(common), least


def _least(loss: Callable[[Tensor], Tensor], start: Tensor) -> tuple[Tensor, float]:
    """Where a smooth function is least, and what it is there."""
    from scipy.optimize import minimize

    @torch.enable_grad()
    def with_gradient(at: Floats) -> tuple[float, Floats]:
        x = torch.from_numpy(at).requires_grad_()
        value = loss(x)
        (gradient,) = torch.autograd.grad(value, x)
        return float(value.detach()), gradient.numpy()

    found = minimize(with_gradient, start.numpy(), jac=True, method="L-BFGS-B")
    return torch.from_numpy(found.x), float(found.fun)


@torch.no_grad()
def _with_doubt(member: Fitted, weight: Tensor, trust: float, n_elsewhere: int) -> Fitted:
    network = member.network.with_parts()
    assert network.scoring.doubt is not None
    network.scoring.doubt.weight.copy_(weight)
    network.scoring.adaptation.reset(trust)
    about = {
        **member.about,
        "doubt": np.round(weight.numpy(), 6).tolist(),
        "pairs_elsewhere": n_elsewhere,
        "trust": trust,
    }
    return member._replace(network=network.eval(), about=about)
