"""One training step, the optimiser, and what happens between epochs."""

from collections.abc import Iterator
from typing import Any

import lightning
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from samehand.errors import InputError
from samehand.network.documents import Documents
from samehand.network.network import Losses, Network, Scoring
from samehand.training.config import TrainingConfig
from samehand.training.data import Batch, PairData, Step, in_chunks
from samehand.training.device_store import DeviceStore
from samehand.training.in_batch import InBatchContrastiveLoss

_CHECK_EVERY = 50  # steps between looks at the loss: a look waits for the device
_EMBEDDED_AT_ONCE = 256  # documents
_STARTING_PAIRS, _STARTING_DRAWS = 8_192, 16


class TrainingModule(lightning.LightningModule):
    """Trains a network on pairs from a store.

    `variants` are further scoring heads on the same LEVs, each with its own loss: since no gradient
    of theirs reaches the encoder, rows of an ablation that share an encoder share its training.
    """

    def __init__(
        self,
        network: Network,
        data: PairData,
        config: TrainingConfig,
        variants: dict[str, Scoring] | None = None,
    ) -> None:
        super().__init__()
        self.network = network
        self.variants = nn.ModuleDict(variants or {})
        self.store = DeviceStore(data.store, config.network.masking, config.network.most_words)
        self.config = config
        self.in_batch_loss = InBatchContrastiveLoss() if config.in_batch else None
        self.trains_scoring = config.scoring.batch_pairs > 0
        """Whether BFS and UAL are trained, or the encoder alone."""
        self._scoring_options: dict[str, Any] = {
            "dropout": config.scoring.dropout,
            "even_kinds": config.scoring.even_kinds,
        }
        self._data = data
        if not self.trains_scoring:
            network.scoring.requires_grad_(False)
        # Every process reads the whole store itself: nothing to send round before each step.
        stored = [f"store.{name}" for name, _ in self.store.named_buffers()]
        set_aside: Any = DistributedDataParallel._set_params_and_buffers_to_ignore_for_model
        set_aside(self, stored)

    def training_step(self, step: Step, number: int) -> Tensor:
        """The sum of the losses of all components that are trained."""
        self._seed(1, number, self.global_rank)  # each process draws its own dropout masks
        batch = step.encoder
        config = self.config
        documents = self._documents(batch, config.word_dropout, config.layout_dropout)
        scored = None if step.scoring is None else self._embed_pairs(step.scoring)
        if self.in_batch_loss is None:
            losses, scored = self.network.losses(
                documents, batch.same, scored, **self._scoring_options
            )
        else:
            losses = self._in_batch_losses(documents, batch.labels, scored)
        self.log_dict(
            losses._asdict() if self.trains_scoring else {"dml": losses.dml},
            prog_bar=True,
            on_step=True,
            on_epoch=True,
            sync_dist=self.trainer.world_size > 1,
            batch_size=len(batch.same),
        )
        total = losses.total
        for scoring in self.variants.values():
            assert isinstance(scoring, Scoring)
            assert scored is not None
            self._seed(2, number, self.global_rank)  # the same dropout for all of them
            total = total + sum(scoring.losses(*scored, **self._scoring_options))
        if number % _CHECK_EVERY == 0:
            self._refuse_nan(total)
        return total

    def _in_batch_losses(
        self, documents: Documents, labels: Tensor, scored: tuple[Tensor, Tensor, Tensor] | None
    ) -> Losses:
        """As `Network.losses`. The kernel learns beside the encoder, from each text's neighbours.

        Those are the other text of its author, and the next in line, who mostly shares its topic.
        """
        assert self.in_batch_loss is not None
        levs = self.network(documents)
        found = levs.detach()
        n = len(levs) // 2
        same = torch.arange(len(levs), device=levs.device) < n
        beside = torch.cat([found[n:], found[:n].roll(1, 0)])
        kernel = self.network.metric.loss(torch.cat([found[:n]] * 2), beside, same).mean()
        dml = kernel + self.in_batch_loss(levs, *labels)
        if scored is None:
            return Losses(dml, dml.new_zeros(()), dml.new_zeros(()))
        return Losses(dml, *self.network.scoring.losses(*scored, **self._scoring_options))

    def _documents(
        self, batch: Batch, word_dropout: float = 0, layout_dropout: float = 0
    ) -> Documents:
        # Texts that are compared share a dropout mask. Were it each pair's own, pairs could be told
        # apart by their masks.
        n_masks = 1 if batch.labels.shape[1] else len(batch.same)
        return self.store.documents(
            batch.run_starts,
            batch.run_lengths,
            batch.lengths,
            self.config.network.windowing,
            n_masks,
            word_dropout,
            layout_dropout,
        )

    @torch.no_grad()
    def _embed_pairs(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """LEVs of pairs as they will be in use, without dropout."""
        self.network.eval()
        y1, y2 = self.network(self._documents(batch)).chunk(2)
        self.network.train()
        return y1, y2, batch.same

    def _refuse_nan(self, loss: Tensor) -> None:
        if not torch.isfinite(loss):
            raise InputError(
                f"The loss is no longer a number in epoch {self.current_epoch}: start again with a "
                "lower learning_rate (the last good checkpoint is kept)."
            )

    def on_train_epoch_start(self) -> None:
        """Let the scoring begin anew when it is time to."""
        start = self.config.scoring.start_at
        if (
            self.trains_scoring
            and start is not None
            and self.current_epoch == int(start * self.config.epochs)
        ):
            self._seed(0)  # the same in all processes, which must begin alike
            self._start_scoring()

    def _seed(self, *where: int) -> None:
        """Make what is random follow from seed, epoch and step, so that a resumed run repeats it.

        What Lightning draws before the first step of a run, and of a resumed one, is not the same.
        """
        entropy = [self.config.seed, self.current_epoch, *where]
        torch.manual_seed(int(np.random.SeedSequence(entropy).generate_state(1)[0]))

    def refuse_nan_weights(self) -> None:
        """Raise if the network has gone wrong, so that neither figures nor checkpoint are kept."""
        for parameter in self.parameters():
            self._refuse_nan(parameter.detach().sum())

    def _start_scoring(self) -> None:
        """Let every BFS and UAL begin anew from pairs of LEVs that the encoder yields by now."""
        found = list(self._starting_pairs())
        if not found:
            return
        y1, y2, same = (torch.cat(parts) for parts in zip(*found, strict=True))
        optimiser: Any = self.optimizers()
        for scoring in (self.network.scoring, *self.variants.values()):
            assert isinstance(scoring, Scoring)
            scoring.start_from_pairs(y1, y2, same)
            for parameter in scoring.parameters():
                optimiser.optimizer.state.pop(parameter, None)

    def _starting_pairs(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        """LEVs of pairs, as of several epochs where few authors give few pairs in one."""
        missing = _STARTING_PAIRS
        for draw in range(_STARTING_DRAWS):
            paired = self._data.scoring_pairs(self.config.epochs + draw) if missing else None
            if paired is None:
                return
            some = np.arange(min(len(paired.pairs), missing))
            missing -= len(some)
            for chunk in in_chunks(some, _EMBEDDED_AT_ONCE):
                batch = Batch(*(part.to(self.device) for part in paired.batch(chunk)))
                with self._half_precision():
                    yield self._embed_pairs(batch)

    def _half_precision(self) -> torch.autocast:
        """The precision of Lightning's training steps, for use outside one."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    @torch.no_grad()
    def embed(self, documents: Any) -> Tensor:
        """LEVs (documents, lev) of stored documents as they are, in evaluation mode."""
        texts = self._data.whole(documents)
        was_training = self.network.training
        self.network.eval()
        levs = []
        for chunk in in_chunks(np.arange(len(texts)), _EMBEDDED_AT_ONCE):
            with self._half_precision():
                levs.append(
                    self.network(self.store.read(texts, chunk, self.config.network.windowing))
                )
        self.network.train(was_training)
        return torch.cat(levs)

    def configure_optimizers(self) -> Any:
        """Adam, whose rate falls linearly, then stays. The scoring may have a constant rate."""
        config, own_rate = self.config, self.config.scoring.learning_rate
        heads = [p for s in (self.network.scoring, *self.variants.values()) for p in s.parameters()]
        own = {id(p) for p in heads}
        rate = config.learning_rate
        groups: list[dict[str, Any]] = [
            {"params": [p for p in self.parameters() if id(p) not in own]},
            {"params": heads, "lr": own_rate or rate},
        ]
        # Fused: one launch instead of some sixty. A step on a fast GPU waits for launches.
        optimiser = torch.optim.Adam(groups, lr=rate, fused=self.device.type == "cuda")
        fall = max(1, round(config.final_from * config.epochs))
        floor = config.final_learning_rate / rate

        def falling(epoch: int) -> float:
            return 1 + (floor - 1) * min(1.0, epoch / fall)

        factors: list[Any] = [falling, falling if own_rate is None else lambda epoch: 1.0]
        rates = torch.optim.lr_scheduler.LambdaLR(optimiser, factors)
        return {"optimizer": optimiser, "lr_scheduler": rates}

    def configure_gradient_clipping(self, *_: Any, **__: Any) -> None:
        """Clip each parameter's gradient by itself."""
        gradients = [p.grad for p in self.parameters() if p.grad is not None]
        norms = torch._foreach_norm(gradients)
        torch._foreach_add_(norms, 1e-6)
        torch._foreach_reciprocal_(norms)
        torch._foreach_mul_(norms, self.config.clip)
        torch._foreach_clamp_max_(norms, 1.0)
        torch._foreach_mul_(gradients, norms)
