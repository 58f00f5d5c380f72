"""What is lost where the members of an ensemble share an encoder?

    python benchmarks/shared_encoder.py STORE RUNS [--batches 60] [--epochs 20]

RUNS holds networks trained by `recipes/default/train.sh`: RUNS/NAME/model. Two ensembles are
compared on the store's trials, each member by the squared distance of its LEVs, turned to a
posterior by a logistic regression on pairs with an author that no encoder has met; members'
posteriors are averaged.

- apart: the networks in RUNS, each trained from its own start;
- shared: the first of their encoders, kept as it is, with as many new last layers (x to LEV), each
  trained from its own start on batches of its own training, whose dropout and order are new.

An encoder that is read once costs a fourth. Printed is for both the mean over sets of AUC and Cllr,
of the best member and of all together, and how alike members' distances are.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.network.bayes import logistic
from samehand.network.documents import Documents
from samehand.network.metric import Metric, squared_distance
from samehand.network.network import Network
from samehand.network.weights import load_network
from samehand.training.config import TrainingConfig
from samehand.training.data import Batch, PairData, in_chunks
from samehand.training.device_store import DeviceStore
from samehand.training.in_batch import CrowdLoss
from samehand.training.texts import Texts

DROPOUT = 0.1
RATE = 1e-3
AT_ONCE = 64


class Encoder:
    """The embeddings x of a trained network."""

    def __init__(self, folder: Path, store: Store) -> None:
        network, _, description = load_network(folder / "model")
        self.network: Network = network.eval()
        self.config = TrainingConfig.model_validate(description["about"]["training"])
        self.data = PairData(store, self.config)
        self._tokens = DeviceStore(
            store, self.config.network.masking, self.config.network.most_words
        )

    def __call__(self, texts: Texts, used: np.ndarray) -> Tensor:
        """(texts, embedding), zero where they are not used"""
        found = torch.zeros(len(texts), self.network.config.embedding_width)
        for chunk in in_chunks(used[np.argsort(texts.lengths[used])], AT_ONCE):
            documents = self._tokens.read(texts, chunk, self.network.config.windowing)
            found[torch.from_numpy(chunk)] = self._read(documents)
        return found

    def embed(self, batch: Batch) -> Tensor:
        """(texts, embedding)"""
        runs = batch.run_starts, batch.run_lengths, batch.lengths
        return self._read(self._tokens.documents(*runs, self.network.config.windowing))

    def _read(self, documents: Documents) -> Tensor:
        with torch.inference_mode():
            x: Tensor = self.network.encoder(documents)[0]
        return x.clone()


class Judged:
    """What an encoder makes of trials, and of the pairs that posteriors are fitted to."""

    def __init__(self, encoder: Encoder, store: Store, sets: list[str]) -> None:
        self.trials = []
        for name in sets:
            trials = store.trials(name)
            documents = np.unique(np.concatenate([trials.first, trials.second]))
            x = encoder(encoder.data.whole(documents), np.arange(len(documents)))
            sides = [x[np.searchsorted(documents, side)] for side in (trials.first, trials.second)]
            self.trials.append((sides, np.asarray(trials.same_author)))
        paired = encoder.data.judging_pairs(whole=True)
        assert paired is not None
        pairs = paired.pairs
        x = encoder(paired.texts, np.unique([pairs.first, pairs.second]))
        self.pairs = [x[pairs.first], x[pairs.second]], torch.from_numpy(pairs.same_author)

    def answers(self, head: Metric) -> list[np.ndarray]:
        """The posterior of each trial, set by set."""
        (first, second), same = self.pairs
        with torch.no_grad():
            fitted = squared_distance(head(first), head(second)).double()
            offset, slope = logistic(fitted, same)
            return [
                torch.sigmoid(offset - slope * squared_distance(*map(head, sides)).double()).numpy()
                for sides, _ in self.trials
            ]


Crowd = tuple[Tensor, Tensor]
"""Embeddings (texts, embedding) of a batch, and the labels (3, texts) of its crowd."""


def crowds_of(encoder: Encoder, n: int) -> list[Crowd]:
    epoch = encoder.data.epoch(0)
    steps = (epoch[number].encoder for number in range(min(n, len(epoch))))
    return [(encoder.embed(step), step.crowd) for step in steps]


def new_head(config: TrainingConfig, crowds: list[Crowd], epochs: int, seed: int) -> Metric:
    """A last layer that learned from these crowds."""
    torch.manual_seed(seed)
    assert config.crowds
    width = config.network.embedding_width
    head, loss = Metric(width, config.network.lev_size), CrowdLoss(config.crowds)
    optimiser = torch.optim.Adam([*head.parameters(), *loss.parameters()], RATE)
    rates = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, epochs)
    for _ in range(epochs):
        for number in torch.randperm(len(crowds)).tolist():
            x, labels = crowds[number]
            kept = (torch.rand(width) >= DROPOUT) / (1 - DROPOUT)
            optimiser.zero_grad()
            loss(head(x * kept), *labels).backward()
            optimiser.step()
        rates.step()
    return head


def report(kind: str, members: list[list[np.ndarray]], truth: list[np.ndarray]) -> None:
    def figures(answers: list[np.ndarray]) -> np.ndarray:
        scored = [score(same, p) for same, p in zip(truth, answers, strict=True)]
        return np.array([[s["auc"], s["cllr"]] for s in scored]).mean(0)

    alone = [figures(answers) for answers in members]
    auc, cllr = min(alone, key=lambda of: of[1])
    mean = [np.mean(answers, 0) for answers in zip(*members, strict=True)]
    all_auc, all_cllr = figures(mean)
    odds = np.log([np.concatenate(answers) / (1 - np.concatenate(answers)) for answers in members])
    alike = np.corrcoef(odds)[np.triu_indices(len(members), 1)]
    print(
        f"{kind:8} best member: AUC {auc:.4f}, Cllr {cllr:.4f}; all {len(members)}: AUC "
        f"{all_auc:.4f}, Cllr {all_cllr:.4f} ({100 * (all_cllr / cllr - 1):+.1f} %); log odds "
        f"correlate by {alike.min():.3f} to {alike.max():.3f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--batches", type=int, default=60, help="that new layers learn from")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--sets", default="dev-", help="how the names of the sets begin")
    options = parser.parse_args()
    store = Store.open(options.store)
    sets = [name for name in store.trial_names if name.startswith(options.sets)]
    folders = sorted(path.parent for path in options.runs.glob("*/model"))
    apart, truth = [], []
    first: tuple[Encoder, Judged] | None = None
    for folder in folders:
        encoder = Encoder(folder, store)
        judged = Judged(encoder, store, sets)
        truth = [same for _, same in judged.trials]
        apart.append(judged.answers(encoder.network.metric))
        first = first or (encoder, judged)
    report("apart", apart, truth)
    assert first
    encoder, judged = first
    crowds = crowds_of(encoder, options.batches)
    heads = [new_head(encoder.config, crowds, options.epochs, seed) for seed in range(len(folders))]
    report("shared", [judged.answers(head) for head in heads], truth)


if __name__ == "__main__":
    main()
