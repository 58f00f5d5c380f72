"""Texts by others, of all the kinds a network knows, by which the distance of a pair is measured.

How far apart two texts of one author lie depends on what they are: short ones, and odd ones, are
far from everything. Part of that is undone by measuring in units of the distance to texts of the
kind they are most like, by other people. And what a distance says grows less than in proportion:
how pronounced a style is differs from text to text, and so do the distances between texts of one
hand.
"""

from functools import cached_property

import torch
from torch import Tensor, nn

from samehand.network.known import mean_of_known

NEAREST = 0.25
"""Share of the texts of a kind that count as near a text. A share, not a number: then what is
fitted holds for any number of them."""
_FOLLOWED = 0.4
"""How far the unit follows nearness, as a power: wholly would be best on known kinds of text, and
worst on new ones, where the nearest texts are of another kind, and too far off."""
_STRANGE = 0.5
"""Standard deviations above what is usual within a kind from which nearness is that of a stranger
to it, and grows no further: or else all texts of a new kind would seem by one hand."""
_BEND = 0.3
"""How soon a distance says less than in proportion: one of d units counts as log(1 + 0.3 d). With
10, nearly the logarithm itself, new kinds of text are told apart a little better, and long texts of
known kinds that lie close pass too surely for one hand's."""
_LEAST = 1e-6
"""Squared distance at least: a text may be an impostor, or compared with itself."""
_BENT = 0.97
"""LEVs are tanh of what the network computed; beyond this the bend is not undone. With 0.995 a few
directions in which a style is extreme would outweigh all others."""


def unbend(levs: Tensor) -> Tensor:
    """What LEVs were before their tanh, which hides differences between pronounced traits."""
    return levs.clamp(-_BENT, _BENT).atanh()


def nearest(squared: Tensor) -> Tensor:
    """Mean (texts,) of the smallest quarter of squared distances (texts, others)."""
    return squared.topk(_near(squared.shape[1]), largest=False).values.mean(1)


def _near(n: int) -> int:
    """How many of so many texts count as near."""
    return max(1, round(NEAREST * n))


def apart(questioned: Tensor, known: Tensor, there: Tensor | None) -> Tensor:
    """Squared distance (trials,) of vectors (trials, size) to the mean of (trials, texts, size).

    As large as it would be to a single text: a mean of several is nearer, having less chance in it.
    """
    n = known.shape[1] if there is None else there.sum(1)
    distance = (questioned - mean_of_known(known, there)).square().sum(1)
    return distance * (2 * n / (n + 1))


class Impostors(nn.Module):
    """Vectors (impostors, size) of texts, each by somebody else, and the kind of text each is."""

    vectors: Tensor
    kinds: Tensor

    def __init__(self, n: int, size: int) -> None:
        super().__init__()
        self.register_buffer("vectors", torch.zeros(n, size))
        self.register_buffer("kinds", torch.zeros(n, dtype=torch.long))

    def nearness(self, x: Tensor, other: Tensor | None = None) -> Tensor:
        """Mean squared distance (texts,) of vectors (texts, size) to the nearest texts of a kind.

        Of that kind to which it is least, and no larger than is usual within it. `other` (texts,
        impostors) is false for impostors that are none, being by the same author.
        """
        places, shares = self._by_kind
        vectors, norms = (of.to(x) for of in self._in_order_of_kinds)
        # Half the time of `torch.cdist`, where texts are few.
        d = torch.addmm(norms, x, vectors.T, alpha=-2) + x.square().sum(1, keepdim=True)
        d = d.clamp(min=0).view(-1, *places.shape)
        if other is not None:
            there = torch.cat([other, torch.zeros_like(other[:, :1])], 1)
            d = d.masked_fill(~there[:, places], torch.inf)
        first = d.topk(shares.shape[1], largest=False).values  # (texts, kinds, most that count)
        near, kind = (first.masked_fill(shares == 0, 0) * shares.to(x)).sum(2).min(1)
        return torch.minimum(near, self._usual[0].to(x)[kind])

    def scale(self, distance: Tensor, near: Tensor) -> Tensor:
        """What squared distances are to be multiplied by, by the mean nearness of both texts."""
        unit = self._usual[1].to(near) ** (1 - _FOLLOWED) * near.clamp(min=_LEAST) ** _FOLLOWED
        distance = distance.clamp(min=_LEAST)
        return (_BEND * distance / unit).log1p() / distance

    @cached_property
    def _of_kinds(self) -> list[Tensor]:
        """The places of each kind; once they are what they will be."""
        return [torch.nonzero(self.kinds == kind)[:, 0] for kind in torch.unique(self.kinds)]

    @cached_property
    def _by_kind(self) -> tuple[Tensor, Tensor]:
        """The places (kinds, texts) of each kind, and the share (kinds, near) of each near text.

        Kinds differ in size: places go on with one behind the last impostor, shares with 0. So all
        kinds are searched in one go; one after the other they took a third of a trial's time.
        """
        sizes = [len(of) for of in self._of_kinds]
        places = torch.full((len(sizes), max(sizes)), len(self.kinds))
        shares = torch.zeros(len(sizes), _near(max(sizes)))
        for kind, of in enumerate(self._of_kinds):
            places[kind, : len(of)] = of
            shares[kind, : _near(len(of))] = 1 / _near(len(of))
        return places, shares

    @cached_property
    def _in_order_of_kinds(self) -> tuple[Tensor, Tensor]:
        """Vectors by these places (kinds · texts, size), and their squared lengths.

        At places without an impostor, that is infinite.
        """
        vectors = torch.cat([self.vectors, torch.zeros_like(self.vectors[:1])])
        norms = vectors.square().sum(1)
        norms[-1] = torch.inf
        places = self._by_kind[0].flatten()
        return vectors[places], norms[places]

    @cached_property
    def _usual(self) -> tuple[Tensor, Tensor]:
        """The largest nearness that is usual within each kind, and the typical one of all kinds."""
        largest, typical = [], []
        for of in self._of_kinds:
            own = self.vectors[of].float()
            d = torch.cdist(own, own).square().fill_diagonal_(torch.inf)
            near = nearest(d).clamp(min=_LEAST).log()
            largest.append(near.mean() + _STRANGE * near.std())
            typical.append(near.mean())
        return torch.stack(largest).exp(), torch.stack(typical).median().exp()
