"""The whole: encoder → metric (DML) → Bayes factor (BFS) → adaptation (UAL), each with its loss."""

from typing import NamedTuple

import torch
from torch import Tensor, distributed, nn

from samehand.model.config import NetworkConfig
from samehand.network.adaptation import Adaptation, Adapted, adaptation_loss
from samehand.network.bayes import BayesFactor, bayes_factor_loss
from samehand.network.documents import Documents
from samehand.network.encoder import Encoder, SiameseMasks
from samehand.network.metric import Metric
from samehand.network.two_covariance import mean_of_known


class Scores(NamedTuple):
    """p(same author) of each pair by each component."""

    dml: Tensor
    bfs: Tensor
    ual: Tensor


class Losses(NamedTuple):
    """The mean loss of each component, whose sum is minimised. None reaches another's weights."""

    dml: Tensor
    bfs: Tensor
    ual: Tensor

    @property
    def total(self) -> Tensor:
        """Eq. `lossall`."""
        return self.dml + self.bfs + self.ual


class Scoring(nn.Module):
    """Turns a pair of LEVs into a posterior: Bayes factor, then adaptation."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.bayes = BayesFactor(
            config.lev_size, config.bfs_size, config.bfs_activation, config.bfs_domain
        )
        self.adaptation = Adaptation(config.lev_size, config.ual_size)
        self.beta = config.beta

    def forward(
        self, questioned: Tensor, known: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Adapted]:
        """Log LRs (trials,) by the Bayes factor, and what the adaptation makes of them.

        LEVs are (trials, lev) and (trials, documents, lev), the known ones of each trial by one
        author; `mask` (trials, documents) is true where there is a document, everywhere by default.
        """
        log_lr = self.bayes.log_lr_known(questioned, known, mask)
        return log_lr, self.adaptation(questioned, mean_of_known(known, mask), log_lr)

    def start_from_pairs(self, y1: Tensor, y2: Tensor, same: Tensor) -> None:
        """Begin anew: the BFS from pairs of LEVs, the UAL from trusting it."""
        self.bayes.start_from_pairs(y1, y2, same)
        self.adaptation.reset()

    def losses(
        self, y1: Tensor, y2: Tensor, same: Tensor, *, dropout: float = 0, even_kinds: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Mean losses of BFS and UAL. No gradient passes to the LEVs, nor from the UAL to the BFS.

        With `even_kinds` both kinds of pairs weigh the same, whatever their numbers.
        """
        y1, y2 = y1.detach(), y2.detach()
        log_lr = self.bayes(*_dropped(y1, y2, dropout))
        bfs = bayes_factor_loss(log_lr, same)
        adapted = self.adaptation(*_dropped(y1, y2, dropout), log_lr.detach())
        ual = adaptation_loss(adapted, same, self.beta)
        if not even_kinds:
            return bfs.mean(), ual.mean()
        weights = even_weights(same)
        return weights @ bfs, weights @ ual

    def posteriors(self, y1: Tensor, y2: Tensor) -> tuple[Tensor, Tensor]:
        """p(same author) of each pair of LEVs by the Bayes factor, and after the adaptation."""
        log_lr, adapted = self(y1, y2.unsqueeze(1))
        return torch.sigmoid(log_lr), adapted.probability


class Network(nn.Module):
    """Documents in, LEVs and posteriors out."""

    def __init__(self, config: NetworkConfig, n_words: int, n_characters: int) -> None:
        super().__init__()
        self.config = config
        self.encoder = Encoder(n_words, n_characters, config)
        self.metric = Metric(
            config.embedding_width,
            config.lev_size,
            loss=config.metric_loss,
            learn_kernel=config.learn_kernel,
        )
        self.scoring = Scoring(config)

    def forward(self, batch: Documents) -> Tensor:
        """LEVs (documents, lev)."""
        masks = SiameseMasks(batch, self.training)
        embeddings = self.encoder(batch)[0]
        mask = masks.for_documents(self.config.dropout_metric, embeddings.shape[1])
        levs: Tensor = self.metric(embeddings if mask is None else embeddings * mask)
        return levs

    def losses(
        self,
        batch: Documents,
        same: Tensor,
        scored: tuple[Tensor, Tensor, Tensor] | None = None,
        *,
        dropout: float = 0,
        even_kinds: bool = False,
    ) -> tuple[Losses, tuple[Tensor, Tensor, Tensor]]:
        """Losses of a batch of pairs, and what the scoring learned from.

        That is LEVs of pairs, and which are by one author: the batch's own pairs, unless `scored`
        gives others. `dropout` and `even_kinds` as in `Scoring.losses`.
        """
        y1, y2 = self(batch).chunk(2)
        dml = self.metric.loss(y1, y2, same).mean()
        scored = scored or (y1.detach(), y2.detach(), same)
        found = self.scoring.losses(*scored, dropout=dropout, even_kinds=even_kinds)
        return Losses(dml, *found), scored

    def score(self, y1: Tensor, y2: Tensor) -> Scores:
        """Posteriors of pairs of LEVs."""
        return Scores(self.metric.probability(y1, y2), *self.scoring.posteriors(y1, y2))


def _dropped(y1: Tensor, y2: Tensor, share: float) -> tuple[Tensor, Tensor]:
    """LEVs of pairs with some of their features dropped, the same ones in both of a pair."""
    if not share:
        return y1, y2
    mask = (torch.rand_like(y1) >= share) / (1 - share)  # (pairs, lev)
    return y1 * mask, y2 * mask


def even_weights(same: Tensor) -> Tensor:
    """Weights (pairs,) for a mean in which both kinds of pairs count the same.

    Where several processes share a batch, kinds are counted in all of it, so that the mean of the
    processes' sums, which is what they learn from, is that of one process with the whole batch.
    """
    kinds = torch.stack((same, ~same)).float()  # (2, pairs)
    counts, processes = kinds.sum(dim=1), 1
    if distributed.is_available() and distributed.is_initialized():
        distributed.all_reduce(counts)
        processes = distributed.get_world_size()
    shares = kinds / counts.clamp(min=1.0).unsqueeze(1)  # (2, pairs)
    return processes * shares.sum(dim=0) / counts.count_nonzero()
