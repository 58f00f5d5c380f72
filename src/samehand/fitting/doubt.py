"""Networks with impostors learn how far to believe their likelihood ratios.

From two kinds of pairs: those with an author kept from their encoders, and those of genres kept
from the whole training of networks like them (`leave_out`). The former are what they will meet
among texts of their own kinds, the latter among texts of new ones.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from samehand.corpus.store import Store
from samehand.fitting.impostors import TRUSTS, Fitted, draw
from samehand.network.doubt import FEATURES, IDENTITY, Told, features, gain
from samehand.text.ngrams import NgramModel
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData

Floats = NDArray[np.float64]

_AUTHORS = 0.3
"""Share of the authors of genres left out whose pairs are drawn: enough for so few weights."""
_ELSEWHERE = 0.1
"""What pairs of genres left out count together, where those of known genres count 1. The more, the
surer is overconfidence on new genres lessened, and the more doubt is cast on known ones. What
wording does is learned from both alike, and from whole texts alone."""
_WHOLE = 0.8
"""What whole texts count, of 1, where it is said how sure all members are together: most texts come
whole, and are easier to tell apart than pieces of others that are as long."""
_RIDGE = 1e-3
_TRUSTS = tuple(trust for trust in TRUSTS if trust >= 0.97)
"""In members that stand together. With less, which is as good, likelihood ratios would end at a
dozen, and what single passages do to them would not show there."""


class Weighed(NamedTuple):
    """Pairs as a network without doubt weighs them; all (pairs,)."""

    log_lr: Tensor
    told: Told
    same: Tensor
    source: Tensor

    def weights(self, chosen: Tensor | None = None) -> Tensor:
        """For a sum in which sources count alike, and in each of them both kinds of pairs.

        Where only some are chosen, others weigh nothing.
        """
        weights = torch.zeros(len(self.same), dtype=torch.float64)
        chosen = torch.ones_like(self.same) if chosen is None else chosen
        group = (self.source * 2 + self.same.long())[chosen]
        _, index, counts = torch.unique(group, return_inverse=True, return_counts=True)
        weights[chosen] = 1.0 / (counts[index].double() * len(counts))
        return weights


def own_pairs(fitted: Fitted) -> Weighed:
    """Pairs that a network has drawn: of whole texts, and of short pieces."""
    drawn = fitted.drawn
    source = 2 * drawn.source + drawn.whole.long()  # each kind of text counts as a source
    return Weighed(fitted.log_lr, drawn.told_of_pairs(), drawn.same, source)


@torch.no_grad()
def left_out_pairs(
    fitted: Fitted, store: Store, config: TrainingConfig, wording: NgramModel | None = None
) -> Fitted:
    """The network with pairs of the genres that training by `config`, and the wording, left out.

    They are of whole texts.
    """
    data, inverse = elsewhere(store, config)
    drawn = draw(fitted.network, data, inverse, (True,), wording)
    first, second = drawn.all_levs()
    log_lr = fitted.network.scoring.log_lr_known(first, second.unsqueeze(1), None)
    return fitted._replace(drawn=drawn, log_lr=log_lr.double())


def elsewhere(store: Store, config: TrainingConfig) -> tuple[PairData, TrainingConfig]:
    """The genres that training by `config` left out, with some authors whose pairs are drawn."""
    others = tuple(name for name in store.about["sources"] if name not in config.leave_out)
    scoring = config.scoring.model_copy(update={"authors": _AUTHORS})
    inverse = config.model_copy(update={"leave_out": others, "scoring": scoring})
    return PairData(store, inverse), inverse


def add_doubt(members: Sequence[Fitted], left_out: Sequence[Fitted]) -> list[Fitted]:
    """The same networks with doubt, such that the mean of their posteriors comes out right.

    Each learns its own by the amount of text; by wording all learn one, and then each its own once
    more, since long texts are plainer than short ones; at last all are made surer alike: a mean is
    less sure than those it is made of. All have weighed the same pairs of their own. `left_out`:
    other networks, with pairs of genres left out of their training; each of these speaks for all
    members.
    """
    own = [own_pairs(member) for member in members]
    strange = [own_pairs(fold) for fold in left_out]
    groups = [own[0], *strange]
    whole = members[0].drawn.whole

    def weights(share: float, of_whole: float) -> Tensor:
        """What genres left out count, and of known ones whole texts; pieces count the rest."""
        of_own = own[0].weights() * torch.where(whole, of_whole, 1 - of_whole)
        of_groups = [share / len(strange) * group.weights() for group in strange]
        both = torch.cat([of_own / of_own.sum(), *of_groups])
        return both / both.sum()

    same = torch.cat([group.same for group in groups])
    level = features(torch.cat([group.told.amount for group in groups]).double())
    usual = weights(_ELSEWHERE, 0.5)
    pairs = [
        Pairs(torch.cat([seen.log_lr, *(g.log_lr for g in strange)]).double(), level, same, usual)
        for seen in own
    ]
    alone = torch.stack([fit(seen) for seen in pairs])
    by_wording = None
    if own[0].told.wording is not None:
        wording = torch.cat([_wording(group) for group in groups]).double()
        even = weights(1.0, 1.0)
        by_wording = fit_wording([p._replace(weights=even) for p in pairs], alone, wording)
        kept = gain(wording, by_wording)
        pairs = [seen._replace(gain=kept) for seen in pairs]
        alone = torch.stack([fit(seen) for seen in pairs])
    in_use = weights(_ELSEWHERE, _WHOLE)
    pairs = [seen._replace(weights=in_use) for seen in pairs]
    found = {trust: fit_together(pairs, alone, trust) for trust in _TRUSTS}
    trust = min(found, key=lambda trust: found[trust][1])
    return [
        _with_doubt(member, weight, by_wording, trust, len(same) - len(own[0].same))
        for member, weight in zip(members, found[trust][0], strict=True)
    ]


def _wording(group: Weighed) -> Tensor:
    assert group.told.wording is not None
    return group.told.wording


class Pairs(NamedTuple):
    """Pairs that doubt is fitted to."""

    log_lr: Tensor
    level: Tensor
    """(pairs, features) what offset and slope are linear in"""
    same: Tensor
    weights: Tensor
    """which sum to 1"""
    gain: Tensor | float = 1.0
    """(pairs,) by wording"""

    def odds(self, weight: Tensor) -> Tensor:
        """log LR' by the weights of a `Doubt`."""
        offset, slope = (self.level @ weight.T).unbind(1)
        return self.gain * (offset + slope * self.log_lr)


def fit(pairs: Pairs) -> Tensor:
    """The weights (2, features) of a `Doubt` by logistic regression, drawn to the identity."""
    start = IDENTITY.double()

    def loss(weight: Tensor) -> Tensor:
        surprise = F.binary_cross_entropy_with_logits(
            pairs.odds(weight.view_as(start)), pairs.same.double(), reduction="none"
        )
        moved = weight.view_as(start) - start
        return pairs.weights @ surprise + _RIDGE / 2 * moved.square().sum()

    return least(loss, start.flatten())[0].view_as(start)


def fit_wording(members: Sequence[Pairs], alone: Tensor, wording: Tensor) -> Tensor:
    """What each measure of wording (pairs, measures) adds to the gain, best for all members.

    How sure they are on the whole is free, so that it is not mixed up with wording.
    """
    odds = torch.stack([own.odds(weight) for own, weight in zip(members, alone, strict=True)])

    def loss(at: Tensor) -> Tensor:
        kept = gain(wording, at[2:])
        surprise = _surprise(members[0], at[0] * (odds + at[1]) * kept, _TRUSTS[0])
        return surprise + _RIDGE * at[2:].square().sum()

    start = torch.tensor([1.0, 0.0, *[0.0] * wording.shape[1]], dtype=torch.float64)
    return least(loss, start)[0][2:]


def fit_together(members: Sequence[Pairs], alone: Tensor, trust: float) -> tuple[Tensor, float]:
    """Weights (members, 2, features) whose mean posterior is right, and its loss.

    Those of each member `alone`, times a factor, plus an offset, which are common to all.
    """

    def moved(common: Tensor) -> Tensor:
        offset = torch.stack([common[1:], torch.zeros_like(common[1:])])
        return common[0] * alone + offset

    def loss(common: Tensor) -> Tensor:
        odds = [own.odds(weight) for own, weight in zip(members, moved(common), strict=True)]
        return _surprise(members[0], torch.stack(odds), trust)

    common, surprise = least(loss, torch.tensor([1.0, *[0.0] * FEATURES], dtype=torch.float64))
    return moved(common), surprise


def _surprise(pairs: Pairs, odds: Tensor, trust: float) -> Tensor:
    """Mean surprise in nats of the mean posterior of log odds (members, pairs)."""
    right = torch.sigmoid(torch.where(pairs.same, 1, -1) * odds)
    stated = (trust * right + (1 - trust) * (1 - right)).mean(0)
    return -pairs.weights @ stated.clamp(min=1e-12).log()


def least(loss: Callable[[Tensor], Tensor], start: Tensor) -> tuple[Tensor, float]:
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
def _with_doubt(
    member: Fitted, weight: Tensor, by_wording: Tensor | None, trust: float, n_elsewhere: int
) -> Fitted:
    network = member.network.with_parts()
    doubt = network.scoring.doubt
    assert doubt is not None
    doubt.weight.copy_(weight)
    if doubt.wording is not None and by_wording is not None:
        doubt.wording.copy_(by_wording)
    network.scoring.adaptation.reset(trust)
    about = {
        **member.about,
        "doubt": np.round(weight.numpy(), 6).tolist(),
        "pairs_elsewhere": n_elsewhere,
        "trust": trust,
    }
    if by_wording is not None:
        about["doubt_by_wording"] = np.round(by_wording.numpy(), 6).tolist()
    return member._replace(network=network.eval(), about=about)
