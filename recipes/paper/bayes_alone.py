"""Why does the Bayes factor fall behind the distance? It learns alone here, on LEVs that stay.

    python recipes/paper/bayes_alone.py STORE RUN

RUN is a network that `samehand train STORE` made by the preset paper, STORE one with a test part. A
new Bayes factor learns as in the preset, but from LEVs of the finished network: of the authors it
was trained on, for as many epochs as in the preset and for ten times as many; and of half of the
test part's authors, whom the network has not met. Prints AUC and ECE of each on pairs of training
authors and on pairs of the other half of the test part's, beside the AUC of the distance, and the
Gaussian entropies within and between authors. Needs samehand[train].
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from samehand.corpus.pairs import Pairs, sample_epoch
from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.fitting.stored_vectors import embed_stored
from samehand.model.folder import read_model
from samehand.network.bayes import BayesFactor, bayes_factor_loss
from samehand.training.config import TrainingConfig
from samehand.training.texts import Stored, Texts, whole_texts

DRAWN_ONCE = 99  # the seed of the pairs that are measured


class Documents:
    """Documents of some authors: LEVs, and who wrote them about what."""

    def __init__(self, levs: Tensor, texts: Texts, chosen: np.ndarray) -> None:
        self.levs = levs[torch.from_numpy(chosen)]
        self.author, self.topic = texts.author[chosen], texts.topic[chosen]

    def pairs(self, config: TrainingConfig, seed: int, epoch: int) -> Pairs:
        return sample_epoch(self.author, self.topic, config.pairs.deltas, seed, epoch)

    def measured(self, bayes: BayesFactor, config: TrainingConfig) -> tuple[float, float, float]:
        """AUC and ECE of the Bayes factor, AUC of the distance, on pairs drawn once."""
        pairs = self.pairs(config, DRAWN_ONCE, 0)
        first, second = self.levs[pairs.first], self.levs[pairs.second]
        with torch.no_grad():
            by_bayes = torch.sigmoid(bayes(first, second)).double().numpy()
        near = torch.exp(-(first - second).square().sum(dim=1)).double().numpy()
        found = score(pairs.same_author, by_bayes)
        return found["auc"], found["ece"], score(pairs.same_author, near)["auc"]


def embedded(store: Store, run: Path, part: str, cap: int) -> tuple[Tensor, Texts]:
    chosen = store.documents(part)
    texts = whole_texts(Stored.of(store).at(chosen), cap)
    model = read_model(run / "model", without_evidence=True)
    found = embed_stored(store, model.networks, texts, np.arange(len(chosen)))
    return torch.from_numpy(np.asarray(found.style, np.float32)), texts


def learnt(documents: Documents, config: TrainingConfig, epochs: int) -> BayesFactor:
    """A Bayes factor that has learned from these documents for so many epochs."""
    torch.manual_seed(0)
    network, size = config.network, config.batch_pairs
    bayes = BayesFactor(
        network.lev_size, network.bfs_size, network.bfs_activation, network.bfs_domain
    )
    adam = torch.optim.Adam(bayes.parameters(), config.learning_rate)
    share = config.scoring.dropout
    for epoch in range(epochs):
        fallen = min(1.0, epoch / (epochs * config.final_from))
        rate = config.learning_rate + fallen * (config.final_learning_rate - config.learning_rate)
        adam.param_groups[0]["lr"] = rate
        pairs = documents.pairs(config, 0, epoch)
        for start in range(0, len(pairs) - size + 1, size):
            first, second = pairs.first[start : start + size], pairs.second[start : start + size]
            mask = (torch.rand(size, network.lev_size) >= share) / (1 - share)
            log_lr = bayes(documents.levs[first] * mask, documents.levs[second] * mask)
            same = torch.from_numpy(pairs.same_author[start : start + size])
            adam.zero_grad()
            bayes_factor_loss(log_lr, same).mean().backward()
            adam.step()
    return bayes


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("run", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    config = TrainingConfig.read("paper")
    store = Store.open(options.store)
    cap = config.network.windowing.span(config.network.most_units)
    levs, texts = embedded(store, options.run, "train", cap)
    met = Documents(levs, texts, np.ones(len(levs), np.bool_))
    spread = np.linalg.eigvalsh(np.cov(levs.numpy().T))
    print(f"{spread.sum() ** 2 / (spread**2).sum():.1f} dimensions' worth of LEVs vary")
    levs, texts = embedded(store, options.run, "test", cap)
    authors = np.random.default_rng(0).permutation(np.unique(texts.author))
    taught = np.isin(texts.author, authors[::2])
    new, tested = (Documents(levs, texts, chosen) for chosen in (taught, ~taught))
    more = 10 * len(met.author) // len(new.author)  # as many steps as ten times the epochs of met
    print(
        "| learned from | epochs | within | between | train: AUC, ECE | test: AUC, ECE | distance |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, documents, times in (("met", met, 1), ("met", met, 10), ("new", new, more)):
        bayes = learnt(documents, config, times * config.epochs)
        within, between = bayes.covariances.entropies()
        of_met, of_new = met.measured(bayes, config), tested.measured(bayes, config)
        print(
            f"| authors the network has {'' if name == 'met' else 'not '}met | "
            f"{times * config.epochs} | {within:.0f} | {between:.0f} | {of_met[0]:.3f}, "
            f"{of_met[1]:.3f} | {of_new[0]:.3f}, {of_new[1]:.3f} | {of_new[2]:.3f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
