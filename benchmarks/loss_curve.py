"""Does the fast recurrence learn as cuDNN's does? Loss curves, side by side.

    python benchmarks/loss_curve.py [--device cuda] [--runs 4] [--steps 500] [--pairs 32]

Networks of two kinds, samehand's and the plain one with `nn.LSTM` (cuDNN on a GPU), start from the
same weights and learn from the same batches, several of each kind. On a GPU both compute in
bfloat16. A third kind stands beside them: the plain one as autocast has it, which runs cuDNN's
LSTMs in float16, with three more bits of precision, whatever type was asked for. Authors are
planted: each prefers some of the frequent words to others. Dropout is off, since masks would be
drawn in another order. Rounding alone leads two networks apart, a little further at every step, and
so each run gets the pairs of every batch in another order: what runs of one kind differ by is
noise.

Printed are loss and standard deviation among runs, in ten windows of steps. At the end the mean log
loss of each run over the windows is one number, and samehand's numbers are compared with those of
the others by Welch's test. Exits with 1 where the first two kinds differ by more than chance would
have it at 5 %, and by more than one in a thousand.
"""

import argparse
import sys
from collections.abc import Callable

import numpy as np
import torch
from plain_encoder import PlainEncoder
from scipy.stats import t, ttest_ind
from torch import Tensor
from training_speed import TYPES, cut, training, types_on

from samehand.model.config import NetworkConfig
from samehand.model.documents import Documents
from samehand.model.network import Network

AUTHORS = 100
FREQUENT = 1_000
"""Types whose rates tell authors apart."""
PREFERENCE = 0.7
"""Standard deviation of their log rates among authors."""
WINDOWS = 10
KINDS = {"samehand": None, "plain": torch.bfloat16, "plain, float16": None}
"""What learns, and in what type of numbers its LSTMs run, where not in autocast's."""
LEVEL = 0.05
NEGLIGIBLE = 1e-3
"""Of the loss. In single precision all runs stay together, and any difference is significant."""


class Authors:
    """Pairs of documents, every other one by the same author."""

    def __init__(self, config: NetworkConfig, device: torch.device) -> None:
        self._config, self._device = config, device
        self._generator = torch.Generator(device).manual_seed(0)
        rates = -torch.log(torch.arange(1, TYPES - 1, device=device))
        tilt = torch.zeros(AUTHORS, TYPES - 2, device=device)
        tilt[:, :FREQUENT].normal_(0, PREFERENCE, generator=self._generator)
        self._rates = torch.softmax(rates + tilt, 1)  # (authors, types)
        self._types = types_on(device)

    def draw(self, n_pairs: int, units: int) -> tuple[Tensor, Tensor]:
        """Tokens (2 · pairs, tokens), first documents before second ones; and who is the same."""
        one = torch.randint(AUTHORS, (n_pairs,), generator=self._generator, device=self._device)
        same = torch.arange(n_pairs, device=self._device) % 2 == 0
        other = torch.where(same, one, (one + 1 + one % 7) % AUTHORS)
        rates = self._rates[torch.cat([one, other])]
        length = self._config.windowing.span(units)
        return torch.multinomial(rates, length, True, generator=self._generator) + 2, same

    def batch(self, tokens: Tensor) -> Documents:
        return cut(tokens, self._types, self._config)


def learner(kind: str, config: NetworkConfig, device: torch.device) -> Callable[..., Tensor]:
    """Steps of training of a network, whose weights are always the same to begin with."""
    torch.manual_seed(0)
    network = Network(config, 5_002, 302).to(device)
    if kind != "samehand":
        lstm_type = KINDS[kind] if device.type == "cuda" else None
        plain = PlainEncoder(network.encoder, lstm_type)
        network.encoder = plain.to(device)  # type: ignore[assignment]
        for parameter, value in network.named_parameters():
            if "bias_hh" in parameter:  # a second bias would learn at twice the rate of one
                value.requires_grad_(False)
    return training(network, device)


class Order:
    """The order of the pairs of a batch in one run; the first run keeps it."""

    def __init__(self, run: int) -> None:
        self._draw = np.random.default_rng(run) if run else None

    def __call__(self, tokens: Tensor, same: Tensor) -> tuple[Tensor, Tensor]:
        if self._draw is None:
            return tokens, same
        order = torch.from_numpy(self._draw.permutation(len(same))).to(same.device)
        one, other = tokens.chunk(2)
        return torch.cat([one[order], other[order]]), same[order]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--runs", type=int, default=4, help="of each kind, at least 2")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument("--units", type=int, default=60)
    options = parser.parse_args()
    if options.runs < 2 or options.steps < WINDOWS:
        parser.error(f"at least 2 runs and {WINDOWS} steps")
    device = torch.device(options.device)
    dropouts = {name: 0.0 for name in NetworkConfig.model_fields if name.startswith("dropout")}
    config = NetworkConfig(**dropouts)  # type: ignore[arg-type]
    authors, orders = Authors(config, device), [Order(run) for run in range(options.runs)]
    kinds = list(KINDS)[: 3 if device.type == "cuda" else 2]
    learners = [[learner(kind, config, device) for _ in orders] for kind in kinds]
    losses = []
    for _ in range(options.steps):
        tokens, same = authors.draw(options.pairs, options.units)
        ordered = [order(tokens, same) for order in orders]
        batches = [(authors.batch(mixed), alike) for mixed, alike in ordered]
        for runs in learners:
            losses += [step(*batch) for step, batch in zip(runs, batches, strict=True)]
    shape = -1, len(kinds), options.runs
    return report(kinds, torch.stack(losses).view(shape).permute(1, 2, 0).cpu().double().numpy())


def report(kinds: list[str], losses: np.ndarray) -> int:
    """Prints what (kinds, runs, steps) come to; 0 if the first two kinds learn alike."""
    window = losses.shape[2] // WINDOWS
    parted = losses[..., : WINDOWS * window].reshape(*losses.shape[:2], WINDOWS, window)
    means = parted.mean(3)  # (kinds, runs, windows)
    print(f"{'steps':11}" + "".join(f"{kind:>18}" for kind in kinds))
    for number, (mean, spread) in enumerate(
        zip(means.mean(1).T, means.std(1, ddof=1).T, strict=True)
    ):
        shown = "".join(f"{m:10.4f} ± {s:.4f}" for m, s in zip(mean, spread, strict=True))
        print(f"{number * window:4}–{(number + 1) * window:<6}" + shown)
    ours, *others = np.log(means).mean(2)  # (runs,) each
    alike = [learn_alike(ours, *other) for other in zip(kinds[1:], others, strict=True)]
    return 0 if alike[0] else 1


def learn_alike(ours: np.ndarray, kind: str, theirs: np.ndarray) -> bool:
    apart = ours.mean() - theirs.mean()
    error = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / len(ours))
    test = ttest_ind(ours, theirs, equal_var=False)
    bar = t.ppf(1 - LEVEL / 2, test.df)
    print(
        f"mean log loss, samehand less {kind}: {apart:+.2g} ± {error:.2g}, "
        f"t = {test.statistic:.2f}; bar {bar:.2f} (at {test.df:.1f} degrees of freedom), "
        f"or {NEGLIGIBLE:g} apart"
    )
    return bool(abs(apart) <= NEGLIGIBLE or abs(test.statistic) <= bar)


if __name__ == "__main__":
    sys.exit(main())
