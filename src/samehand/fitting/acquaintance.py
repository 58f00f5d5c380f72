"""What a model learns about populations: how far to believe them.

From pairs of known genres, with authors kept from the encoders, and from pairs of genres left out,
each measured by texts of its own source by others.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from samehand.fitting.doubt import least, own_pairs
from samehand.fitting.impostors import Fitted, by_others, choose
from samehand.network.acquaintance import Weights, closeness, nearness
from samehand.network.doubt import FEATURES, features
from samehand.network.impostors import apart, unbend

_RIDGE = 1e-3


class Judged(NamedTuple):
    """Pairs as networks with doubt judge them, and their closeness; all (pairs,)."""

    log_lr: Tensor
    closeness: Tensor
    amount: Tensor
    same: Tensor
    weights: Tensor


@torch.no_grad()
def learn_acquaintance(members: Sequence[Fitted], left_out: Sequence[Fitted]) -> Weights:
    """From networks that answer together, and others with pairs of genres left out, all doubting.

    Known genres and those left out count alike, and so do sources, whole texts and short pieces,
    and both kinds of pairs.
    """
    groups = [judged(members), *(judged([fold]) for fold in left_out)]
    shares = [0.5, *[0.5 / len(left_out)] * len(left_out)] if left_out else [1.0]
    log_lr, near, amount, same, _ = (torch.cat(parts) for parts in zip(*groups, strict=True))
    weights = torch.cat([s * group.weights for s, group in zip(shares, groups, strict=True)])
    level = features(amount.double())
    start = torch.tensor([1.0, *[0.0] * (2 * FEATURES)], dtype=torch.float64)

    def loss(at: Tensor) -> Tensor:
        offset, weight = (level @ at[1:].view(2, FEATURES).T).unbind(1)
        odds = offset + at[0] * log_lr + weight * near
        surprise = F.binary_cross_entropy_with_logits(odds, same.double(), reduction="none")
        return weights @ surprise + _RIDGE / 2 * (at - start).square().sum()

    found, _ = least(loss, start)
    return Weights(float(found[0]), found[1:].view(2, FEATURES))


@torch.no_grad()
def judged(members: Sequence[Fitted]) -> Judged:
    """The pairs that these networks have drawn, the same ones all, judged by all together.

    Without those of sources that have too few authors for a population.
    """
    drawn = members[0].drawn
    chosen = choose(drawn)
    near = torch.zeros(len(drawn.same), dtype=torch.float64)
    posterior = torch.zeros_like(near)
    usable = torch.zeros_like(drawn.same)
    for member in members:
        scoring = member.network.scoring
        assert scoring.doubt is not None
        log_lr = scoring.doubt(member.log_lr.float(), drawn.told_of_pairs())
        first, second = member.drawn.levs
        posterior += scoring.adaptation(first, second, log_lr).probability / len(members)
        vectors = unbend(member.drawn.levs)
        authors, source = drawn.authors, drawn.source.repeat(2)[chosen]
        for place in torch.unique(source).tolist():
            inside, there = drawn.source == place, chosen[source == place]
            usable |= inside
            others = by_others(authors.flatten()[there], authors[:, inside])
            population = vectors.flatten(0, 1)[there]
            sides = [nearness(side[inside], population, others) for side in vectors]
            distance = apart(vectors[0, inside], vectors[1, inside].unsqueeze(1), None)
            near[inside] += closeness(distance, torch.stack(sides).mean(0)) / len(members)
    pairs = own_pairs(members[0])
    weights = pairs.weights(usable)
    return Judged(posterior.logit(), near, pairs.told.amount, drawn.same, weights)
