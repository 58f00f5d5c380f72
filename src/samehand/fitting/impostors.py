"""A trained network is given impostors, and a scoring that measures distances by them.

Both come from the authors that were kept from the encoder: to it they are as strange as those it
will be asked about.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from samehand.errors import InputError
from samehand.fitting.wording import WordingReader
from samehand.network.acquaintance import FEWEST
from samehand.network.bayes import logistic
from samehand.network.doubt import Told, amount_of_text, told_of_trial
from samehand.network.impostors import apart, unbend
from samehand.network.network import Network, even_weights
from samehand.text.ngrams import NgramModel
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData, in_chunks
from samehand.training.device_store import DeviceStore
from samehand.training.texts import Texts

Ints = NDArray[np.integer[Any]]

_OF_A_KIND = 100
"""Impostors of one source, at most; none of one with fewer authors than a population needs."""
TRUSTS = (0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.999)
_EMBEDDED_AT_ONCE = 64


class Drawn(NamedTuple):
    """LEVs of pairs of texts, and whose they are. All (pairs, …), first texts and second ones."""

    levs: Tensor
    """(2, pairs, lev)"""
    authors: Tensor
    """(2, pairs)"""
    lengths: Tensor
    """(2, pairs) tokens"""
    told: Tensor
    """(2, pairs, measures) of their wording; of none, where that is not told"""
    strange: Tensor
    """(2, pairs) whether the encoder has not met the author"""
    same: Tensor
    source: Tensor
    whole: Tensor
    """Whether the texts are as long as may be, not short pieces."""

    def all_levs(self) -> Tensor:
        """(2, pairs, …) LEVs with the amount of text and its wording."""
        return torch.cat([self.levs, amount_of_text(self.lengths).unsqueeze(2), self.told], 2)

    def told_of_pairs(self) -> Told:
        """What is told of each pair beside its style."""
        first, second = self.all_levs()[..., self.levs.shape[2] :]
        return told_of_trial(first, second.unsqueeze(1), None)


class Fitted(NamedTuple):
    """A network with impostors, and how its scoring came out."""

    network: Network
    about: dict[str, Any]
    drawn: Drawn
    """What the scoring was fitted to, or will be."""
    log_lr: Tensor
    """(pairs,) of those, by impostors that are none of a pair's own authors"""


@torch.no_grad()
def add_impostors(
    network: Network, data: PairData, config: TrainingConfig, wording: NgramModel | None = None
) -> Fitted:
    """Copy a network trained by `config`, and fit it a scoring with impostors.

    The log-LR falls linearly with the distance of a pair as impostors measure it. Trust in it, the
    adaptation's confusion matrix, is what predicts pairs of a source best from the pairs of all
    others. Both are for whole texts; short pieces are left to the doubt.
    """
    drawn = draw(network, data, config, (False, True), wording)
    vectors = unbend(drawn.levs)  # (2, pairs, lev)
    chosen = choose(drawn)
    settings = {
        "bfs_size": config.network.lev_size,
        "bfs_activation": "none",
        "bfs_domain": "unknown",
        "impostors": len(chosen),
        "doubt": True,  # of which there is none yet, but what it goes by is told
        "wording": wording is not None,
    }
    sizes = len(network.encoder.words.weight), len(network.encoder.characters.weight)
    fitted = Network(config.network.model_copy(update=settings), *sizes)
    fitted.encoder.load_state_dict(network.encoder.state_dict())
    fitted.metric.load_state_dict(network.metric.state_dict())
    scoring = fitted.scoring
    torch.nn.init.eye_(scoring.bayes.reduction.weight)
    torch.nn.init.zeros_(scoring.bayes.reduction.bias)
    assert scoring.impostors is not None
    scoring.impostors.vectors.copy_(vectors.flatten(0, 1)[chosen])
    scoring.impostors.kinds.copy_(drawn.source.repeat(2)[chosen])

    distance = apart(vectors[0], vectors[1].unsqueeze(1), None)
    others = by_others(drawn.authors.flatten()[chosen], drawn.authors)
    near = torch.stack([scoring.impostors.nearness(side, others) for side in vectors]).mean(0)
    ratios = (distance * scoring.impostors.scale(distance, near)).double()
    ratio, same, of_source = (part[drawn.whole] for part in (ratios, drawn.same, drawn.source))
    offset, slope = logistic(ratio, same)
    scoring.bayes.covariances.start_isotropic(offset, slope)
    elsewhere = torch.zeros_like(ratio)
    for source in torch.unique(of_source).tolist():
        inside = of_source == source
        a, b = logistic(ratio[~inside], same[~inside]) if not inside.all() else (offset, slope)
        elsewhere[inside] = a - b * ratio[inside]
    losses = {trust: _even_loss(elsewhere, same, trust) for trust in TRUSTS}
    trust = min(losses, key=losses.__getitem__)
    scoring.adaptation.reset(trust)
    about = {
        "pairs": len(ratio),
        "impostors": len(chosen),
        "offset": offset,
        "slope": slope,
        "trust": trust,
        "loss_elsewhere": losses[trust],
    }
    return Fitted(fitted.eval(), about, drawn, offset - slope * ratios)


def draw(
    network: Network, data: PairData, config: TrainingConfig, kinds: Sequence[bool],
    wording: NgramModel | None,
) -> Drawn:  # fmt: skip
    """Pairs of the authors kept from the encoder, of whole texts (true), short pieces, or both."""
    read = WordingReader(data.store, wording)
    store = DeviceStore(data.store, config.network.masking, config.network.most_words)
    parts = []
    for whole in kinds:
        paired = data.judging_pairs(whole=whole)
        if paired is None:
            raise InputError(
                f"{data.store.folder}: no pairs of authors kept from the encoder; train with "
                "scoring.authors above 0."
            )
        both = np.stack([paired.pairs.first, paired.pairs.second])
        used = np.unique(both)
        levs = embed(network, store, paired.texts, used, config)
        told = torch.zeros(len(paired.texts), read.measures)
        told[torch.from_numpy(used)] = read(paired.texts, used)
        parts.append(
            Drawn(
                levs[torch.from_numpy(both)],
                torch.from_numpy(paired.texts.author[both].astype(np.int64)),
                torch.from_numpy(paired.texts.lengths[both].astype(np.int64)),
                told[torch.from_numpy(both)],
                torch.from_numpy(data.kept_from_encoder(paired.texts.author)[both]),
                torch.from_numpy(paired.pairs.same_author),
                torch.from_numpy(paired.texts.source[both[0]].astype(np.int64)),
                torch.full((both.shape[1],), whole),
            )
        )
    of_texts = (torch.cat([part[i] for part in parts], 1) for i in range(5))
    of_pairs = (torch.cat([part[i] for part in parts]) for i in (5, 6, 7))
    return Drawn(*of_texts, *of_pairs)


def embed(
    network: Network, store: DeviceStore, texts: Texts, used: Ints, config: TrainingConfig
) -> Tensor:
    """LEVs of style (texts, lev), of the texts used."""
    levs = torch.zeros(len(texts), network.config.lev_size)
    for chunk in in_chunks(used[np.argsort(texts.lengths[used])], _EMBEDDED_AT_ONCE):
        with torch.inference_mode():
            found = network.style(store.read(texts, chunk, config.network.windowing))
        levs[torch.from_numpy(chunk)] = found
    return levs


def choose(drawn: Drawn) -> Tensor:
    """Places among all texts, first ones then second ones: of each source some, by as many authors.

    Whole texts by authors that the encoder has not met.
    """
    rng = np.random.default_rng(4)
    order = rng.permutation(torch.nonzero((drawn.whole & drawn.strange).flatten()).flatten())
    order = order[np.unique(drawn.authors.flatten()[order], return_index=True)[1]]
    order = rng.permutation(order)
    sources = drawn.source.repeat(2).numpy()[order]
    kept = [order[sources == one][:_OF_A_KIND] for one in np.unique(sources)]
    kept = [of_kind for of_kind in kept if len(of_kind) >= FEWEST]
    if not kept:
        raise InputError(
            f"No source has {FEWEST} authors kept from the encoder to be impostors; add text."
        )
    return torch.from_numpy(np.sort(np.concatenate(kept)))


def by_others(theirs: Tensor, authors: Tensor) -> Tensor:
    """(pairs, texts) whether texts of these authors are by none of the authors (2, pairs)."""
    return (theirs != authors[0, :, None]) & (theirs != authors[1, :, None])


def _even_loss(log_lr: Tensor, same: Tensor, trust: float = 1.0) -> float:
    """Mean surprise in nats, both kinds of pairs weighing alike, of log-LRs trusted so far."""
    return float(even_weights(same).to(log_lr) @ surprise(log_lr, same, trust))


def surprise(log_lr: Tensor, same: Tensor, trust: float) -> Tensor:
    """(pairs,) in nats, at the truth, of one who trusts log-LRs so far."""
    right = torch.sigmoid(torch.where(same, log_lr, -log_lr))
    return -(trust * right + (1 - trust) * (1 - right)).clamp(min=1e-12).log()
