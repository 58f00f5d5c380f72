"""The whole: encoder → metric (DML) → Bayes factor (BFS) → adaptation (UAL), each with its loss."""

from typing import NamedTuple

import torch
from torch import Tensor, distributed, nn
from torch.nn import functional as F

from samehand.network.adaptation import Adaptation, Adapted, adaptation_loss, posterior
from samehand.network.bayes import BayesFactor, bayes_factor_loss
from samehand.network.config import NetworkConfig
from samehand.network.documents import Documents
from samehand.network.doubt import Doubt, Told, amount_of_text, told_of_trial
from samehand.network.encoder import Encoder, SiameseMasks
from samehand.network.impostors import Impostors, apart, unbend
from samehand.network.known import mean_of_known
from samehand.network.metric import Metric
from samehand.network.rejection import Rejection


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


class Opinion(NamedTuple):
    """What one network has to say of trials; all (trials,)."""

    probability: Tensor
    """p(same author)"""
    evidence: Tensor
    """The same as if all wording were usual."""
    rejected: Tensor
    """Whether they had better not be answered; none of them, where that was not learned."""


class Scoring(nn.Module):
    """What turns a pair of LEVs into a posterior: Bayes factor, then adaptation."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.bayes = BayesFactor(
            config.lev_size, config.bfs_size, config.bfs_activation, config.bfs_domain
        )
        self.impostors = Impostors(config.impostors, config.bfs_size) if config.impostors else None
        self.doubt = Doubt(config.wording) if config.doubt else None
        self.adaptation = Adaptation(config.lev_size, config.ual_size)
        self.rejection = Rejection(config.lev_size) if config.rejection else None
        self.lev_size = config.lev_size
        self.beta = config.beta
        self.dropout = config.dropout_scoring

    def forward(self, y1: Tensor, y2: Tensor) -> tuple[Tensor, Tensor]:
        """p(same author) by BFS and by UAL."""
        log_lr = (
            self.bayes(y1, y2)
            if self.impostors is None and self.doubt is None
            else self.log_lr_known(y1, y2.unsqueeze(1), None)
        )
        adapted = self.adaptation(self.style(y1), self.style(y2), log_lr)
        return torch.sigmoid(log_lr), adapted.probability

    def log_lr_known(self, questioned: Tensor, known: Tensor, there: Tensor | None) -> Tensor:
        """Log-likelihood ratios of questioned LEVs against known ones of one author.

        (trials, lev) and (trials, documents, lev), with `there` (trials, documents) true where
        there is a document. With impostors, distances are measured by that to them.
        """
        log_lr = self.log_lr_of_style(questioned, known, there)
        if self.doubt is None:
            return log_lr
        doubted: Tensor = self.doubt(log_lr, self.told(questioned, known, there))
        return doubted

    def log_lr_of_style(self, questioned: Tensor, known: Tensor, there: Tensor | None) -> Tensor:
        """The same without doubt."""
        if self.impostors is None:
            return self.bayes.log_lr_known(self.style(questioned), self.style(known), there)
        n, texts = len(questioned), known.shape[:2]
        vectors = self.vectors(torch.cat([questioned, known.flatten(0, 1)]))
        q, k = vectors[:n], vectors[n:].view(*texts, vectors.shape[1])
        near = self.impostors.nearness(vectors)
        near = (near[:n] + mean_of_known(near[n:].view(texts), there)) / 2
        scale = self.impostors.scale(apart(q, k, there), near).sqrt()
        scaled = q * scale[:, None], k * scale[:, None, None]
        return self.bayes.covariances.log_lr_known(*scaled, there)

    def vectors(self, levs: Tensor) -> Tensor:
        """What is compared where there are impostors."""
        return self.bayes.reduce(unbend(self.style(levs)))

    def style(self, levs: Tensor) -> Tensor:
        """LEVs without what else is told of a text."""
        return levs[..., : self.lev_size]

    def told(self, questioned: Tensor, known: Tensor, there: Tensor | None) -> Told:
        """What else is told, of each trial."""
        return told_of_trial(questioned[:, self.lev_size :], known[..., self.lev_size :], there)

    def consider(self, questioned: Tensor, known: Tensor, there: Tensor | None) -> Opinion:
        """Of questioned LEVs against all known ones of one author; shapes as in `log_lr_known`."""
        evidence, told = self._evidence(questioned, known, there)
        q, k, adapted, amount = self._seen(questioned, known, there, evidence, told)
        log_lr = evidence
        if self.doubt is not None and told is not None:
            log_lr = self.doubt.by_wording(evidence, told)
        probability = posterior(adapted.log_confusion, log_lr).probability
        if self.rejection is None:
            rejected = torch.zeros(len(questioned), dtype=torch.bool)
        else:
            rejected = self.rejection(q, k, adapted, amount) > self.rejection.limit
        return Opinion(probability, adapted.probability, rejected)

    def seen_by_rejection(
        self, questioned: Tensor, known: Tensor, there: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Adapted, Tensor]:
        """Of each trial both sides' LEVs of style, the answer, and the amount of text.

        The answer is that of usual wording: where plain wording casts doubt on it, it is mostly
        right all the same.
        """
        return self._seen(questioned, known, there, *self._evidence(questioned, known, there))

    def _evidence(
        self, questioned: Tensor, known: Tensor, there: Tensor | None
    ) -> tuple[Tensor, Told | None]:
        """Log-likelihood ratios as if all wording were usual, and what else is told of trials."""
        log_lr = self.log_lr_of_style(questioned, known, there)
        if self.doubt is None:
            return log_lr, None
        told = self.told(questioned, known, there)
        return self.doubt.by_amount(log_lr, told.amount), told

    def _seen(
        self,
        questioned: Tensor,
        known: Tensor,
        there: Tensor | None,
        evidence: Tensor,
        told: Told | None,
    ) -> tuple[Tensor, Tensor, Adapted, Tensor]:
        q, k = self.style(questioned), mean_of_known(self.style(known), there)
        amount = torch.zeros_like(evidence) if told is None else told.amount
        return q, k, self.adaptation(q, k, evidence), amount

    def start_from_pairs(self, y1: Tensor, y2: Tensor, same: Tensor) -> None:
        """Begin anew: the BFS from pairs of LEVs, the UAL from trusting it."""
        self.bayes.start_from_pairs(y1, y2, same)
        self.adaptation.reset()

    def losses(self, y1: Tensor, y2: Tensor, same: Tensor) -> tuple[Tensor, Tensor]:
        """Mean losses of BFS and UAL. No gradient passes to the LEVs, nor from the UAL to the BFS.

        Both kinds of pairs weigh the same, whatever their numbers: the posterior is meant for a
        prior of 1:1.
        """
        y1, y2 = y1.detach(), y2.detach()
        weights = even_weights(same)
        log_lr = self.bayes(*_drop_alike(y1, y2, self.dropout, self.training))
        bfs = bayes_factor_loss(log_lr, same)
        adapted = self.adaptation(
            *_drop_alike(y1, y2, self.dropout, self.training), log_lr.detach()
        )
        return weights @ bfs, weights @ adaptation_loss(adapted, same, self.beta)


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

    def style(self, batch: Documents) -> Tensor:
        """LEVs (documents, lev) of style alone."""
        masks = SiameseMasks(batch, self.training)
        embeddings = self.encoder(batch)[0]
        mask = masks.for_documents(self.config.dropout_metric, embeddings.shape[1])
        levs: Tensor = self.metric(embeddings if mask is None else embeddings * mask)
        return levs

    def forward(self, batch: Documents) -> Tensor:
        """LEVs (documents, lev), with amount of text and wording where that is configured."""
        config, levs = self.config, self.style(batch)
        if not config.doubt:
            return levs
        n_tokens = batch.n_tokens(config.unit_width - config.unit_hop)
        told = [amount_of_text(n_tokens).unsqueeze(1)]
        if config.wording:
            assert batch.told is not None
            told.append(batch.told.to(levs))
        return torch.cat([levs, *told], 1)

    def with_parts(self, **parts: bool) -> "Network":
        """A copy with parts that are added after training (`rejection=True`), as these begin."""
        sizes = len(self.encoder.words.weight), len(self.encoder.characters.weight)
        copy = Network(self.config.model_copy(update=parts), *sizes)
        _, unexpected = copy.load_state_dict(self.state_dict(), strict=False)
        assert not unexpected
        return copy.eval()

    def losses(
        self, batch: Documents, same: Tensor, scored: tuple[Tensor, Tensor, Tensor] | None = None
    ) -> tuple[Losses, tuple[Tensor, Tensor, Tensor]]:
        """Losses of a batch of pairs, and what the scoring learned from.

        That is LEVs of pairs, and which are by one author: the batch's own pairs, unless `scored`
        gives others.
        """
        y1, y2 = self(batch).chunk(2)
        dml = self.metric.loss(y1, y2, same).mean()
        scored = scored or (y1.detach(), y2.detach(), same)
        return Losses(dml, *self.scoring.losses(*scored)), scored

    def score(self, y1: Tensor, y2: Tensor) -> Scores:
        """Posteriors of pairs of LEVs."""
        return Scores(self.metric.probability(y1, y2), *self.scoring(y1, y2))


def _drop_alike(y1: Tensor, y2: Tensor, share: float, training: bool) -> tuple[Tensor, Tensor]:
    """Dropout with one mask for both documents of each pair."""
    mask = F.dropout(torch.ones_like(y1), share, training)
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
